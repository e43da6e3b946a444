/**
 * A figure about the reader's own text, which the server is asked about as it is typed.
 */

import { debounce, disposeOf, element } from "../shared/dom/elements.js";
import { createAsking } from "./asking.js";
import { createOwnText } from "./owntext.js";

const PAUSE_MS = 120;

/**
 * @param {import("./figures.js").Context} context
 * @param {object} what
 * @param {string} what.route also the class of the figure
 * @param {Node[]} what.parts what stands beneath the text
 * @param {(answer: any) => void} what.draw
 * @param {() => Record<string, any>} [what.query] options
 * @returns {import("./figures.js").Figure & {ask: () => void}} its value is the example that is shown as long as the reader has no text
 */
export function createOwnFigure(context, { route, parts, draw, query = () => ({}) }) {
  const own = createOwnText(context, () => later.later());
  const asking = createAsking(context, draw);
  const ask = () => void asking.ask({ route, text: own.text(), query: query() });
  const later = debounce(ask, PAUSE_MS);
  return {
    node: element("div", { class: route }, own.node, ...parts, asking.problem),
    ask,
    value: () => "",
    show(example) {
      own.show(example);
      later.cancel();
      ask();
    },
    dispose: disposeOf(later, own, asking),
  };
}
