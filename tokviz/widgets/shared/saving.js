/**
 * Save what is shown as a file: for a program, for a spreadsheet, or to look at.
 */

import { sentenceOf } from "./client.js";
import { button, element, fill } from "./elements.js";
import { saveFile } from "./files.js";

/**
 * @param {string} title
 * @param {string} name of the files, whose ending is the format
 * @param {[format: string, label: string, says: string][]} formats
 * @param {(format: string) => Promise<Blob>} make
 */
export function createSaving(title, name, formats, make) {
  const said = element("span", { class: "quiet", role: "status" });
  const buttons = formats.map(([format, label, says]) => button(label, () => void save(format), { title: says }));
  const node = element(
    "details",
    { class: "saving" },
    element("summary", {}, title),
    element("div", { class: "row" }, ...buttons, said),
  );

  /** @param {string} format */
  async function save(format) {
    for (const each of buttons) each.disabled = true;
    fill(said, "making the file …");
    try {
      saveFile(`${name}.${format}`, await make(format));
      fill(said, `${name}.${format} is saved`);
    } catch (error) {
      fill(said, sentenceOf(error));
    }
    for (const each of buttons) each.disabled = false;
  }

  return { node };
}
