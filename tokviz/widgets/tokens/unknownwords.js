/**
 * A notice about words that the tokenizer over words does not know, and a button to learn them.
 */

import { button, element, fill, plural } from "../shared/dom/elements.js";
import { isUnknown } from "../shared/text/speak.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */

/** @param {() => void} learn */
export function createUnknownWords(learn) {
  const node = element("div", { class: "notice", role: "status" });
  return {
    node,
    /** @param {Model} model */
    show(model) {
      const unknown = countUnknown(model);
      if (!unknown) return fill(node);
      fill(node, element("span", {}, sentenceOn(unknown)), button("Learn the words of this text", learn));
    },
  };
}

/** @param {Model} model */
export function countUnknown(model) {
  return model.special.reduce((sum, _, i) => sum + Number(isUnknown(model, i)), 0);
}

/** @param {number} unknown */
function sentenceOn(unknown) {
  const are = `${plural(unknown, "token")} here ${unknown === 1 ? "is" : "are"} <unk>`;
  return `${are}: unknown words. The vocabulary was learned from the text before you changed it.`;
}
