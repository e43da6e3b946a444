/**
 * The editor: a plain text box, with the colored text standing beneath it (on wide screens beside the card).
 *
 * Plain, and not an editable colored text, so that input methods, phone keyboards, undo, bidirectional typing and
 * copying stay the browser's own; and beneath, so that the colored text can show marks, bytes and stripes that a line
 * being edited has no room for.
 */

import { button, element, fill, number, plural } from "./elements.js";
import { MAX_FILE } from "./files.js";
import { readEscapes, readPlainly } from "./escapes.js";

const CURLY_QUOTES = /[‘’‚‛“”„‟]/g;
const CURLY_SINGLE = /[‘’‚‛]/;

/** Beyond this many characters an insertion that the browser itself can undo takes it too long: 20,000 take a second. */
const INSERTED_BY_COMMAND = 4000;
/** A text longer than this fills the box, whose height need not be measured by it. */
const TALL = 5000;
/** Of a text longer than this, only a part stands in the box: browsers take seconds to lay out 1 MB in one. */
const LONG = 64_000;
const PART = 32_000;

/** @typedef {import("./escapes.js").Reading} Reading */

/**
 * @param {object} on
 * @param {(reading: Reading) => void} on.change the text has changed
 * @param {(offset: number) => void} on.caret the reader has moved the caret, to this place in the text
 * @param {() => void} on.leave focus has left the editor
 * @param {() => void} on.tooLong what was to be inserted would make the text too long, and was not
 */
