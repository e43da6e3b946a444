/**
 * A text in the colors of its tokens, as a part of a figure.
 */

import { element } from "../shared/dom/elements.js";
import { makeTokenization } from "../shared/text/tokenization.js";
import { TokenView } from "../token_view/view.js";

/** @typedef {{text: string, ids: ArrayLike<number>, byte_lengths: ArrayLike<number>, special: ArrayLike<any>}} Tokens */

/** @param {string} label unique on the page */
export function createTokens(label) {
  const node = element("div", { class: "text-pane" });
  const view = new TokenView(node, { onPoint() {}, onSelect() {} }, label);
  return {
    node,
    /** @param {Tokens} tokens @param {import("../token_view/view.js").ViewOptions} [options] */
    show({ text, ids, byte_lengths, special }, options = {}) {
      const columns = { ids: Int32Array.from(ids), byte_lengths: Int32Array.from(byte_lengths), special: Uint8Array.from(special, Number) };
      view.show(makeTokenization(text, /** @type {any} */ (columns)), { isWhole: true, ...options });
    },
    dispose: () => view.dispose(),
  };
}
