/**
 * Pictures of a page's content, which the server draws: to copy, and to save as SVG or as PNG.
 */

import { Refusal } from "../net/client.js";
import { button } from "../dom/elements.js";
import { createSaveButtons } from "./saving.js";

/** Pixels of a PNG for each unit of the SVG, so that it is sharp on slides. */
const SCALE = 2;

/**
 * @param {string} name of the files, without their ending
 * @param {string} title tooltip
 * @param {() => Promise<Blob>} draw returns an SVG
 * @param {readonly ("svg" | "png")[]} [formats]
 */
export function createPictureButtons(name, title, draw, formats = ["svg", "png"]) {
  return createSaveButtons(name, formats.map((format) => [format, format.toUpperCase(), title]), async (format) => {
    const svg = await draw();
    return format === "svg" ? svg : pngOf(svg);
  });
}

/** Maximum bytes of a text in a picture, as in text_columns.py. */
export const MAX_BYTES = 1000;

/** The columns of a line of text in a picture, by the width of the screen. */
export const pictureColumns = () => (innerWidth < 700 ? 36 : 64);

/** True if text is lighter than half, as on a dark page. @param {Element} node */
export const isDark = (node) => Number(/\d+/.exec(getComputedStyle(node).color)) > 127;

/**
 * A button that copies a picture as PNG; null where the browser copies none, as on plain http pages.
 *
 * @param {Blob} svg @param {(sentence: string) => void} say how it went
 */
export function createPictureCopying(svg, say) {
  if (!("ClipboardItem" in window && navigator.clipboard)) return null;
  return button("Copy the picture", async () => {
    // The promise, not its result: Safari copies only what is asked for at once.
    const copied = navigator.clipboard.write([new ClipboardItem({ "image/png": pngOf(svg) })]);
    await copied.then(() => say("The picture is copied."), () => say("Copying did not work: save the picture instead."));
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
  try {
    image.src = await dataOf(svg); // Chrome lets no canvas be read with a copy of elements from elsewhere
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width * SCALE, image.height * SCALE];
    /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")).drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((png) => (png ? resolve(png) : reject())));
  } catch {
    throw new Refusal("This picture is too large for a PNG. Take the SVG.");
  }
}

/** The address that holds a file. @param {Blob} file @returns {Promise<string>} */
export function dataOf(file) {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.onload = () => resolve(/** @type {string} */ (reader.result));
    reader.readAsDataURL(file);
  });
}
