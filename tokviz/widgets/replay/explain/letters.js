/**
 * The key of the letters mode: which pair each letter stands for, so far. It is next to the stage while symbols are
 * written as letters.
 */

import { element, fill } from "../../shared/dom/elements.js";
import { nameOf } from "../model/names.js";

/** @typedef {import("../model/replay.js").Replay} Replay */

export function createLettersKey() {
  const node = element("p", { class: "letters-key", hidden: true, role: "note", "aria-label": "Letters" });
  return {
    node,
    /** @param {Replay} replay @param {number} k @param {import("../model/names.js").Writing} writing */
    show(replay, k, writing) {
      node.hidden = writing !== "letters" || k < 0;
      if (!node.hidden) fill(node, ...lettersAt(replay, k).map((entry) => element("code", {}, entry)));
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
