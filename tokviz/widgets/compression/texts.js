/**
 * Texts of the Compression page: their sizes, and those of files.
 */

import { readBytes } from "../shared/ui/files.js";

/** @param {string} text well-formed, and perhaps long @returns {number} */
export const countCodePoints = (text) => text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);

/** The name and the text of a file. Throws what is wrong with it. @param {File} file @returns {Promise<[string, string]>} */
export async function readText(file) {
  const read = readBytes(new Uint8Array(await file.arrayBuffer()));
  if ("seems" in read) throw new Error(`“${file.name}” seems to be ${read.seems}. Save it as UTF-8, and choose it again.`);
  return [file.name.replace(/\.txt$/, ""), read.text];
}
