/**
 * The token that is pointed at, selected or at the caret, in the text, on the card and in the editor. A click
 * opens the card; the caret doesn't, though an open one follows it.
 */

import { debounce } from "../shared/dom/elements.js";
import { tokenAt, tokenEnd } from "../shared/text/tokenization.js";

/** The caret's token is scrolled into view when typing pauses, since that makes the browser lay out the page. */
const CARET_AFTER_MS = 120;

export class Selection {
  /** The selected token. @type {number | null} */
  #selected = null;
  /** Whether the caret selected it, rather than a click. */
  #isCaretToken = false;
  /** The caret's offset in the text, until its token is selected. @type {number | null} */
  #caret = null;
  /** True from an answer until the frame in which the caret's new token is selected. */
  #isFollowing = false;
  /** Whether the caret's token is only scrolled into view, since it was typed where none was selected. */
  #isOnlySeen = false;
  /** Whether the reader has scrolled since the caret moved. */
  hasScrolled = false;
  #selectLater = debounce(() => this.#selectAtCaret({ scroll: true }), CARET_AFTER_MS);
  #frame = 0;
  #answers;
  #editor;
  #view;
  #card;
  #lead;

  /**
   * @param {object} parts
   * @param {Pick<import("./answers.js").Answers, "model" | "current">} parts.answers
   * @param {Pick<import("../shared/ui/editor.js").Editor, "select" | "point">} parts.editor
   * @param {Pick<import("../token_view/view.js").TokenView, "select" | "selected" | "highlightId" | "scrollTo" | "caretAt">} parts.view
   * @param {Pick<import("./tokencard.js").TokenCard, "isOpen" | "point" | "keep" | "set" | "loadSoon">} parts.card
   * @param {() => void} parts.lead the view is about to be scrolled to the caret's token, and the editor is to follow
   */
  constructor({ answers, editor, view, card, lead }) {
    this.#answers = answers;
    this.#editor = editor;
    this.#view = view;
    this.#card = card;
    this.#lead = lead;
  }

  // Pointing

  /** Point at a token, here and in the editor; null points at the selected one again. @param {number | null} i */
  point(i) {
    const model = this.#answers.current;
    this.#card.point(i); // first, because it measures
    this.#editor.point(model && i !== null ? [model.starts[i], tokenEnd(model, i)] : null);
    this.#highlight(i);
  }

  /** Go to a token by a key: an open card goes along. @param {number} i */
  walkTo(i) {
    if (!this.#card.isOpen) return this.point(i);
    this.#view.select(i);
    this.selectInText(i);
  }

  /** Highlight the tokens with the id of a token; null highlights those of the selected one. @param {number | null} i */
  #highlight(i) {
    const { model } = this.#answers;
    if (!model) return;
    const shown = i ?? this.#selected;
    this.#view.highlightId(shown === null ? null : model.ids[shown]);
  }

  /** Highlight the tokens with an id, and scroll to the first. Returns their number. @param {number} id */
  pointAtId(id) {
    const { model } = this.#answers;
    const first = model ? model.ids.indexOf(id) : -1;
    if (!model || first < 0) return 0;
    this.#view.highlightId(id);
    this.#view.scrollTo(first);
    return model.ids.reduce((sum, each) => sum + (each === id ? 1 : 0), 0);
  }

  // Selecting

