/**
 * Save what is shown as a file: for programs, spreadsheets or viewing.
 */

import { problemOf } from "../net/client.js";
import { button, element, fill } from "../dom/elements.js";
import { saveFile } from "./files.js";

/** @typedef {[format: string, label: string, tooltip: string]} Format */

/**
 * Buttons that save a file, with a note of how it goes.
 *
 * @param {string} name of the files, without the extension, which is the format
 * @param {Format[]} formats
 * @param {(format: string) => Promise<Blob>} make
 */
export function createSaveButtons(name, formats, make) {
  let [isPossible, isSaving] = [true, false];
  const status = element("span", { class: "quiet", role: "status" });
  const buttons = formats.map(([format, label, tooltip]) => button(label, () => void save(format), { title: tooltip }));
  const show = () => buttons.forEach((each) => (each.disabled = isSaving || !isPossible));

  /** @param {string} format */
  async function save(format) {
    isSaving = true;
    show();
    fill(status, "making the file …");
    try {
      saveFile(`${name}.${format}`, await make(format));
      fill(status, `${name}.${format} is saved`);
    } catch (error) {
      fill(status, problemOf(error));
    }
    isSaving = false;
    show();
  }

  return {
    node: element("div", { class: "row" }, ...buttons, status),
    /** @param {boolean} isEnabled false where there is nothing to save */
    enable(isEnabled) {
      isPossible = isEnabled;
      show();
    },
  };
}

/**
 * The same under a title that unfolds them.
 *
 * @param {string} title
 * @param {string} name
 * @param {Format[]} formats
 * @param {(format: string) => Promise<Blob>} make
 */
export function createSaving(title, name, formats, make) {
  const { node } = createSaveButtons(name, formats, make);
  return { node: element("details", { class: "saving" }, element("summary", {}, title), node) };
}
