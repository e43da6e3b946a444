/**
 * Why a segment is cut differently: for each tokenizer a sentence, and for each cause what exchanging it alone does.
 */

import { element, listed } from "../shared/dom/elements.js";
import { REASONS } from "./model.js";

/** @typedef {import("./explaining.js").Explanation} Explanation */
/** @typedef {import("./explaining.js").Reason} Reason */

/** What exchanging something between two tokenizers does to their cuts, by the server's number. */
const EFFECTS = ["changes nothing here", "changes the cut, but they still differ", "makes them agree here"];
const AGREES = 2;
const SPLIT = 2;
const NORMALIZATION = 16;

/**
 * The causes of a reason, with what exchanging each alone does. The split pattern and the normalization
 * can be exchanged alone, where that is known; all else only together.
 *
 * @param {Reason["alone"]} alone
 * @returns {{name: string, bit: number, effect: number, says: string}[]} `bit` is that of the first cause
 */
export function effectsOf(alone) {
  const effectOf = new Map(alone);
  const listed = REASONS.filter(({ bit }) => effectOf.has(bit));
  const single = [SPLIT, NORMALIZATION];
  const groups = [...single.map((one) => listed.filter(({ bit }) => bit === one)), listed.filter(({ bit }) => !single.includes(bit))];
  return groups
    .filter((group) => group.length)
    .map((group) => {
      const effect = effectOf.get(group[0].bit) ?? 0;
      const says = `swapping only ${group.length > 1 ? "these" : "this"} ${EFFECTS[effect]}`;
      return { name: group.map(({ name }) => name).join(" and "), bit: group[0].bit, effect, says };
    });
}

/**
 * The causes of a difference with a sign for what exchanging each alone does; of more than two tokenizers, for each pair.
 *
 * @param {Explanation} explanation @param {string[]} names of the tokenizers
 */
export function drawSigns({ reasons }, names) {
  return reasons.flatMap((reason, k) => {
    if (!reason) return [];
    const causes = effectsOf(reason.alone).map(({ name, effect }) => element("div", {}, signOf(effect), ` ${name}`));
    return [element("div", {}, names.length > 2 && `${names[k + 1]}:`, ...causes)];
  });
}

/** What the signs mean. */
export function createSignLegend() {
  const meanings = EFFECTS.map((effect, k) => element("span", {}, signOf(k), ` ${effect}`));
  return element("p", { class: "row quiet signs" }, "Swapping only this:", ...meanings);
}

/** @param {number} effect */
const signOf = (effect) => element("i", { class: `effect effect-${effect}`, role: "img", "aria-label": `(${EFFECTS[effect]})` });

/**
 * What only the split pattern and all else together do; "" if one alone is enough, or if that is not known.
 *
 * @param {{bit: number, effect: number}[]} effects
 */
export function sayTogether(effects) {
  const isEnough = effects.some(({ effect }) => effect === AGREES);
  const isKnown = effects.length === 2 && effects[0].bit === SPLIT && effects[1].bit !== NORMALIZATION;
  return isEnough || !isKnown ? "" : "Only both swaps together make them agree.";
}

/**
 * @param {Explanation} explanation
 * @param {string[]} names of the tokenizers
 * @param {import("./folds.js").Folds} folds remember whether the whole explanations are in sight
 * @returns {HTMLElement[]} each different reason in plain words, with its causes as tags, which open to the whole explanation
 */
export function drawCauses({ reasons }, names, folds) {
  const known = reasons.flatMap((reason, k) => (reason ? [{ reason, other: names[k + 1] }] : []));
  return [...Map.groupBy(known, ({ reason, other }) => reason.plain.replaceAll(other, "")).values()].map((alike) => {
    const [{ reason }, ...others] = alike;
    const title = names.length > 2 && element("h3", {}, `${names[0]} and ${alike.map(({ other }) => other).join(", ")}`);
    const unnamed = others.filter((each) => each.reason.plain !== reason.plain).map(({ other }) => other);
    const plain = unnamed.length ? `${reason.plain} The same with ${listed(unnamed)}.` : reason.plain;
    const whole = drawWhole([...new Map(alike.map((each) => [each.reason.sentence, each.reason])).values()], folds);
    return element("section", { class: "reason" }, title, element("p", { class: "plain" }, ...quoting(plain)), whole);
  });
}

/** @param {Reason[]} reasons with the same causes @param {import("./folds.js").Folds} folds */
function drawWhole(reasons, folds) {
  const tags = REASONS.filter(({ bit }) => reasons[0].reasons & bit).map(({ name, says }) => element("span", { class: "tag", title: says }, name));
  const content = reasons.flatMap(({ sentence, alone }) => {
    const effects = effectsOf(alone);
    return [
      element("p", { class: "sentence" }, ...quoting(sentence)),
      element("ul", { class: "causes" }, ...effects.map(drawEffect)),
      sayTogether(effects) && element("p", { class: "quiet" }, sayTogether(effects)),
    ];
  });
  /** @type {HTMLDetailsElement} */
  const whole = element("details", { open: folds.isOpen("why"), toggle: () => folds.remember("why", whole.open) }, element("summary", {}, ...tags, element("span", { class: "whole" }, "In full")), ...content);
  return whole;
}

/** @param {{name: string, effect: number, says: string}} effect */
function drawEffect({ name, effect, says }) {
  const sign = element("i", { class: `effect effect-${effect}`, "aria-hidden": "true" });
  return element("li", {}, sign, element("span", {}, element("b", {}, name), ": ", says));
}

/**
 * Isolate the direction of each quoted piece in a sentence, so that Arabic pieces stay in order.
 *
 * @param {string} sentence
 * @returns {(Node | string)[]}
 */
export function quoting(sentence) {
  const parts = sentence.split(/(?<=“)([^”]*)(?=”)/);
  return parts.map((part, k) => (k % 2 ? element("bdi", {}, part) : part));
}
