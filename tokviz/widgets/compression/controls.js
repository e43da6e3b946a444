/**
 * What the reader chooses: a question, which stands with its answer in a line, and settings.
 */

import { element, fill, menu, toggle } from "../shared/dom/elements.js";
import { createSegments } from "../shared/ui/segments.js";

/** @typedef {{value: string, label: string}} Option */

/**
 * @typedef {object} Field a setting
 * @property {string} name
 * @property {"segments" | "select" | "number" | "switch"} kind
 * @property {string} label
 * @property {Option[]} [options]
 * @property {any} value
 * @property {string} [hint]
 * @property {[least: number, most: number]} [bounds] of a number
 */

/** Questions that are in sight at first. */
const FEW = 4;

/**
 * Questions, of which the chosen one has its answer in a line. Most are in a fold, unless one of them is chosen.
 *
 * @param {{name: string, title: string}[]} list @param {string} chosen @param {(name: string) => void} choose
 */
export function createQuestions(list, chosen, choose) {
  const line = element("span", { class: "quiet" }, "…");
  const rows = list.map(({ name, title }) => {
    const select = () => (row.append(line), fill(line, "…"), choose(name));
    const input = element("input", { type: "radio", name: "question", value: name, change: select });
    const row = element("label", {}, input, element("b", {}, title), name === chosen && line);
    input.checked = name === chosen;
    return row;
  });
  const open = rows.slice(FEW).some((row) => row.contains(line));
  const more = element("details", { class: "more", open }, element("summary", {}, "More questions"), element("div", { class: "asks" }, ...rows.slice(FEW)));
  const node = element("div", { class: "questions asks", role: "radiogroup", "aria-label": "Question" }, ...rows.slice(0, FEW), more);
  return {
    node,
    /** The chosen question. */
    get chosen() {
      return line.previousSibling?.textContent;
    },
    /** @param {string} answer to the chosen question */
    say: (answer) => fill(line, answer),
  };
}

/**
 * Draw settings anew; the one that has the focus keeps it.
 *
 * @param {HTMLElement} node @param {Field[]} fields @param {(name: string, value: any) => void} choose
 */
export function showFields(node, fields, choose) {
  const focused = /** @type {ShadowRoot} */ (node.getRootNode()).activeElement?.closest("[data-field]");
  const key = node.contains(focused ?? null) && focused?.getAttribute("data-field");
  fill(node, ...fields.map((field) => {
    const built = build(field, (value) => choose(field.name, value));
    built.dataset.field = field.name;
    return built;
  }));
  node.hidden = !fields.length;
  const kept = key && node.querySelector(`[data-field="${CSS.escape(key)}"]`);
  if (kept) /** @type {HTMLElement | null} */ (kept.querySelector("select, input:checked, input"))?.focus({ preventScroll: true });
}

/** @param {Field} field @param {(value: any) => void} set @returns {HTMLElement} */
function build(field, set) {
  const { kind, label, value } = field;
  /** @type {[string, string][]} */
  const options = (field.options ?? []).map((option) => [option.value, option.label]);
  if (kind === "number") return numberField(field, set);
  if (kind === "switch") return toggle(label, value, set, field.hint).node;
  if (kind === "select") return menu(label, options, value, set).node;
  return element("div", { class: "menu" }, element("span", { "aria-hidden": "true" }, label), createSegments(label, options, value, set).node);
}

/** @param {Field} field @param {(value: number) => void} set */
function numberField({ label, value, bounds = [1, 1e9] }, set) {
  const input = element("input", { type: "number", min: bounds[0], max: bounds[1], step: 1, value, change });
  return element("label", { class: "menu" }, element("span", {}, label), input);

  function change() {
    const entered = Math.round(Number(input.value));
    const kept = Number.isFinite(entered) ? Math.max(bounds[0], Math.min(bounds[1], entered)) : value;
    input.value = String(kept);
    set(kept);
  }
}
