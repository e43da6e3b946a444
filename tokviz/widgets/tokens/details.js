/**
 * What there is to say of tokens of a text that is not edited beside them: of the one that is pointed at in a bubble, of the
 * one that is pressed in a drawer.
 */

import { createCard } from "../token_view/card.js";
import { TokenView } from "../token_view/view.js";
import { TokenCard } from "./tokencard.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} TokenizationModel */
/** @typedef {Pick<import("../shared/net/client.js").Client, "token" | "json">} Client */

/**
 * @typedef {object} DetailsOptions
 * @property {boolean} [special] whether special tokens are recognized in the text
 * @property {(i: number) => HTMLElement[]} [says] what else there is to say of a token
 */

export class TokenDetails {
  #card;
  #drawn;
  #view;

  /**
   * @param {HTMLElement} pane around the view
   * @param {import("../token_view/card.js").Shown & Pick<TokenView, "select" | "selected">} view
   * @param {Client} client
   * @param {() => TokenizationModel | null} model of the tokens in the view
   * @param {DetailsOptions} [options]
   */
  constructor(pane, view, client, model, { special = false, says = () => [] } = {}) {
    pane.classList.add("text-pane");
    this.#view = view;
    this.#drawn = createCard(pane, view, () => this.#select(null));
    const sayIn = (/** @type {number | null} */ i) => (i === null ? [] : says(i));
    this.#card = new TokenCard(
      { keep: this.#drawn.keep, point: (of, i, details) => this.#drawn.point(of, i, details, sayIn(i)) },
      client,
      { get model() { return model(); }, pretokens: null, question: () => ({ text: "", tokenizer: "", special }), askPretokens: async () => {} },
      sayIn,
    );
  }

  /** Say what a token is: in the drawer, if it is open and a key went there. @param {number | null} i @param {boolean} isByKey */
  point(i, isByKey) {
    if (isByKey && this.#card.isOpen) this.#select(i);
    else this.#card.point(i);
  }

  /** Say it in the drawer. @param {number | null} i null closes it */
  keep(i) {
    this.#card.keep(i);
  }

  /** The view has other tokens. */
  renew() {
    this.#card.point(null);
    if (!this.#card.isOpen) return;
    const { selected } = this.#view;
    if (selected === null) return this.#card.keep(null);
    this.#card.set(selected); // it is drawn when the tokens rest
    this.#card.loadSoon();
  }

  /** @param {number | null} i */
  #select(i) {
    this.#view.select(i);
    this.#card.keep(i);
  }

  dispose() {
    this.#card.dispose();
    this.#drawn.dispose();
  }
}

/** A view of tokens, whole on their lines, with what there is to say of each. */
export class DetailedView {
  /** @type {TokenizationModel | null} */
  #model = null;
  /** @type {TokenDetails} */
  #details;

  /**
   * @param {HTMLElement} pane
   * @param {Client} client
   * @param {string} name of the view, unique on the page
   * @param {DetailsOptions & {on?: Partial<import("../token_view/view.js").Handlers>}} [options]
   */
  constructor(pane, client, name, { on = {}, ...options } = {}) {
    this.view = new TokenView(pane, { ...on, onPoint: (i, _, isByKey) => this.#details.point(i, isByKey), onSelect: (i) => this.#details.keep(i) }, name);
    this.#details = new TokenDetails(pane, this.view, client, () => this.#model, options);
  }

  /** @param {TokenizationModel} model @param {import("../token_view/view.js").ViewOptions} options */
  show(model, options) {
    const isOther = model !== this.#model;
    this.#model = model;
    this.view.show(model, { isWhole: true, ...options });
    if (isOther) this.#details.renew();
  }

  dispose() {
    this.#details.dispose();
    this.view.dispose();
  }
}
