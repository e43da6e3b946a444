/**
 * Take the tokens along: as files for programs, spreadsheets or viewing, or their ids alone.
 */

import { copyText } from "../shared/dom/copying.js";
import { button, element, fill } from "../shared/dom/elements.js";
import { createSaveButtons } from "../shared/ui/saving.js";

/** @type {[format: string, label: string, tooltip: string][]} */
const FORMATS = [
  ["json", "JSON", "The text, and every token with its id, its place, and the bytes and the text that it covers; for programs"],
  ["csv", "CSV", "The same tokens as a table, a row for each. In a spreadsheet, import every column as text."],
  ["html", "Web page", "The colored text in one file that opens without a network"],
];

/** @param {(format: string) => Promise<Blob>} make @param {() => ArrayLike<number>} idsShown */
export function createExport(make, idsShown) {
  const field = element("input", { type: "text", class: "mono", readonly: true, hidden: true, "aria-label": "Ids" });
  const status = element("span", { class: "quiet", role: "status" });
  const copy = button("Copy the ids", async () => {
    field.hidden = await copyText(`[${Array.from(idsShown()).join(", ")}]`, field);
    fill(status, field.hidden ? "Copied." : "Copying did not work: select the ids and copy them.");
  }, { title: "All ids in a list, as Python and JSON write it" });
  const ids = element("div", { class: "row" }, copy, field, status);
  return element("section", { class: "saving" }, element("h3", {}, "Save the tokens"), createSaveButtons("tokens", FORMATS, make).node, ids);
}
