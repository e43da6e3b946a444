/**
 * Tokens of a text that is not edited beside them, whole on their lines, with what there is to say of each: the one that is pointed at in a
 * bubble, the one that is pressed in a drawer.
 */

import { createCard } from "../token_view/card.js";
import { TokenView } from "../token_view/view.js";
import { TokenCard } from "./tokencard.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} TokenizationModel */

export class DetailedView {
  /** @type {TokenizationModel | null} */
  #model = null;
  #card;
  #drawn;

  /**
   * @param {HTMLElement} pane
   * @param {Pick<import("../shared/net/client.js").Client, "token" | "json">} client
   * @param {string} name of the view, unique on the page
   * @param {object} [options]
   * @param {boolean} [options.special] whether special tokens are recognized in the text
   * @param {(i: number) => HTMLElement[]} [options.says] what else there is to say of a token
   * @param {Partial<import("../token_view/view.js").Handlers>} [options.on]
   */
  constructor(pane, client, name, { special = false, says = () => [], on = {} } = {}) {
    pane.classList.add("text-pane");
    const point = (/** @type {number | null} */ i, /** @type {unknown} */ _, /** @type {boolean} */ isByKey) => (isByKey && this.#card.isOpen ? this.#walkTo(i) : this.#card.point(i));
    this.view = new TokenView(pane, { ...on, onPoint: point, onSelect: (i) => this.#card.keep(i) }, name);
    this.#drawn = createCard(pane, this.view, () => this.#close());
    const model = () => this.#model;
    const sayIn = (/** @type {number | null} */ i) => (i === null ? [] : says(i));
    this.#card = new TokenCard(
      { keep: this.#drawn.keep, point: (of, i, details) => this.#drawn.point(of, i, details, sayIn(i)) },
      client,
      { get model() { return model(); }, pretokens: null, question: () => ({ text: "", tokenizer: "", special }), askPretokens: async () => {} },
      sayIn,
    );
  }

  /** @param {TokenizationModel} model @param {import("../token_view/view.js").ViewOptions} options */
  show(model, options) {
    const isOther = model !== this.#model;
    this.#model = model;
    this.view.show(model, { isWhole: true, ...options });
    if (!isOther) return;
    this.#card.point(null);
    if (!this.#card.isOpen) return;
    const { selected } = this.view;
    if (selected === null) return this.#card.keep(null);
    this.#card.set(selected); // it is drawn when the tokens rest
    this.#card.loadSoon();
  }

  /** @param {number | null} i */
  #walkTo(i) {
    this.view.select(i);
    this.#card.keep(i);
  }

  #close() {
    this.view.select(null);
    this.#card.keep(null);
  }

  dispose() {
    for (const part of [this.#card, this.#drawn, this.view]) part.dispose();
  }
}
