/**
 * The box for the reader's own text in a figure. As long as there is none, it holds an example.
 */

import { element, fill } from "../shared/dom/elements.js";
import { createTextBox } from "../shared/ui/textbox.js";

/** Longer texts are shown, but edited on the Tokens page. */
const MAX_EDITABLE = 50_000;

/**
 * @param {import("./figures.js").Context} context
 * @param {() => void} changed
 */
export function createOwnText({ readerText }, changed) {
  let example = "";
  const hint = element("span", { class: "quiet" }, );
  const box = createTextBox({ "aria-label": "Your text", rows: 2 }, (text) => (readerText.text = text), MAX_EDITABLE);
  const node = element("div", { class: "own-text" }, box.node, box.note, hint);
  const text = () => readerText.text ?? example;
  const show = () => {
    box.show(text());
    fill(hint, readerText.text === null ? "An example. Type or paste your own text over it: each box with this line will have it." : "Your text. Each box with this line has it, in all chapters.");
  };
  const forget = readerText.onChange(() => (show(), changed()));
  return {
    node,
    text,
    /** @param {string} given the example */
    show(given) {
      example = given;
      show();
    },
    dispose: forget,
  };
}
