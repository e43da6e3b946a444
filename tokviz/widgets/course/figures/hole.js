/**
 * Filling in the middle: the reader's text with a hole, what a model reads of it, and what it has to write.
 */

import { disposeOf, element, fill, listed, plural } from "../../shared/dom/elements.js";
import { createOwnFigure } from "../ownfigure.js";
import { namedRange } from "../player.js";
import { createTokens } from "../tokens.js";

/** @typedef {import("../tokens.js").Tokens} Tokens */
/** @typedef {{length: number, parts: [string, string, string], prompt: Tokens, answer: Tokens, whole: number, apart: number, inside: [boolean, boolean]}} Filling */

const TOKENIZER = "cl100k_base";
/** Where the hole begins and ends, in code points. */
const VALUE = /^(\d+),(\d+)$/;

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let [start, end] = [17, 24];
  const sliders = [slider("The hole begins", (to) => (start = Math.min(to, end))), slider("The hole ends", (to) => (end = Math.max(to, start)))];
  const holed = element("p", { class: "holed mono", dir: "auto" });
  const sides = [createTokens(context, "What the model reads"), createTokens(context, "What it has to write")];
  const says = element("p", { class: "says", role: "status" });
  const side = (/** @type {string} */ title, /** @type {{node: HTMLElement}} */ { node }) => element("section", {}, element("h3", {}, title), node);
  const parts = [element("div", { class: "row sliders" }, ...sliders.map(({ node }) => node)), holed, side("The model reads", sides[0]), side("It has to write", sides[1]), says];
  const figure = createOwnFigure(context, { route: "hole", parts, draw, query: () => ({ start, end }) });

  /** @param {string} label @param {(to: number) => number} take returns where it may be */
  function slider(label, take) {
    const made = namedRange(label, (to) => {
      made.input.value = String(take(to));
      figure.ask();
      context.changed();
    });
    return made;
  }

  /** @param {Filling} filling */
  function draw({ length, parts: [before, middle, after], prompt, answer, whole, apart, inside }) {
    [start, end] = [Math.min(start, length), Math.min(end, length)];
    sliders.forEach(({ input, at }, i) => {
      input.max = String(length);
      input.value = String([start, end][i]);
      fill(at, input.value);
    });
    fill(holed, before, element("mark", {}, middle || "\u200b"), after);
    sides[0].show(prompt, TOKENIZER);
    sides[1].show(answer, TOKENIZER);
    fill(says, sayHole(whole, apart, inside));
  }

  return {
    ...figure,
    value: () => `${start},${end}`,
    show(value) {
      const found = VALUE.exec(value);
      if (!found) return figure.show(value);
      [start, end] = [Number(found[1]), Number(found[2])];
      figure.ask();
    },
    dispose: disposeOf(figure, ...sides),
  };
}

/** @param {number} whole tokens of the text without a hole @param {number} apart of its three parts @param {[boolean, boolean]} inside whether the hole begins, and ends, within a token of the whole text */
export function sayHole(whole, apart, inside) {
  const ends = ["begins", "ends"].filter((_, i) => inside[i]);
  if (!ends.length) return `The hole begins and ends between tokens. ${plural(whole, "token")} as one text, ${apart} in three parts.`;
  return `The hole ${listed(ends)} within a token, so the parts have other tokens than the whole text${apart === whole ? "" : `: ${plural(apart, "token")} instead of ${whole}`}.`;
}
