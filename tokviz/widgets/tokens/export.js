/**
 * Save the tokens as a file: for a program, for a spreadsheet, or to look at.
 */

import { createSaving } from "../shared/saving.js";

/** @type {[format: string, label: string, says: string][]} */
const FORMATS = [
  ["json", "JSON", "Every token with its id, its place, its bytes and its text, for programs"],
  ["csv", "CSV", "The same as a table. In a spreadsheet, import every column as text."],
  ["html", "web page", "The colored text in one file that opens without a network"],
];

/** @param {(format: string) => Promise<Blob>} make */
export const createExport = (make) => createSaving("Save the tokens", "tokens", FORMATS, make);
