/**
 * Pictures to save: an SVG as PNG.
 */

/** Pixels of a PNG for each unit of the SVG, so that it is sharp on slides. */
const SCALE = 2;

/**
 * Draw an SVG as PNG. Throws an error if it is too large for that.
 *
 * @param {Blob} svg with a width and a height
 * @returns {Promise<Blob>}
 */
export async function pngOf(svg) {
  const image = new Image();
  const url = URL.createObjectURL(svg);
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * SCALE, image.height * SCALE];
    /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((png) => (png ? resolve(png) : reject(new Error("too large"))));
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
