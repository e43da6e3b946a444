/**
 * The most frequent characters and words of the reader's text, and how many occur only once.
 */

import { debounce, element, fill, number, plural } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { barsOf } from "../bars.js";
import { createOwnText } from "../owntext.js";

/** @typedef {{all: number, different: number, once: number, most: [text: string, count: number][]}} Frequent */

const PAUSE_MS = 120;

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function createFrequencies(context) {
  const own = createOwnText(context, () => later.later());
  const sides = element("div", { class: "two" });
  const asking = createAsking(context, ({ characters, words }) => fill(sides, sideOf("character", characters), sideOf("word", words)));
  const node = element("div", { class: "frequencies" }, own.node, sides, asking.problem);
  const ask = () => void asking.ask({ route: "frequencies", text: own.text() });
  const later = debounce(ask, PAUSE_MS);

  return {
    node,
    value: () => "",
    show(example) {
      own.show(example);
      ask();
    },
    dispose() {
      later.cancel();
      own.dispose();
      asking.dispose();
    },
  };
}

/** @param {string} one @param {Frequent} frequent */
function sideOf(one, { all, different, once, most }) {
  return element(
    "section",
    { "aria-label": `${one}s` },
    element("h3", {}, `${plural(all, one)}, ${number(different)} different`),
    element("dl", { class: "measures-bars" }, ...barsOf(most.map(([name, value]) => ({ name, value })))),
    element("p", { class: "quiet" }, `${number(once)} of the ${number(different)} stand here only once.`),
  );
}
