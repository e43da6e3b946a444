/**
 * What the reader chooses: a question, which stands with its answer in a line, tokenizers, and settings.
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

/**
 * Questions with their answers in a line.
 *
 * @param {{name: string, title: string}[]} list @param {string} chosen @param {(name: string) => void} choose
 */
export function createQuestions(list, chosen, choose) {
  const rows = list.map(({ name, title }) => {
    const input = element("input", { type: "radio", name: "question", value: name, change: () => choose(name) });
    input.checked = name === chosen;
    const line = element("span", { class: "quiet" }, "…");
    return { name, line, node: element("label", {}, input, element("b", {}, title), line) };
  });
  return {
    node: element("div", { class: "questions", role: "radiogroup", "aria-label": "Question" }, ...rows.map(({ node }) => node)),
    /** @param {Record<string, string>} lines by question; those that are missing are not known yet */
    say(lines) {
      for (const { name, line } of rows) fill(line, lines[name] ?? "…");
    },
  };
}

/** Tokenizers, any number of which are chosen. @param {(names: string[]) => void} choose */
export function createTokenizers(choose) {
  const legend = element("legend", { class: "quiet" }, "Tokenizers");
  const node = element("fieldset", { class: "several" }, legend);
  /** @type {[string, HTMLInputElement][]} */
  let boxes = [];
  const change = () => choose(boxes.filter(([, { checked }]) => checked).map(([name]) => name));
  return {
    node,
    /** @param {[name: string, label: string][]} offers @param {string[]} chosen */
    show(offers, chosen) {
      if (offers.map(String).join() !== boxes.map(([name, { labels }]) => [name, labels?.[0].textContent]).join()) {
        boxes = offers.map(([name]) => [name, element("input", { type: "checkbox", change })]);
        fill(node, legend, ...boxes.map(([, box], k) => element("label", {}, box, element("span", {}, offers[k][1]))));
      }
      for (const [name, box] of boxes) box.checked = chosen.includes(name);
    },
    /** Mark tokenizers with their colors in the charts. @param {Record<string, string>} colors by name */
    color(colors) {
      for (const [name, box] of boxes) box.labels?.[0].style.setProperty("--own", colors[name] ?? "");
    },
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
