/**
 * The legend of what is drawn on the stage; and while symbols are written as letters, which pair each of them stands for,
 * so far. And the glossary of the player's terms.
 */

import { element, fill } from "../../shared/dom/elements.js";
import { saySigns } from "../../shared/text/invisibles.js";
import { nameOf } from "../model/names.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../stage/stage.js").Look} Look */

/**
 * What may be explained, and when it is drawn.
 *
 * @type {[kind: string, says: string, isDrawn: (look: Look) => boolean][]}
 */
const SIGNS = [
  ["next", "joined next", ({ k, isDone, isPlayed }) => k >= 0 && !isDone && !isPlayed],
  ["new", "just joined", ({ k }) => k > 0],
  ["made", "joined before", ({ k, isTower }) => k > (isTower ? 0 : 1)],
  ["number", "number in a block: its merge", ({ k, isTower, isCompact }) => k > 0 && isTower && !isCompact],
  ["id", "number beneath a token: its id", ({ isTower, isDone }) => isTower && isDone],
  ["signs", "", ({ text }) => saySigns(text) !== ""],
  ["tints", "tints only tell neighbors apart", ({ k }) => k > 0],
];

/** Create the legend of what is drawn on a stage. @param {string[]} [kinds] of what, if not of all */
export function createLegend(kinds = SIGNS.map(([kind]) => kind)) {
  const signs = SIGNS.filter(([kind]) => kinds.includes(kind)).map(([kind, says, isDrawn]) => {
    const sign = ["next", "new", "made"].includes(kind) && element("i", { class: `sign ${kind}` });
    return { node: element("span", { class: kind === "signs" ? "of-signs legend" : `of-${kind}` }, sign, says), isDrawn };
  });
  return {
    node: element("p", { class: "signs" }, ...signs.map(({ node }) => node)),
    /** @param {Look} look */
    show(look) {
      for (const { node, isDrawn } of signs) {
        node.hidden = !isDrawn(look);
        if (node.matches(".of-signs")) fill(node, saySigns(look.text));
      }
    },
  };
}

export function createLettersKey() {
  const node = element("p", { class: "letters-key", hidden: true, role: "note", "aria-label": "Letters" });
  return {
    node,
    /** @param {Replay} replay @param {number} k @param {import("../model/names.js").Writing} writing */
    show(replay, k, writing) {
      node.hidden = writing !== "letters" || k < 0;
      if (!node.hidden) fill(node, ...lettersAt(replay, k).map((entry) => element("code", { class: "chip" }, entry)));
    },
  };
}

/**
 * What the letters of the first k merges stand for.
 *
 * @param {Replay} replay
 * @param {number} k
 * @returns {string[]} "Z = aa"; later letters may be made of earlier ones
 */
export function lettersAt(replay, k) {
  const name = (/** @type {number} */ id) => nameOf(replay, id, "letters");
  const { lefts, rights, newIds } = replay;
  return Array.from({ length: k }, (_, step) => `${name(newIds[step])} = ${name(lefts[step])}${name(rights[step])}`);
}

/** Terms that the player uses. */
const TERMS = ["symbol", "pair", "merge", "rank", "pre-token", "tie", "vocabulary"];

/** Create the glossary, which is collapsed at first. */
export function createTerms() {
  const list = element("dl");
  const show = async () => {
    const { meaningOf } = await import("../../shared/text/glossary.js");
    fill(list, ...TERMS.flatMap((term) => [element("dt", {}, term), element("dd", {}, meaningOf(term))]));
  };
  return element("details", { class: "terms", toggle: () => void show() }, element("summary", {}, "What do the words mean?"), list);
}
