/**
 * A button that saves a file, which the server creates when the button is pressed.
 */

import { Client, sentenceOf } from "../shared/net/client.js";
import { button, element, fill } from "../shared/dom/elements.js";
import { saveFile } from "../shared/ui/files.js";

/** @typedef {{base: string, label: string, id: string, file: string, explained: string}} Data */

/**
 * @param {HTMLElement} root
 * @param {Data} data `label`, `explained`: button text and tooltip; `id`: of the file on the server; `file`: its name
 */
export function mount(root, data) {
  const client = new Client(data.base);
  const status = element("span", { class: "quiet", role: "status" });
  const save = button(data.label, () => void fetchAndSave(), { title: data.explained || null });
  const widget = element("div", { class: "tokviz download row" }, save, status);
  root.append(widget);

  async function fetchAndSave() {
    save.disabled = true;
    fill(status, "making the file …");
    const { id, file } = data;
    try {
      saveFile(file, await client.download(id));
      fill(status, `${file} is saved`);
    } catch (error) {
      fill(status, sentenceOf(error));
    }
    save.disabled = false;
  }

  return {
    /** @param {Data} newer */
    update(newer) {
      if (newer.file !== data.file) fill(status); // the status was about another file
      data = newer;
      fill(save, data.label);
    },
    dispose() {
      widget.remove();
    },
  };
}
