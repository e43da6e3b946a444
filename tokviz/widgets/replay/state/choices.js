/**
 * The choices that the Merge replay page remembers, and their values on a fresh page.
 */

import { firstOptions } from "../input/classics.js";

/** @typedef {"apply" | "learn"} Story */
/** @typedef {{merges: number, word: string}} Tried a new word, and the number of learned merges tried on it */
/** @typedef {{text: string, tokenizer: string, special: boolean}} Shared what all pages share */

/**
 * @typedef {object} Choices
 * @property {Story} story
 * @property {"rank" | "pretoken"} order
 * @property {import("../input/options.js").LearnOptions} learn changed by the form for learning
 * @property {import("../input/options.js").LearnOptions | null} kept a training text that others are compared with
 * @property {Tried | null} tried null while a published tokenizer is applied
 * @property {import("./bookmarks.js").Steps} steps where each story opens; see `Bookmarks`
 * @property {import("../model/names.js").Writing} writing
 * @property {import("../player/player.js").Speed} speed
 * @property {boolean} predict true while the reader is the tokenizer: the next pair is asked for
 * @property {"stage" | "choices"} asks how: the reader plays the stage, where there is room, or always chooses from some pairs
 * @property {import("../stage/stage.js").Drawing} drawing
 */

/** @typedef {{name: string, kind: string}} Offered a tokenizer */

/** True if it can be shown how a tokenizer reads a text. @param {Offered} tokenizer */
export const canShow = ({ kind }) => kind !== "simple";

/** The text of all pages while nobody has written one. */
export const FIRST_TEXT = "I'll tokenize pizza 🍕!";

/** @returns {Choices} */
export function firstChoices() {
  return {
    story: "apply",
    order: "rank",
    learn: firstOptions(),
    kept: null,
    tried: null,
    steps: { apply: null, learn: 0 },
    writing: "text",
    speed: "1",
    predict: false,
    asks: "stage",
    drawing: "",
  };
}
