/**
 * Buttons that save what is shown as a picture, which the server draws: as SVG, or as PNG.
 */

import { Refusal } from "../net/client.js";
import { createSaveButtons } from "./saving.js";

/** Pixels of a PNG for each unit of the SVG, so that it is sharp on slides. */
const SCALE = 2;

/**
 * @param {string} name of the files, without their ending
 * @param {string} title tooltip
 * @param {() => Promise<Blob>} draw returns an SVG
 */
export function createPictureButtons(name, title, draw) {
  return createSaveButtons(name, [["svg", "SVG", title], ["png", "PNG", title]], async (format) => {
    const svg = await draw();
    return format === "svg" ? svg : pngOf(svg);
  });
}

/**
 * Draw an SVG as PNG. Throws `Refusal` if it is too large for that.
 *
 * @param {Blob} svg with a width and a height
 * @returns {Promise<Blob>}
 */
async function pngOf(svg) {
  const image = new Image();
  const url = URL.createObjectURL(svg);
  try {
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * SCALE, image.height * SCALE];
    /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((png) => (png ? resolve(png) : reject())));
  } catch {
    throw new Refusal("This picture is too large for a PNG. Take the SVG.");
  } finally {
    URL.revokeObjectURL(url);
  }
}
