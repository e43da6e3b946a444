/**
 * The editor: a plain text box, with the colored text below it (on wide screens beside the card).
 *
 * A plain text box keeps the browser's own input methods, phone keyboards, undo, bidirectional typing and copying. The
 * colored text is separate because a line being edited has no room for marks, bytes and stripes.
 */

import { button, element, fill, number, plural } from "../dom/elements.js";
import { MAX_FILE } from "./files.js";
import { readEscapes, readPlainly } from "../text/escapes.js";

const CURLY_QUOTES = /[‘’‚‛“”„‟]/g;
const CURLY_SINGLE = /[‘’‚‛]/;

/** Maximum characters inserted by `execCommand`, which the browser can undo but is slow: 20,000 take a second. */
const MAX_COMMAND_INSERT = 4000;
/** Characters above which a text surely fills the box, so that the box need not be sized to it. */
const TALL_LENGTH = 5000;
/** Maximum characters in the box; of a longer text it holds a part, since browsers take seconds to lay out 1 MB. */
const MAX_IN_BOX = 64_000;
/** Approximate characters in such a part. */
const PART_LENGTH = 32_000;

/** @typedef {import("../text/escapes.js").Reading} Reading */

/**
 * @param {object} on
 * @param {(reading: Reading) => void} on.change the text has changed
 * @param {(offset: number) => void} on.caret the reader has moved the caret to this offset in the text
 * @param {() => void} on.leave focus has left the editor
 * @param {() => void} on.tooLong an insertion was rejected because it would make the text too long
 */