export function createEditor(on) {
  let composing = false;
  let escapes = false;
  /** All that is being edited. What stands in the box is the part between `before` and `after` it. */
  let source = "";
  let before = "";
  let after = "";
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
    beforeinput: inserting,
    copy: copying,
    cut: copying,
    input: typed,
    keydown: pressed,
    blur: on.leave,
    compositionstart: () => (composing = true),
    compositionend: () => (composing = false),
  });
  for (const event of ["selectionchange", "select", "keyup", "pointerup"]) box.addEventListener(event, moved);

  const notice = element("div", { class: "notice", role: "status" });
  const part = element("span");
  const parts = element(
    "div",
    { class: "notice parts", hidden: true },
    part,
    button("earlier", () => showPart(before.length - PART / 2)),
    button("later", () => showPart(source.length - after.length + PART / 2)),
  );
  const node = element("div", { class: "editing" }, box, parts, notice);

  /** @param {string} newSource */
  function changed(newSource) {
    read(newSource);
    noteSelection();
    on.change(reading);
    // What was just typed stands in front of the caret.
    on.caret(Math.max(0, reading.toText(selection()[1]) - 1));
  }

  function typed() {
    const [, caret] = selection();
    const newSource = before + box.value + after;
    if (box.value.length > LONG) put(newSource, caret);
    changed(newSource);
  }

  /** Where the selection is in the source. All of the box selected is all of the text, also where the box has a part. */
  function selection() {
    const { selectionStart: start, selectionEnd: end } = box;
    if (holdsPart() && start === 0 && end === box.value.length) return [0, source.length];
    return [before.length + start, before.length + end];
  }

  const holdsPart = () => before !== "" || after !== "";

  /** A change that the browser would make slowly, or to the part in the box only. @param {InputEvent} event */
  function inserting(event) {
    const inserted = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    const [start, end] = selection();
    const everything = holdsPart() && end - start === source.length;
    if (source.length - (end - start) + inserted.length > MAX_FILE) {
      event.preventDefault();
      return on.tooLong();
    }
    if (composing || (inserted.length <= INSERTED_BY_COMMAND && !everything)) return;
    event.preventDefault();
    replaceLarge(start, end, event.inputType === "insertLineBreak" ? "\n" : inserted);
  }

  /** @param {ClipboardEvent} event */
  function copying(event) {
    const [start, end] = selection();
    if (!holdsPart() || end - start < source.length) return;
    event.preventDefault();
    event.clipboardData?.setData("text/plain", source);
    if (event.type === "cut") replaceLarge(0, source.length, "");
  }

  /**
   * Put a source into the box, or of a long one the part around a place, from one line's beginning to another's end.
   *
   * @param {string} newSource
   * @param {number} caret
   */
  function put(newSource, caret) {
    let start = 0;
    let end = newSource.length;
    if (newSource.length > LONG) {
      const first = Math.min(Math.max(0, caret - PART / 2), newSource.length - PART);
      start = first === 0 ? 0 : lineStart(newSource, first);
      end = first + PART >= newSource.length ? newSource.length : lineStart(newSource, first + PART);
    }
    before = newSource.slice(0, start);
    after = newSource.slice(end);
    box.value = newSource.slice(start, end);
    box.setSelectionRange(caret - start, caret - start);
  }

  /** @param {number} place around which part of a long text to show */
  function showPart(place) {
    put(source, Math.min(Math.max(0, place), source.length));
    noteSelection();
    box.scrollTop = 0;
    showWhere();
  }

  function showWhere() {
    parts.hidden = !holdsPart();
    if (parts.hidden) return;
    fill(part, `${sayPart(reading, before.length, source.length - after.length)} Click a token to edit there.`);
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (isUndo && undoLarge()) event.preventDefault();
    if (!holdsPart() || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
    // Of a long text the box has a part, whose ends are not the text's.
    if (event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    const end = event.key === "End" ? source.length : 0;
    showPart(end);
    box.setSelectionRange(end - before.length, end - before.length);
    box.scrollTop = end ? box.scrollHeight : 0;
    noteSelection();
    on.caret(Math.max(0, reading.toText(end) - 1));
  }

  /** @returns {boolean} whether there was one to undo */
  function undoLarge() {
    if (composing || !large || source !== large.after) return false;
    const { before: old } = large;
    large = null;
    put(old, 0);
    changed(old);
    return true;
  }

  /** @param {string} newSource */
  function read(newSource) {
    source = newSource;
    // dir="auto" is quadratic in a text box: 1 MB takes it ten seconds. Paragraphs find their own way in both cases.
    const tall = source.length > TALL;
    box.classList.toggle("tall", tall);
    box.dir = tall ? directionOf(source) : "auto";
    // UTF-8 has no lone surrogates: the server would see U+FFFD in their place.
    reading = (escapes ? readEscapes : readPlainly)(source.toWellFormed());
    showNotice();
    showWhere();
  }

  function moved() {
    if (noteSelection() && box.matches(":focus")) on.caret(reading.toText(selection()[0]));
  }

  /** Whether the selection is another than was known. */
  function noteSelection() {
    const current = selection().join(":");
    const isNew = current !== knownSelection;
    knownSelection = current;
    return isNew;
  }

  function showNotice() {
    const quotes = source.match(CURLY_QUOTES)?.length ?? 0;
    if (!quotes) return fill(notice);
    if (notice.dataset.quotes === String(quotes) && notice.firstChild) return;
    notice.dataset.quotes = String(quotes);
    const says = `${plural(quotes, "curly quote")}: to a tokenizer, don’t and don't are different texts.`;
    fill(notice, element("span", {}, says), button("make straight", straighten));
  }

  function straighten() {
    // One character becomes one character, so the caret's place stays right.
    const [start, end] = selection();
    const straight = source.replace(CURLY_QUOTES, (/** @type {string} */ quote) =>
      CURLY_SINGLE.test(quote) ? "'" : '"',
    );
    replace(0, source.length, straight);
    selectInBox(start, end);
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
      const command = replacement ? "insertText" : "delete";
      const isShort = replacement.length <= INSERTED_BY_COMMAND && end - start <= PART / 2;
      if (isShort) {
        selectInBox(start, end);
        if (document.execCommand(command, false, replacement)) return;
      }
      replaceLarge(start, end, replacement);
    });
  }

  /** @param {number} start @param {number} end @param {string} replacement */
  function replaceLarge(start, end, replacement) {
    const old = source;
    const inserted = replacement.replace(/\r\n?/g, "\n"); // as every text box has it
    const changedSource = old.slice(0, start) + inserted + old.slice(end);
    large = { before: old, after: changedSource };
    // A long text that takes the place of another is read from its beginning.
    const isNewText = start === 0 && end === old.length;
    put(changedSource, isNewText ? 0 : start + inserted.length);
    changed(changedSource);
  }

  /** Select a stretch of the source, in another part of it if need be. @param {number} start @param {number} end */
  function selectInBox(start, end) {
    if (start < before.length || end > source.length - after.length) showPart(start);
    box.setSelectionRange(start - before.length, end - before.length);
  }

  /** Do something that needs focus in the editor, and give it back: to a button, a menu, or nothing. */
  function focusing(/** @type {() => void} */ work) {
    const before = /** @type {Document | ShadowRoot} */ (box.getRootNode()).activeElement;
    box.focus({ preventScroll: true });
    work();
    if (before === box) return;
    if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    else box.blur();
  }

  return {
    node,
    box,
    source: () => source,
    reading: () => reading,
    escapes: () => escapes,
    /** In the source: start and end. */
    selection,
    replace,

    undo() {
      focusing(() => undoLarge() || document.execCommand("undo"));
    },

    /**
     * Begin with a source; nothing can be undone to before it.
     *
     * @param {string} firstSource
     * @param {boolean} withEscapes
     */
    begin(firstSource, withEscapes) {
      escapes = withEscapes;
      put(firstSource, 0);
      read(firstSource);
    },

    /** @param {boolean} withEscapes */
    setEscapes(withEscapes) {
      escapes = withEscapes;
      read(source);
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
        selectInBox(reading.toSource(start), reading.toSource(end));
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
 * Which part of a text stands in the box. In code points: to count what readers call characters takes too long for each
 * key press.
 *
 * @param {Pick<Reading, "text" | "toText">} reading
 * @param {number} from in the source
 * @param {number} to
 */
export function sayPart({ text, toText }, from, to) {
  const [start, end] = [toText(from), toText(to)];
  const before = codePoints(text, 0, start);
  const last = before + codePoints(text, start, end);
  return `Code points ${number(before + 1)} to ${number(last)} of ${number(last + codePoints(text, end, text.length))}.`;
}

/** How many code points there are between two places; texts hold no lone surrogates. */
function codePoints(/** @type {string} */ text, /** @type {number} */ from, /** @type {number} */ to) {
  let count = 0;
  for (let at = from; at < to; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count++;
  return count;
}

/** The direction of a text's first letter. @param {string} text */
function directionOf(text) {
  const [letter] = text.match(/\p{L}/u) ?? [""];
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(letter) ? "rtl" : "ltr";
}

/** Where the line after a place begins; the place itself if its line is a very long one. */
function lineStart(/** @type {string} */ text, /** @type {number} */ place) {
  const end = text.indexOf("\n", place);
  if (end >= 0 && end - place < PART / 4) return end + 1;
  const low = text.charCodeAt(place);
  return low >= 0xdc00 && low < 0xe000 ? place + 1 : place;
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