  /** Select a token in the colored text. @param {number | null} i null if a second click deselects a token */
  selectInText(i) {
    // The caret selected the token, so this is the first click on it, which must not deselect it.
    if (i === null && this.#isCaretToken) this.#view.select((i = this.#selected));
    this.#select(i);
    if (i === null) return;
    this.#selectInEditor({ focus: false });
  }

  /** Deselect the token whose card was closed. */
  close() {
    this.#view.select(null);
    this.#select(null);
  }

  /** Deselect after the whole text was replaced; the reader has not placed the caret yet. */
  clear() {
    this.#caret = null;
    this.#select(null);
  }

  /** Select the token in the focused editor. A single click doesn't: the next key would replace it. */
  edit() {
    if (this.#selected !== null) this.#selectInEditor({ focus: true });
  }

  /** @param {number | null} i */
  #select(i) {
    if (!this.#answers.model) return;
    this.#selected = i;
    this.#isCaretToken = false;
    this.#caret = null;
    this.#isFollowing = false;
    this.#highlight(i);
    this.#view.caretAt(i);
    this.#card.keep(i);
  }

  /** @param {{focus: boolean}} how */
  #selectInEditor({ focus }) {
    const model = this.#answers.current;
    const i = this.#selected;
    if (model && i !== null) this.#editor.select(model.starts[i], tokenEnd(model, i), focus);
  }

  // New tokens

  /**
   * Update the selection and card for new tokens: select the token at the same offset if the text is the same, the
   * corresponding token if the text was edited, or none.
   *
   * @param {import("../shared/text/tokenization.js").TokenizationModel} before
   * @param {boolean} [isMoving] true if the tokens may change in every frame: the card shows what it is of when they rest
   */
  keep(before, isMoving = false) {
    const { model } = this.#answers;
    if (!model) return;
    this.#card.point(null);
    this.#view.caretAt(this.#caret === null ? null : orNull(tokenAt(model, this.#caret)));
    if (this.#caret !== null && (this.#selected !== null || this.#isFollowing)) return this.#waitForCaret();
    if (this.#selected === null) return;
    const isSameText = before.text === model.text;
    this.#selected = isSameText ? orNull(tokenAt(model, before.starts[this.#selected])) : this.#view.selected;
    this.#view.select(this.#selected);
    this.#view.caretAt(this.#selected);
    this.#highlight(null);
    if (!this.#card.isOpen) return;
    if (!isMoving || this.#selected === null) return this.#card.keep(this.#selected);
    this.#card.set(this.#selected);
    this.#card.loadSoon();
  }

  /** Until an open card follows the caret, keep it from requesting or showing a token that no longer exists. */
  #waitForCaret() {
    this.#isFollowing = true;
    this.#selected = this.#view.selected;
    this.#card.set(this.#selected);
    cancelAnimationFrame(this.#frame);
    // Without scrolling, in the frame in which the text is colored.
    this.#frame = requestAnimationFrame(() => this.#selectAtCaret({ scroll: false }));
  }

  // Following the caret

  /** @param {number} offset in the text @param {boolean} [isTyped] by typing, rather than by a key or a click */
  caretMoved(offset, isTyped = false) {
    this.#caret = offset;
    this.hasScrolled = false;
    this.#isOnlySeen = isTyped && this.#selected === null && !this.#isFollowing;
    this.followCaret();
  }

  /** Select the caret's token when typing pauses. */
  followCaret() {
    this.#selectLater.later();
  }

  /** Select the caret's token, or show where it is, if the caret was moved and its text is tokenized. @param {{scroll: boolean}} how */
  #selectAtCaret({ scroll }) {
    const model = this.#answers.current;
    if (this.#caret === null || !model) return;
    const i = orNull(tokenAt(model, this.#caret));
    if (scroll) this.#caret = null;
    this.#view.caretAt(i);
    scroll &&= !this.hasScrolled;
    if (scroll) this.#lead();
    if (this.#isOnlySeen) return void (i !== null && scroll && this.#view.scrollTo(i));
    this.#selected = i;
    this.#isCaretToken = i !== null;
    this.#isFollowing = false;
    this.#view.select(i, { scroll, focus: false });
    this.#highlight(i);
    if (this.#card.isOpen) this.#card.keep(i);
  }

  dispose() {
    this.#selectLater.cancel();
    cancelAnimationFrame(this.#frame);
  }
}

/** @param {number} i a token, -1 for none */
const orNull = (i) => (i < 0 ? null : i);
