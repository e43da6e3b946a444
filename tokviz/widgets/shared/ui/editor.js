/**
 * The editor: a plain text box, with the colored text below it (on wide screens beside the card).
 *
 * A plain text box keeps the browser's own input methods, phone keyboards, undo, bidirectional typing and copying. The
 * colored text is separate because a line being edited has no room for marks, bytes and stripes.
 */

import { button, element, fill, press } from "../dom/elements.js";
import { showDirection, withFocus } from "../dom/fields.js";
import { keepingScroll } from "../dom/scrolling.js";
import { readEscapes, readPlainly } from "../text/escapes.js";
import { fitsBox, halfAfter, halfBefore, PART_LENGTH, partAround, sayPart } from "../text/part.js";
import { QuoteNotice, straightened } from "./quotenotice.js";
import { MAX_FILE } from "./files.js";
import { Underline } from "./underline.js";

/** Maximum characters inserted by `execCommand`, which the browser can undo but is slow: 20,000 take a second. */
const MAX_COMMAND_INSERT = 4000;
/** Maximum characters that a key, or a word of an input method, inserts. */
const MAX_TYPED = 24;
/** Characters above which a text surely fills the box, so that the box need not be sized to it. */
const TALL_LENGTH = 5000;

export class Editor {
  #on;
  #partHint;
  #isComposing = false;
  /** The source that what is composed replaces all of, though the box holds a part of it. @type {string | null} */
  #composedOver = null;
  #isRefocusing = false;
  /** Whether what is being inserted is more than a key gives. */
  #isPaste = false;
  #escapes = false;
  /** The whole source being edited; the box holds the part between `#before` and `#after`. */
  #source = "";
  #before = "";
  #after = "";
  #reading = readPlainly("");
  /** The latest change that was too large for the browser's undo. @type {{before: string, after: string} | null} */
  #largeChange = null;
  /** The last selection reported or set here, so that only the reader's own moves are reported. */
  #knownSelection = "0:0";
  #underline;
  #quotes = new QuoteNotice(() => this.#straighten());
  #part = element("span");
  #parts = element(
    "div",
    { class: "notice parts", hidden: true },
    this.#part,
    button("Earlier", () => this.#showPart(halfBefore(this.#source, this.#before.length))),
    button("Later", () => this.#showPart(halfAfter(this.#source, this.#boxEnd))),
  );

  /**
   * @param {object} on
   * @param {(reading: import("../text/escapes.js").Reading, isPaste: boolean) => void} on.change the text has changed; `isPaste`: by more than a key
   * @param {(offset: number, isTyped: boolean) => void} [on.caret] the caret is at this offset in the text: the reader has moved it, or typed
   * @param {() => void} [on.leave] focus has left the editor
   * @param {() => void} on.tooLong an insertion was rejected because it would make the text too long
   * @param {object} [says]
   * @param {string} [says.label] of the box
   * @param {string} [says.partHint] how else to come to a place in a text of which the box holds a part
   */
  constructor(on, { label = "Your text", partHint = `${press()} a token to edit there.` } = {}) {
    this.#on = on;
    this.#partHint = partHint;
    this.box = this.#createBox(label);
    this.#underline = new Underline(this.box);
    /** Notices about the text, which a page may put elsewhere. */
    this.notices = element("div", { class: "notices" }, this.#parts, this.#quotes.node);
    this.node = element("div", { class: "editing" }, this.box, this.#underline.node, this.notices);
    /** Has the class "focused" while the box has the focus: what looks like the box. */
    this.frame = this.node;
  }

  /** @param {string} label */
  #createBox(label) {
    const copy = (/** @type {ClipboardEvent} */ event) => this.#handleCopy(event);
    const box = element("textarea", {
      class: "editor mono",
      "aria-label": label,
      placeholder: "Type or paste a text",
      autocapitalize: "off",
      autocomplete: "off",
      autocorrect: "off",
      spellcheck: "false",
      rows: 3,
      beforeinput: (/** @type {InputEvent} */ event) => this.#handleBeforeInput(event),
      copy,
      cut: copy,
      input: (/** @type {InputEvent} */ event) => this.#handleInput(event),
      keydown: (/** @type {KeyboardEvent} */ event) => this.#handleKey(event),
      focus: () => this.frame.classList.add("focused"),
      blur: () => {
        if (this.#isRefocusing) return;
        this.frame.classList.remove("focused");
        this.#on.leave?.();
      },
      compositionstart: () => ([this.#isComposing, this.#composedOver] = [true, this.#isAllOfPart ? this.#source : null]),
      compositionend: () => ([this.#isComposing, this.#composedOver] = [false, null]),
    });
    for (const event of ["selectionchange", "select", "keyup", "pointerup"])
      box.addEventListener(event, () => this.#reportCaret());
    return box;
  }

  // What is in the editor

  source() {
    return this.#source;
  }

  reading() {
    return this.#reading;
  }

  escapes() {
    return this.#escapes;
  }

  /** Start and end in the source. If all of the box is selected, so is the whole source, not just the part. */
  selection() {
    const { selectionStart: start, selectionEnd: end } = this.box;
    if (this.#isAllOfPart) return [0, this.#source.length];
    return [this.#before.length + start, this.#before.length + end];
  }

  /** Whether all of the box is selected, which holds a part. */
  get #isAllOfPart() {
    const { selectionStart, selectionEnd, value } = this.box;
    return this.holdsPart && selectionStart === 0 && selectionEnd === value.length;
  }

  /**
   * Set the initial source; undo never goes back beyond it.
   *
   * @param {string} source
   * @param {boolean} escapes
   */
  begin(source, escapes) {
    this.#escapes = escapes;
    this.#putInBox(source, 0);
    this.#setSource(source);
  }

  /** @param {boolean} escapes */
  setEscapes(escapes) {
    this.#escapes = escapes;
    this.#setSource(this.#source);
    this.#on.change(this.#reading, true);
  }

  /** @param {string} lang */
  setLanguage(lang) {
    this.box.lang = lang;
  }

  /** @param {string} source */
  #setSource(source) {
    this.#source = source;
    this.box.classList.toggle("tall", source.length > TALL_LENGTH);
    showDirection(this.box, source);
    // UTF-8 can't encode lone surrogates; the server would receive U+FFFD instead.
    this.#reading = (this.#escapes ? readEscapes : readPlainly)(source.toWellFormed());
    this.#quotes.show(source);
    this.#showPartNotice();
  }

  /** @param {string} source */
  #change(source) {
    this.#setSource(source);
    this.#noteSelection();
    this.#on.change(this.#reading, this.#isPaste);
    this.#isPaste = false;
    this.#reportBefore(this.selection()[1], true);
  }

  // Input

  /** @param {InputEvent} event which has a type if it comes from a key */
  #handleInput({ inputType }) {
    if (!inputType) this.#isPaste = true;
    if (this.#composedOver !== null) {
      this.#before = this.#after = "";
      this.#largeChange = { before: this.#composedOver, after: this.box.value };
    }
    const [, caret] = this.selection();
    const source = this.#before + this.box.value + this.#after;
    const isLong = !fitsBox(this.box.value);
    if (isLong) this.#putInBox(source, caret);
    this.#change(source);
    if (isLong) this.#scrollToCaret();
  }

  /** Handle changes that the browser would make slowly, or only to the part in the box. @param {InputEvent} event */
  #handleBeforeInput(event) {
    if (event.inputType.startsWith("history")) return; // undo and redo replace nothing
    const inserted = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    this.#isPaste = inserted.length > MAX_TYPED || /^insertFrom/.test(event.inputType);
    const [start, end] = this.selection();
    if (this.#source.length - (end - start) + inserted.length > MAX_FILE) {
      event.preventDefault();
      return this.#on.tooLong();
    }
    if (this.#isComposing || (inserted.length <= MAX_COMMAND_INSERT && !this.#isAllOfPart)) return;
    event.preventDefault();
    this.#replaceLarge(start, end, event.inputType === "insertLineBreak" ? "\n" : inserted);
  }

  /** @param {ClipboardEvent} event */
  #handleCopy(event) {
    if (!this.#isAllOfPart) return;
    event.preventDefault();
    event.clipboardData?.setData("text/plain", this.#source);
    if (event.type === "cut") this.#replaceLarge(0, this.#source.length, "");
  }

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (isUndo && this.#undoLarge()) event.preventDefault();
    if (!this.holdsPart || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
    // The ends of the part in the box are not the ends of the text.
    if (event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    const end = event.key === "End" ? this.#source.length : 0;
    this.#showPart(end);
    this.box.scrollTop = end ? this.box.scrollHeight : 0;
    this.#reportBefore(end, false);
  }

  // The part of a long text that is in the box

  /** Whether the box holds only a part of a long text. */
  get holdsPart() {
    return this.#before !== "" || this.#after !== "";
  }

  /** Where the part in the box ends, in the source. */
  get #boxEnd() {
    return this.#source.length - this.#after.length;
  }

  /** Put a source into the box; of a long one, the part around the caret. @param {string} source @param {number} caret */
  #putInBox(source, caret) {
    const [start, end] = partAround(source, caret);
    this.#before = source.slice(0, start);
    this.#after = source.slice(end);
    this.box.value = source.slice(start, end);
    this.box.setSelectionRange(caret - start, caret - start);
  }

  /**
   * Scroll the box to its caret after a change that the browser did not make; the colored text scrolls there, too. Last,
   * since the browser lays out the box for it: meanwhile, what the change asks for is on its way.
   */
  #scrollToCaret() {
    this.box.scrollTop = 0;
    if (this.box.selectionStart > 0 && this.box.matches(":focus")) this.#refocus();
  }

  /** Focus the box anew: browsers scroll to a selection only then, and scroll the page as well. @param {() => void} [select] */
  #refocus(select) {
    this.#isRefocusing = true; // it is not left
    keepingScroll(this.box, () => {
      this.box.blur();
      select?.();
      this.box.focus();
    });
    this.#isRefocusing = false;
  }

  /** Show the part of a long text around an offset. @param {number} place */
  #showPart(place) {
    this.#putInBox(this.#source, Math.min(Math.max(0, place), this.#source.length));
    this.#noteSelection();
    this.box.scrollTop = 0;
    this.#showPartNotice();
  }

  #showPartNotice() {
    this.#parts.hidden = !this.holdsPart;
    if (this.#parts.hidden) return;
    const says = sayPart(this.#reading, this.#before.length, this.#boxEnd);
    fill(this.#part, `${says} ${this.#partHint}`.trimEnd());
  }

  // Selection and caret

  /**
   * Select a range of the text.
   *
   * @param {number} start
   * @param {number} end
   * @param {boolean} focus focus the editor too; browsers show a selection only in the focused element
   */
  select(start, end, focus) {
    if (this.#isComposing) return;
    const select = () => {
      this.#selectInBox(this.#reading.toSource(start), this.#reading.toSource(end));
      this.#noteSelection();
    };
    if (focus) this.#refocus(select);
    else select();
  }

  /** Underline a range of the text, as far as it is in the box; null underlines nothing. @param {[number, number] | null} range */
  point(range) {
    if (!range) return this.#underline.hide();
    const [start, end] = range.map((offset) => this.#reading.toSource(offset) - this.#before.length);
    this.#underline.show(Math.max(0, start), Math.min(this.box.value.length, end));
  }

  /** Select a range of the source, switching parts if necessary. @param {number} start @param {number} end */
  #selectInBox(start, end) {
    if (start < this.#before.length || end > this.#boxEnd) this.#showPart(start);
    this.box.setSelectionRange(start - this.#before.length, end - this.#before.length);
  }

  /** Report a caret that the reader has moved; who selects all is about to replace it. */
  #reportCaret() {
    const [start, end] = this.selection();
    const isAll = end > 0 && end - start === this.#source.length;
    if (this.#noteSelection() && this.box.matches(":focus") && !isAll) this.#on.caret?.(this.#reading.toText(start), false);
  }

  /** Report the character before the caret: the text just typed is before it. @param {number} caret in the source @param {boolean} isTyped */
  #reportBefore(caret, isTyped) {
    this.#on.caret?.(Math.max(0, this.#reading.toText(caret) - 1), isTyped);
  }

  /** Record the current selection. Returns whether it changed. */
  #noteSelection() {
    const current = this.selection().join(":");
    const hasChanged = current !== this.#knownSelection;
    this.#knownSelection = current;
    return hasChanged;
  }

  // Undoable changes

  /**
   * Replace a part of the source so that Ctrl+Z undoes it. `execCommand` is deprecated but has no successor: nothing
   * else keeps the browser's undo history. It is slow, so large changes are undone by the editor itself.
   *
   * @param {number} start
   * @param {number} end
   * @param {string} replacement
   */
  replace(start, end, replacement) {
    if (this.#isComposing || (start === end && !replacement)) return;
    withFocus(this.box, () => {
      const command = replacement ? "insertText" : "delete";
      const isShort = replacement.length <= MAX_COMMAND_INSERT && end - start <= PART_LENGTH / 2;
      if (isShort) {
        this.#selectInBox(start, end);
        // A part of many lines may end before the range does.
        if (end <= this.#boxEnd && document.execCommand(command, false, replacement)) return;
      }
      this.#replaceLarge(start, end, replacement);
    });
  }

  /** @param {number} start @param {number} end @param {string} replacement */
  #replaceLarge(start, end, replacement) {
    const before = this.#source;
    const inserted = replacement.replace(/\r\n?/g, "\n"); // as text boxes normalize line ends
    const after = before.slice(0, start) + inserted + before.slice(end);
    this.#largeChange = { before, after };
    this.#isPaste ||= inserted.length > MAX_TYPED;
    // A text that replaces everything is shown from its start.
    const isNewText = start === 0 && end === before.length;
    this.#putInBox(after, isNewText ? 0 : start + inserted.length);
    this.#change(after);
    this.#scrollToCaret();
  }

  /** @returns {boolean} whether a large change was undone */
  #undoLarge() {
    if (this.#isComposing || !this.#largeChange || this.#source !== this.#largeChange.after) return false;
    const { before } = this.#largeChange;
    this.#largeChange = null;
    this.#isPaste = true;
    this.#putInBox(before, 0);
    this.#change(before);
    this.#scrollToCaret();
    return true;
  }

  #straighten() {
    const [start, end] = this.selection(); // which stay valid: each character is replaced by one
    this.replace(0, this.#source.length, straightened(this.#source));
    this.#selectInBox(start, end);
  }
}
