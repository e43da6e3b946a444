/**
 * The work of applying GPT-2's merges to the reader's text, by three ways: how many pairs each looks at.
 */

import { debounce, element, fill, number, plural } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { barsOf } from "../bars.js";
import { createOwnText } from "../owntext.js";

/** @typedef {{all_merges: number, lowest_first: number, new_neighbors: number, bytes: number, cut: boolean, tokens: number}} Cost */

const PAUSE_MS = 120;

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function createCost(context) {
  const own = createOwnText(context, () => later.later());
  const bars = element("dl", { class: "measures-bars" });
  const says = element("p", { class: "says" });
  const asking = createAsking(context, (answer) => draw(answer));
  const node = element("div", { class: "cost" }, own.node, bars, says, asking.problem);
  const ask = () => void asking.ask({ route: "cost", text: own.text() });
  const later = debounce(ask, PAUSE_MS);

  /** @param {Cost} cost */
  function draw(cost) {
    const { all_merges, lowest_first, new_neighbors } = cost;
    fill(bars, ...barsOf([
      { name: "merge after merge", value: all_merges },
      { name: "look at all pairs after each merge", value: lowest_first },
      { name: "look only at the new pairs", value: new_neighbors },
    ]));
    fill(says, sayCost(cost));
  }

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

/** @param {Cost} cost */
export function sayCost({ all_merges, new_neighbors, bytes, cut, tokens }) {
  const text = `${cut ? "The first " : ""}${plural(bytes, "byte")}, ${plural(tokens, "token")}.`;
  if (!new_neighbors) return `${text} No two neighbors, no work.`;
  return `${text} The first way looks at ${number(Math.round(all_merges / new_neighbors))} times as many pairs as the last.`;
}
