/**
 * The editor: a plain text box, with the colored text standing beneath it (on wide screens beside the card).
 *
 * Plain, and not an editable colored text, so that input methods, phone keyboards, undo, bidirectional typing and
 * copying stay the browser's own; and beneath, so that the colored text can show marks, bytes and stripes that a line
 * being edited has no room for.
 */

import { button, element, fill, plural } from "../shared/elements.js";
import { readEscapes, readPlainly, writeEscapes } from "./escapes.js";

const CURLY_QUOTES = /[‘’‚‛“”„‟]/g;
const CURLY_SINGLE = /[‘’‚‛]/;

/** Beyond this many characters an insertion that the browser itself can undo takes it too long: 20,000 take a second. */
const INSERTED_BY_COMMAND = 4000;

/** @typedef {import("./escapes.js").Reading} Reading */

/**
 * @param {object} on
 * @param {(reading: Reading) => void} on.change the text has changed
 * @param {(offset: number) => void} on.caret the reader has moved the caret, to this place in the text
 * @param {() => void} on.leave focus has left the editor
 */
export function createEditor(on) {
  let composing = false;
  let escapes = false;
  let reading = readPlainly("");
  /** The newest change that was too large for the browser's own undo. @type {{before: string, after: string} | null} */
  let large = null;
  /** The selection that was last reported or made here, so that only the reader's own moves are told. */
  let knownSelection = "0:0";

  const box = element("textarea", {
    class: "editor mono",
    "aria-label": "Your text",
    placeholder: "Type or paste a text",
    autocapitalize: "off",
    autocomplete: "off",
    autocorrect: "off",
    spellcheck: "false",
    dir: "auto",
    rows: 3,
    input: changed,
    keydown: pressed,
    blur: on.leave,
    compositionstart: () => (composing = true),
    compositionend: () => (composing = false),
  });
  for (const event of ["selectionchange", "select", "keyup", "pointerup"]) box.addEventListener(event, moved);

  const notice = element("div", { class: "notice", role: "status" });
  const node = element("div", { class: "editing" }, box, notice);

  function changed() {
    read();
    noteSelection();
    on.change(reading);
    // What was just typed stands in front of the caret.
    on.caret(Math.max(0, reading.toText(box.selectionEnd) - 1));
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (isUndo && undoLarge()) event.preventDefault();
  }

  /** @returns {boolean} whether there was one to undo */
  function undoLarge() {
    if (composing || !large || box.value !== large.after) return false;
    box.value = large.before;
    large = null;
    changed();
    return true;
  }

  function read() {
    // UTF-8 has no lone surrogates: the server would see U+FFFD in their place.
    reading = (escapes ? readEscapes : readPlainly)(box.value.toWellFormed());
    showNotice();
  }

  function moved() {
    if (noteSelection() && box.matches(":focus")) on.caret(reading.toText(box.selectionStart));
  }

  /** Whether the selection is another than was known. */
  function noteSelection() {
    const selection = `${box.selectionStart}:${box.selectionEnd}`;
    const isNew = selection !== knownSelection;
    knownSelection = selection;
    return isNew;
  }

  function showNotice() {
    const quotes = box.value.match(CURLY_QUOTES)?.length ?? 0;
    if (!quotes) return fill(notice);
    if (notice.dataset.quotes === String(quotes) && notice.firstChild) return;
    notice.dataset.quotes = String(quotes);
    const says = `${plural(quotes, "curly quote")}: to a tokenizer, don’t and don't are different texts.`;
    fill(notice, element("span", {}, says), button("make straight", straighten));
  }

  function straighten() {
    // One character becomes one character, so the caret's place stays right.
    const { selectionStart, selectionEnd } = box;
    const straight = box.value.replace(CURLY_QUOTES, (/** @type {string} */ quote) =>
      CURLY_SINGLE.test(quote) ? "'" : '"',
    );
    replace(0, box.value.length, straight);
    box.setSelectionRange(selectionStart, selectionEnd);
  }

  /**
   * Replace a part of the source so that Ctrl+Z takes it back. `execCommand` is deprecated and without a successor:
   * nothing else keeps the browser's own undo. It is slow, so large changes are kept here to be undone.
   *
   * @param {number} start
   * @param {number} end
   * @param {string} replacement
   */
  function replace(start, end, replacement) {
    if (composing || (start === end && !replacement)) return;
    focusing(() => {
      box.setSelectionRange(start, end);
      const command = replacement ? "insertText" : "delete";
      if (replacement.length <= INSERTED_BY_COMMAND && document.execCommand(command, false, replacement)) return;
      const before = box.value;
      box.setRangeText(replacement, start, end, "end");
      large = { before, after: box.value };
      changed();
    });
  }

  /** Do something that needs focus in the editor, and leave it there, but for phones, whose keyboard would pop up. */
  function focusing(/** @type {() => void} */ work) {
    const before = /** @type {Document | ShadowRoot} */ (box.getRootNode()).activeElement;
    box.focus({ preventScroll: true });
    work();
    if (matchMedia("(pointer: coarse)").matches && before !== box) {
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
      else box.blur();
    }
  }

  return {
    node,
    box,
    source: () => box.value,
    reading: () => reading,
    escapes: () => escapes,
    /** @returns {[start: number, end: number]} in the source */
    selection: () => [box.selectionStart, box.selectionEnd],
    replace,

    undo() {
      focusing(() => undoLarge() || document.execCommand("undo"));
    },

    /**
     * Begin with a source; nothing can be undone to before it.
     *
     * @param {string} source
     * @param {boolean} withEscapes
     */
    begin(source, withEscapes) {
      escapes = withEscapes;
      box.value = source;
      read();
    },

    /** @param {boolean} withEscapes */
    setEscapes(withEscapes) {
      escapes = withEscapes;
      read();
      on.change(reading);
    },

    /** @param {string} lang */
    setLanguage(lang) {
      box.lang = lang;
    },

    /**
     * Select a stretch of the text.
     *
     * @param {number} start
     * @param {number} end
     * @param {boolean} focus go to the editor as well; browsers show a selection only where focus is
     */
    select(start, end, focus) {
      if (composing) return;
      const select = () => {
        box.setSelectionRange(reading.toSource(start), reading.toSource(end));
        noteSelection();
      };
      if (!focus) return select();
      // Focusing scrolls the editor to its selection, as it should, but the page as well.
      keepingPlace(box, () => {
        box.blur();
        select();
        box.focus();
      });
    },
  };
}

/**
 * What to put into the editor for a text, and whether escapes must be on for it: a text box turns every carriage return
 * into a line break, so a text that has some is written with escapes.
 *
 * @param {string} text
 * @returns {{source: string, escapes: boolean}}
 */
export function sourceOf(text) {
  const escapes = text.includes("\r");
  return { source: escapes ? writeEscapes(text) : text, escapes };
}

/** @param {HTMLElement} start @param {() => void} work during which nothing around `start` may scroll */
function keepingPlace(start, work) {
  /** @type {[Element, number][]} */
  const places = [];
  for (let node = around(start); node; node = around(node)) places.push([node, node.scrollTop]);
  work();
  for (const [node, top] of places) node.scrollTop = top;
}

/** @param {Element} node @returns {Element | null} the element around it, out of a shadow root too */
function around(node) {
  const root = node.getRootNode();
  return node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
