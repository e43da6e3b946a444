/**
 * Save the tokens as a file: for a program, for a spreadsheet, or to look at.
 */

import { Refusal } from "../shared/client.js";
import { button, element, fill } from "../shared/elements.js";
import { saveFile } from "../shared/files.js";

/** @type {[format: string, label: string, title: string][]} */
const FORMATS = [
  ["json", "JSON", "Every token with its id, its place, its bytes and its text, for programs"],
  ["csv", "CSV", "The same as a table. In a spreadsheet, import every column as text."],
  ["html", "web page", "The colored text in one file that opens without a network"],
];

/**
 * @param {(format: string) => Promise<Blob>} make
 */
export function createExport(make) {
  const said = element("span", { class: "quiet", role: "status" });
  const buttons = FORMATS.map(([format, label, title]) => button(label, () => void save(format), { title }));
  const node = element(
    "details",
    { class: "export" },
    element("summary", {}, "Save the tokens"),
    element("div", { class: "row" }, ...buttons, said),
  );

  /** @param {string} format */
  async function save(format) {
    for (const each of buttons) each.disabled = true;
    fill(said, "making the file …");
    try {
      saveFile(`tokens.${format}`, await make(format));
      fill(said, `tokens.${format} is saved`);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      fill(said, error instanceof Refusal ? message : "Not connected: try again in a moment.");
    }
    for (const each of buttons) each.disabled = false;
  }

  return { node };
}