export function createEditor(on) {
  let composing = false;
  let escapes = false;
  /** The whole source being edited; the box holds the part between `before` and `after`. */
  let source = "";
  let before = "";
  let after = "";
  let reading = readPlainly("");
  /** The latest change that was too large for the browser's undo. @type {{before: string, after: string} | null} */
  let largeChange = null;
  /** The last selection reported or set here, so that only the reader's own moves are reported. */
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
    beforeinput: handleBeforeInput,
    copy: handleCopy,
    cut: handleCopy,
    input: handleInput,
    keydown: handleKey,
    blur: on.leave,
    compositionstart: () => (composing = true),
    compositionend: () => (composing = false),
  });
  for (const event of ["selectionchange", "select", "keyup", "pointerup"]) box.addEventListener(event, reportCaret);

  const notice = element("div", { class: "notice", role: "status" });
  const part = element("span");
  const parts = element(
    "div",
    { class: "notice parts", hidden: true },
    part,
    button("earlier", () => showPart(before.length - PART_LENGTH / 2)),
    button("later", () => showPart(source.length - after.length + PART_LENGTH / 2)),
  );
  const node = element("div", { class: "editing" }, box, parts, notice);

  /** @param {string} newSource */
  function changed(newSource) {
    setSource(newSource);
    noteSelection();
    on.change(reading);
    // The text just typed is before the caret.
    on.caret(Math.max(0, reading.toText(selection()[1]) - 1));
  }

  function handleInput() {
    const [, caret] = selection();
    const newSource = before + box.value + after;
    if (box.value.length > MAX_IN_BOX) putInBox(newSource, caret);
    changed(newSource);
  }

  /** The selection in the source. If all of the box is selected, so is the whole text, not just the part. */
  function selection() {
    const { selectionStart: start, selectionEnd: end } = box;
    if (holdsPart() && start === 0 && end === box.value.length) return [0, source.length];
    return [before.length + start, before.length + end];
  }

  const holdsPart = () => before !== "" || after !== "";

  /** Handle changes that the browser would make slowly, or only to the part in the box. @param {InputEvent} event */
  function handleBeforeInput(event) {
    const inserted = event.data ?? event.dataTransfer?.getData("text/plain") ?? "";
    const [start, end] = selection();
    const everything = holdsPart() && end - start === source.length;
    if (source.length - (end - start) + inserted.length > MAX_FILE) {
      event.preventDefault();
      return on.tooLong();
    }
    if (composing || (inserted.length <= MAX_COMMAND_INSERT && !everything)) return;
    event.preventDefault();
    replaceLarge(start, end, event.inputType === "insertLineBreak" ? "\n" : inserted);
  }

  /** @param {ClipboardEvent} event */
  function handleCopy(event) {
    const [start, end] = selection();
    if (!holdsPart() || end - start < source.length) return;
    event.preventDefault();
    event.clipboardData?.setData("text/plain", source);
    if (event.type === "cut") replaceLarge(0, source.length, "");
  }

  /**
   * Put a source into the box; of a long one, whole lines around the caret.
   *
   * @param {string} newSource
   * @param {number} caret
   */
  function putInBox(newSource, caret) {
    let start = 0;
    let end = newSource.length;
    if (newSource.length > MAX_IN_BOX) {
      const first = Math.min(Math.max(0, caret - PART_LENGTH / 2), newSource.length - PART_LENGTH);
      start = first === 0 ? 0 : lineStart(newSource, first);
      end = first + PART_LENGTH >= newSource.length ? newSource.length : lineStart(newSource, first + PART_LENGTH);
    }
    before = newSource.slice(0, start);
    after = newSource.slice(end);
    box.value = newSource.slice(start, end);
    box.setSelectionRange(caret - start, caret - start);
  }

  /** Show the part of a long text around an offset. @param {number} place */
  function showPart(place) {
    putInBox(source, Math.min(Math.max(0, place), source.length));
    noteSelection();
    box.scrollTop = 0;
    showPartNotice();
  }

  function showPartNotice() {
    parts.hidden = !holdsPart();
    if (parts.hidden) return;
    fill(part, `${sayPart(reading, before.length, source.length - after.length)} Click a token to edit there.`);
  }

  /** @param {KeyboardEvent} event */
  function handleKey(event) {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (isUndo && undoLarge()) event.preventDefault();
    if (!holdsPart() || event.shiftKey || !(event.ctrlKey || event.metaKey)) return;
    // The ends of the part in the box are not the ends of the text.
    if (event.key !== "Home" && event.key !== "End") return;
    event.preventDefault();
    const end = event.key === "End" ? source.length : 0;
    showPart(end);
    box.setSelectionRange(end - before.length, end - before.length);
    box.scrollTop = end ? box.scrollHeight : 0;
    noteSelection();
    on.caret(Math.max(0, reading.toText(end) - 1));
  }

  /** @returns {boolean} whether a large change was undone */
  function undoLarge() {
    if (composing || !largeChange || source !== largeChange.after) return false;
    const { before: old } = largeChange;
    largeChange = null;
    putInBox(old, 0);
    changed(old);
    return true;
  }

  /** @param {string} newSource */
  function setSource(newSource) {
    source = newSource;
    // dir="auto" is quadratic in a text box: 1 MB takes ten seconds. Each paragraph gets its own direction either way.
    const tall = source.length > TALL_LENGTH;
    box.classList.toggle("tall", tall);
    box.dir = tall ? directionOf(source) : "auto";
    // UTF-8 can't encode lone surrogates; the server would receive U+FFFD instead.
    reading = (escapes ? readEscapes : readPlainly)(source.toWellFormed());
    showNotice();
    showPartNotice();
  }

  function reportCaret() {
    if (noteSelection() && box.matches(":focus")) on.caret(reading.toText(selection()[0]));
  }

  /** Record the current selection. Returns whether it changed. */
  function noteSelection() {
    const current = selection().join(":");
    const hasChanged = current !== knownSelection;
    knownSelection = current;
    return hasChanged;
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
    // Each character is replaced by one character, so the selection offsets stay valid.
    const [start, end] = selection();
    const straight = source.replace(CURLY_QUOTES, (/** @type {string} */ quote) =>
      CURLY_SINGLE.test(quote) ? "'" : '"',
    );
    replace(0, source.length, straight);
    selectInBox(start, end);
  }

  /**
   * Replace a part of the source so that Ctrl+Z undoes it. `execCommand` is deprecated but has no successor: nothing
   * else keeps the browser's undo history. It is slow, so large changes are undone by the editor itself.
   *
   * @param {number} start
   * @param {number} end
   * @param {string} replacement
   */
  function replace(start, end, replacement) {
    if (composing || (start === end && !replacement)) return;
    withFocus(() => {
      const command = replacement ? "insertText" : "delete";
      const isShort = replacement.length <= MAX_COMMAND_INSERT && end - start <= PART_LENGTH / 2;
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
    const inserted = replacement.replace(/\r\n?/g, "\n"); // as text boxes normalize line ends
    const changedSource = old.slice(0, start) + inserted + old.slice(end);
    largeChange = { before: old, after: changedSource };
    // A text that replaces everything is shown from its start.
    const isNewText = start === 0 && end === old.length;
    putInBox(changedSource, isNewText ? 0 : start + inserted.length);
    changed(changedSource);
  }

  /** Select a range of the source, switching parts if necessary. @param {number} start @param {number} end */
  function selectInBox(start, end) {
    if (start < before.length || end > source.length - after.length) showPart(start);
    box.setSelectionRange(start - before.length, end - before.length);
  }

  /** Run `work` with focus in the editor, then restore the previous focus, if any. */
  function withFocus(/** @type {() => void} */ work) {
    const focused = /** @type {Document | ShadowRoot} */ (box.getRootNode()).activeElement;
    box.focus({ preventScroll: true });
    work();
    if (focused === box) return;
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    else box.blur();
  }

  return {
    node,
    box,
    source: () => source,
    reading: () => reading,
    escapes: () => escapes,
    /** Start and end in the source. */
    selection,
    replace,

    undo() {
      withFocus(() => undoLarge() || document.execCommand("undo"));
    },

    /**
     * Set the initial source; undo never goes back beyond it.
     *
     * @param {string} firstSource
     * @param {boolean} withEscapes
     */
    begin(firstSource, withEscapes) {
      escapes = withEscapes;
      putInBox(firstSource, 0);
      setSource(firstSource);
    },

    /** @param {boolean} withEscapes */
    setEscapes(withEscapes) {
      escapes = withEscapes;
      setSource(source);
      on.change(reading);
    },

    /** @param {string} lang */
    setLanguage(lang) {
      box.lang = lang;
    },

    /**
     * Select a range of the text.
     *
     * @param {number} start
     * @param {number} end
     * @param {boolean} focus focus the editor too; browsers show a selection only in the focused element
     */
    select(start, end, focus) {
      if (composing) return;
      const select = () => {
        selectInBox(reading.toSource(start), reading.toSource(end));
        noteSelection();
      };
      if (!focus) return select();
      // Focusing should scroll the editor to its selection, but it also scrolls the page.
      keepingScroll(box, () => {
        box.blur();
        select();
        box.focus();
      });
    },
  };
}

/**
 * Describe which part of a text is in the box, in code points: counting graphemes on each key press takes too long.
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

/** Number of code points between two offsets; texts contain no lone surrogates. */
function codePoints(/** @type {string} */ text, /** @type {number} */ from, /** @type {number} */ to) {
  let count = 0;
  for (let at = from; at < to; at++) if ((text.charCodeAt(at) & 0xfc00) !== 0xdc00) count++;
  return count;
}

/** Direction of a text's first letter. @param {string} text */
function directionOf(text) {
  const [letter] = text.match(/\p{L}/u) ?? [""];
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/.test(letter) ? "rtl" : "ltr";
}

/** Start of the line after an offset; the offset itself, moved off a low surrogate, if the rest of its line is long. */
function lineStart(/** @type {string} */ text, /** @type {number} */ place) {
  const end = text.indexOf("\n", place);
  if (end >= 0 && end - place < PART_LENGTH / 4) return end + 1;
  const low = text.charCodeAt(place);
  return low >= 0xdc00 && low < 0xe000 ? place + 1 : place;
}

/** @param {HTMLElement} start @param {() => void} work after which ancestors of `start` scroll back */
function keepingScroll(start, work) {
  /** @type {[Element, number][]} */
  const scrollTops = [];
  for (let node = parentOf(start); node; node = parentOf(node)) scrollTops.push([node, node.scrollTop]);
  work();
  for (const [node, top] of scrollTops) node.scrollTop = top;
}

/** @param {Element} node @returns {Element | null} the parent element, also out of a shadow root */
function parentOf(node) {
  const root = node.getRootNode();
  return node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}
