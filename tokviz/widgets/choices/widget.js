/**
 * Choices of a page that Streamlit draws: the questions with their answers, tokenizers, and settings, in the look of
 * all other pages. The session learns of each choice, and some are kept in the address.
 */

import { element, fill, menu, toggle } from "../shared/dom/elements.js";
import { followPresenting } from "../shared/page/presented.js";
import { createSegments } from "../shared/ui/segments.js";
import { queryOf } from "./address.js";

/**
 * @typedef {object} Option
 * @property {string} value
 * @property {string} label
 * @property {string} [note] a line beneath the label
 */

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {"questions" | "several" | "segments" | "select" | "number" | "switch"} kind
 * @property {string} label
 * @property {Option[]} [options]
 * @property {any} value
 * @property {string} [hint]
 * @property {[least: number, most: number]} [bounds] of a number
 * @property {import("./address.js").Kept} [address] how the choice is kept in the address
 */

let made = 0;

/**
 * @param {HTMLElement} root
 * @param {{fields: Field[]}} data
 * @param {{state: (values: Record<string, any>) => void}} on
 */
export function mount(root, data, on) {
  const node = element("div", { class: "tokviz choices" });
  /** The values that the session sent last, by field. @type {Record<string, string>} */
  let sent = {};
  /** @type {Record<string, any>} */
  const values = {};
  root.append(node);
  const presenting = followPresenting(node);
  show(data);

  /** @param {{fields: Field[]}} newer */
  function show({ fields }) {
    const focused = /** @type {HTMLElement | null} */ (/** @type {ShadowRoot} */ (node.getRootNode()).activeElement);
    const key = focused?.dataset.key;
    for (const { name, value } of fields) {
      // A choice made here is newer than what the session says, unless that has changed.
      if (sent[name] !== JSON.stringify(value)) values[name] = value;
    }
    sent = Object.fromEntries(fields.map(({ name, value }) => [name, JSON.stringify(value)]));
    fill(node, ...fields.map((field) => build(field, values[field.name], choose)));
    if (key) /** @type {HTMLElement | null} */ (node.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus({ preventScroll: true });
    keepInAddress(fields);

    /** @param {string} name @param {any} value */
    function choose(name, value) {
      values[name] = value;
      keepInAddress(fields);
      // With the time, since the same choice may be made again after a link has made another.
      on.state({ ...values, at: Date.now() });
    }
  }

  /** @param {Field[]} fields */
  function keepInAddress(fields) {
    const query = queryOf(location.search, fields, values);
    if (query !== location.search) history.replaceState(history.state, "", `${location.pathname}${query}${location.hash}`);
  }

  return {
    /** @param {{fields: Field[]}} newer */
    update: (newer) => show(newer),
    dispose() {
      presenting.dispose();
      node.remove();
    },
  };
}

/** @param {Field} field @param {any} value @param {(name: string, value: any) => void} choose */
function build(field, value, choose) {
  const { name, kind, label, hint = "" } = field;
  const options = field.options ?? [];
  const set = (/** @type {any} */ chosen) => choose(name, chosen);
  if (kind === "questions") return questions(field, value, (chosen) => (set(chosen), showAnswer()));
  if (kind === "several") return several(field, value, set);
  if (kind === "number") return numberField(field, value, set);
  if (kind === "switch") return toggle(label, value, set, hint).node;
  if (kind === "select") return menu(label, options.map((option) => [option.value, option.label]), value, set).node;
  const segments = createSegments(label, options.map((option) => [option.value, option.label]), value, set);
  return element("div", { class: "menu" }, element("span", { "aria-hidden": "true" }, label), segments.node);
}

/** On a narrow screen, the answers are beneath all questions. */
function showAnswer() {
  const answer = document.querySelector(".st-key-answers [data-testid=stColumn]:last-of-type");
  if (!answer || answer.getBoundingClientRect().top < innerHeight / 2) return;
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  answer.scrollIntoView({ block: "start", behavior: isStill ? "auto" : "smooth" });
}

/** @param {Field} field @param {string} value @param {(value: string) => void} set */
function questions({ name, label, options = [] }, value, set) {
  const group = `choices-${made++}`;
  const rows = options.map((option) => {
    const key = `${name} ${option.value}`;
    const input = element("input", { type: "radio", name: group, value: option.value, "data-key": key, change: () => set(option.value) });
    input.checked = option.value === value;
    return element("label", {}, input, element("b", {}, option.label), element("span", { class: "quiet" }, option.note || "…"));
  });
  return element("div", { class: "questions", role: "radiogroup", "aria-label": label }, ...rows);
}

/** @param {Field} field @param {string[]} value @param {(value: string[]) => void} set */
function several({ name, label, options = [] }, value, set) {
  const chosen = new Set(value);
  const boxes = options.map((option) => {
    const input = element("input", { type: "checkbox", "data-key": `${name} ${option.value}`, change });
    input.checked = chosen.has(option.value);
    return element("label", {}, input, element("span", {}, option.label));

    function change() {
      if (input.checked) chosen.add(option.value);
      else chosen.delete(option.value);
      set(options.map((each) => each.value).filter((each) => chosen.has(each)));
    }
  });
  return element("fieldset", { class: "several" }, element("legend", { class: "quiet" }, label), ...boxes);
}

/** @param {Field} field @param {number} value @param {(value: number) => void} set */
function numberField({ name, label, bounds = [1, 1e9] }, value, set) {
  const input = element("input", { type: "number", min: bounds[0], max: bounds[1], step: 1, value, "data-key": name, change });
  return element("label", { class: "menu" }, element("span", {}, label), input);

  function change() {
    const entered = Math.round(Number(input.value));
    const kept = Number.isFinite(entered) ? Math.max(bounds[0], Math.min(bounds[1], entered)) : value;
    input.value = String(kept);
    set(kept);
  }
}
