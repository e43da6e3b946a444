/**
 * What the reader chooses: a question, which stands with its answer in a line, tokenizers, and settings.
 */

import { button, element, fill, menu, toggle } from "../shared/dom/elements.js";
import { createAddingPicker } from "../shared/ui/picker.js";
import { createSegments } from "../shared/ui/segments.js";
import { shortLabel } from "./link.js";

/** @typedef {import("../shared/ui/picker.js").Offer & import("../shared/net/madetokenizers.js").Offer} Offer */

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
 * Questions, of which the chosen one has its answer in a line. All are in sight once they are wanted, or one of them is chosen.
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
  const rest = rows.slice(FEW);
  const showAll = () => {
    for (const row of rest) row.hidden = false;
    more.remove();
  };
  const more = button("More questions", () => (showAll(), rest[0].querySelector("input")?.focus()), { class: "button more" });
  for (const row of rest) row.hidden = true;
  const node = element("div", { class: "questions", role: "radiogroup", "aria-label": "Question" }, ...rows, more);
  if (rest.some((row) => row.contains(line))) showAll();
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
 * The chosen tokenizers, any number, as words of a sentence: each can be left out, and "+ tokenizer" opens the list of the
 * others.
 *
 * @param {(names: string[]) => void} choose
 * @param {Parameters<typeof createAddingPicker>[1]} connect called with the list
 */
export function createTokenizers(choose, connect) {
  /** @type {Offer[]} */
  let offers = [];
  /** @type {string[]} */
  let chosen = [];
  /** @type {Record<string, string>} */
  let colors = {};
  let shown = "";
  const slots = element("span", { class: "slots" });
  const add = (/** @type {string} */ name) => choose([...chosen, name]);
  const another = createAddingPicker(add, connect);
  const verb = element("span", { class: "quiet" });
  const node = element("div", { class: "several", role: "group", "aria-label": "Tokenizers" }, slots, another.node, verb);

  return {
    node,
    /** @param {Offer[]} newOffers @param {string[]} names */
    show(newOffers, names) {
      const now = newOffers.map(({ name, label }) => [name, label, names.includes(name)]).join();
      if (now === shown) return; // what has the focus keeps it
      shown = now;
      offers = newOffers;
      chosen = offers.map(({ name }) => name).filter((name) => names.includes(name));
      fill(slots, ...chosen.map(slot));
      fill(verb, chosen.length === 1 ? "reads" : "read");
      another.update(offers.filter(({ name }) => !chosen.includes(name)), "");
    },
    /** Mark tokenizers with their colors in the charts. @param {Record<string, string>} newColors by name */
    color(newColors) {
      colors = newColors;
      for (const [k, each] of [...slots.children].entries()) /** @type {HTMLElement} */ (each).style.setProperty("--own", colors[chosen[k]] ?? "");
    },
  };

  /** @param {string} name @param {number} place */
  function slot(name, place) {
    const label = shortLabel(/** @type {Offer} */ (offers.find((offer) => offer.name === name)));
    const remove = button("×", () => leaveOut(place), { class: "button remove", "aria-label": `Remove ${label}` });
    const before = place && place === chosen.length - 1 ? element("span", { class: "quiet" }, "and") : null;
    const made = element("span", { class: "slot" }, before, element("b", {}, label), remove);
    made.style.setProperty("--own", colors[name] ?? "");
    return made;
  }

  /** Leave out a tokenizer; the focus stays near, since its button is gone. @param {number} place */
  function leaveOut(place) {
    choose(chosen.toSpliced(place, 1));
    const buttons = slots.querySelectorAll("button");
    /** @type {HTMLElement | null} */ (buttons[Math.min(place, buttons.length - 1)] ?? another.node.querySelector("input"))?.focus();
  }
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
