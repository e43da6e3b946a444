/**
 * A text in the colors of its tokens, as a part of a figure, with what there is to say of each.
 */

import { element } from "../shared/dom/elements.js";
import { makeTokenization, WORDS } from "../shared/text/tokenization.js";
import { DetailedView } from "../tokens/details.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {{text: string, ids: ArrayLike<number>, byte_lengths: ArrayLike<number>, special: ArrayLike<any>}} Tokens */

/** @param {Tokens} tokens @param {string | null} tokenizer whose they are; null if the server knows nothing of it @returns {Model} */
export function modelOf({ text, ids, byte_lengths, special }, tokenizer) {
  const columns = { ids: Int32Array.from(ids), byte_lengths: Int32Array.from(byte_lengths), special: Uint8Array.from(special, Number) };
  return makeTokenization(text, { ...columns, meta: { tokenizer: tokenizer ?? WORDS } });
}

/**
 * @param {Pick<import("./figures.js").Context, "client">} context
 * @param {string} label unique on the page
 * @param {(id: number) => HTMLElement[]} [says] what there is to say of a token that the server knows nothing of
 */
export function createTokens({ client }, label, says = () => []) {
  const node = element("div");
  /** @type {Model} */
  let model;
  const view = new DetailedView(node, client, label, { says: (i) => says(model.ids[i]) });
  return {
    node,
    /** @param {Tokens} tokens @param {string | null} tokenizer @param {import("../token_view/view.js").ViewOptions} [options] */
    show(tokens, tokenizer, options = {}) {
      model = modelOf(tokens, tokenizer);
      view.show(model, options);
    },
    dispose: () => view.dispose(),
  };
}
