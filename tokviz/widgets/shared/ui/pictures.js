/**
 * Pictures to save: as SVG, or as PNG.
 */

import { saveFile } from "./files.js";

/** Pixels of a PNG for each unit of the SVG, so that it is sharp on slides. */
const SCALE = 2;

/**
 * Save an SVG as "SVG" or "PNG".
 *
 * @param {string} name of the file, without its ending
 * @param {string} format
 * @param {string} svg
 * @returns {Promise<string>} what is wrong; "" if it is saved
 */
export async function savePicture(name, format, svg) {
  const file = new Blob([svg], { type: "image/svg+xml" });
  try {
    saveFile(`${name}.${format.toLowerCase()}`, format === "SVG" ? file : await pngOf(file));
    return "";
  } catch {
    return "This picture is too large for a PNG. Take the SVG.";
  }
}

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
