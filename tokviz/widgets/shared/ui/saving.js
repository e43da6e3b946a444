/**
 * Save what is shown as a file: for programs, spreadsheets or viewing.
 */

import { sentenceOf } from "../net/client.js";
import { button, element, fill } from "../dom/elements.js";
import { saveFile } from "./files.js";

/**
 * @param {string} title
 * @param {string} name of the files, without the extension, which is the format
 * @param {[format: string, label: string, tooltip: string][]} formats
 * @param {(format: string) => Promise<Blob>} make
 */
export function createSaving(title, name, formats, make) {
  const status = element("span", { class: "quiet", role: "status" });
  const buttons = formats.map(([format, label, tooltip]) => button(label, () => void save(format), { title: tooltip }));
  const node = element(
    "details",
    { class: "saving" },
    element("summary", {}, title),
    element("div", { class: "row" }, ...buttons, status),
  );

  /** @param {string} format */
  async function save(format) {
    for (const each of buttons) each.disabled = true;
    fill(status, "making the file …");
    try {
      saveFile(`${name}.${format}`, await make(format));
      fill(status, `${name}.${format} is saved`);
    } catch (error) {
      fill(status, sentenceOf(error));
    }
    for (const each of buttons) each.disabled = false;
  }

  return { node };
}
