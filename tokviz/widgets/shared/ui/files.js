/**
 * Texts as files: how large they may be, and saving. What reads them is loaded late (`reading.js`).
 */

/** Maximum text size in bytes, as on the server. */
export const MAX_FILE = 10_000_000;

/** Offer a file for download. @param {string} name @param {Blob} content */
export function saveFile(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // By then the browser has started to read the blob.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
