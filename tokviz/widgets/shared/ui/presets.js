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
  const placeholder = element("option", { value: "" }, "Texts");
  const select = element("select", { change: () => select.value && onChoose(select.value) }, placeholder, ...groupsOf(samples, kinds));
  const node = element("label", { class: "menu presets" }, element("span", { class: "unseen" }, "Examples"), select);
  return {
    node,
    /** @param {string} name the unmodified sample in the editor, or "" */
    show(name) {
      select.value = name;
    },
  };
}

/**
 * Options of a menu for the sample texts, grouped by kind.
 *
 * @param {{name: string, title: string, kind: string}[]} samples @param {Record<string, string>} kinds @returns {HTMLElement[]}
 */
export function groupsOf(samples, kinds) {
  return Object.entries(kinds).map(([kind, label]) => groupOf(label, samples.filter((sample) => sample.kind === kind)));
}

/** A group of options. @param {string} label @param {{name: string, title: string}[]} samples @returns {HTMLElement} */
export const groupOf = (label, samples) => element("optgroup", { label }, ...samples.map(({ name, title }) => element("option", { value: name }, title)));
