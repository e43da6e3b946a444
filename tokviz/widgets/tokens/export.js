/**
 * Save the tokens as a file: for programs, spreadsheets or viewing.
 */

import { element } from "../shared/dom/elements.js";
import { createSaveButtons } from "../shared/ui/saving.js";

/** @type {[format: string, label: string, tooltip: string][]} */
const FORMATS = [
  ["json", "JSON", "The text, and every token with its id, its place, and the bytes and the text that it covers; for programs"],
  ["csv", "CSV", "The same tokens as a table, a row for each. In a spreadsheet, import every column as text."],
  ["html", "Web page", "The colored text in one file that opens without a network"],
];

/** @param {(format: string) => Promise<Blob>} make */
export const createExport = (make) => element("section", { class: "saving" }, element("h3", {}, "Save the tokens"), createSaveButtons("tokens", FORMATS, make).node);
