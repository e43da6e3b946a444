/**
 * Menu of the sample texts, grouped by kind.
 */

import { element } from "../dom/elements.js";

/**
 * @param {{name: string, title: string, kind: string}[]} samples
 * @param {Record<string, string>} kinds the groups' headings
 * @param {(name: string) => void} onChoose
 */
export function createPresets(samples, kinds, onChoose) {
  const groups = Object.entries(kinds).map(([kind, label]) =>
    element("optgroup", { label }, ...samples.filter((sample) => sample.kind === kind).map(option)),
  );
  const placeholder = element("option", { value: "" }, "choose a text");
  const select = element("select", { change: () => select.value && onChoose(select.value) }, placeholder, ...groups);
  const node = element("label", { class: "menu presets" }, element("span", {}, "Examples"), select);
  return {
    node,
    /** @param {string} name the unmodified sample in the editor, or "" */
    show(name) {
      select.value = name;
    },
  };
}

/** @param {{name: string, title: string}} sample */
const option = ({ name, title }) => element("option", { value: name }, title);
