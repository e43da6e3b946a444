/**
 * A button that saves a file which the server makes when it is pressed.
 */

import { createClient, sentenceOf } from "../shared/client.js";
import { button, element, fill } from "../shared/elements.js";
import { saveFile } from "../shared/files.js";

/** @typedef {{base: string, label: string, id: string, file: string, explained: string}} Data */

/**
 * @param {HTMLElement} root
 * @param {Data} data `label` and `explained` as people see them; `id`: under which the server offers it; `file`: its name
 */
export function mount(root, data) {
  const client = createClient(data.base);
  const said = element("span", { class: "quiet", role: "status" });
  const save = button(data.label, () => void fetchAndSave(), { title: data.explained || null });
  const widget = element("div", { class: "tokviz download row" }, save, said);
  root.append(widget);

  async function fetchAndSave() {
    save.disabled = true;
    fill(said, "making the file …");
    const { id, file } = data;
    try {
      saveFile(file, await client.download(id));
      fill(said, `${file} is saved`);
    } catch (error) {
      fill(said, sentenceOf(error));
    }
    save.disabled = false;
  }

  return {
    /** @param {Data} newer */
    update(newer) {
      if (newer.file !== data.file) fill(said); // what was said is of another file
      data = newer;
      fill(save, data.label);
    },
    dispose() {
      widget.remove();
    },
  };
}
