/**
 * Open a text file chosen in a dialog or dropped anywhere on the widget. If the file contains a tokenizer, or several
 * files do together, ask whether to open it as one. Of two files that belong together, one may come after the other.
 */

import { button, element, fill, menu } from "../dom/elements.js";
import { ENCODINGS, largest, MAX_FILE, readBytes, sayTooLarge, sayWeights, tokenizerIn, unreadable } from "./files.js";
import { likelyPattern, PATTERNS } from "./patterns.js";
import { halvesIn, isHalf, tokenizerAmong } from "./together.js";

/** @typedef {import("./together.js").TokenizerFile} TokenizerFile */

/** Bytes decoded for the preview while the reader chooses an encoding. */
const PREVIEW_BYTES = 600;
/** Maximum length of a tokenizer's name, as on the server. */
const MAX_LABEL = 100;
/** Maximum files that are looked through for a tokenizer. */
const MAX_FILES = 20;

export class Opening {
  #disposal = new AbortController();
  #on;
  #input;
  /** One of two files that belong together, which is waiting for the other. @type {TokenizerFile | null} */
  #half = null;

  /**
   * @param {HTMLElement} target accepts dropped files
   * @param {object} on
   * @param {(text: string) => void} on.use
   * @param {(files: TokenizerFile[], said: {label: string, pattern?: string}) => void} [on.useTokenizer] if the page opens
   *   tokenizers: with the name that the reader gives it, or "", and the split pattern that the files lack
   * @param {(sentence: string) => void} on.problem why a file was not opened; "" when another is tried
   */
  constructor(target, on) {
    this.#on = on;
    const handleChoice = () => this.#handleChoice();
    this.#input = element("input", { type: "file", multiple: true, hidden: true, change: handleChoice, "aria-label": "A text file" });
    this.node = element("span", {}, this.#input, button("open", () => this.choose(), { title: "Open a file from this computer" }));
    this.dialog = element("dialog", { class: "opening", close: () => this.dialog.open || fill(this.dialog) });
    this.#acceptDrops(target);
  }

  dispose() {
    this.#disposal.abort();
  }

  /** Let the reader choose a file. */
  choose() {
    this.#input.click();
  }

  /** @param {HTMLElement} target */
  #acceptDrops(target) {
    const { signal } = this.#disposal;
    const listen = (/** @type {string} */ event, /** @type {(event: DragEvent) => void} */ listener) =>
      target.addEventListener(event, /** @type {EventListener} */ (listener), { signal });
    listen("dragover", (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      target.classList.add("dropping");
    });
    listen("dragleave", (event) => {
      if (!target.contains(/** @type {Node | null} */ (event.relatedTarget))) target.classList.remove("dropping");
    });
    listen("drop", (event) => {
      target.classList.remove("dropping");
      if (!holdsFiles(event)) return;
      event.preventDefault();
      void this.#open(Array.from(event.dataTransfer?.files ?? []));
    });
  }

  #handleChoice() {
    void this.#open(Array.from(this.#input.files ?? []));
    this.#input.value = ""; // so that the same file can be chosen again
  }

  /** @param {File[]} chosen */
  async #open(chosen) {
    if (!chosen.length) return;
    this.#on.problem("");
    const files = await this.#readAll(chosen);
    if (!files || this.#disposal.signal.aborted) return;
    const together = files.length > 1 ? tokenizerAmong(files) : halvesIn(this.#half ? [this.#half, ...files] : files);
    if (together) return this.#askWhetherTokenizer(together, "whole");
    if (files.length > 1) return this.#on.problem("Open one file at a time. Only vocab.json and merges.txt are opened together.");
    this.#openOne(files[0]);
  }

  /**
   * Read files. Reports a problem and returns null if one of them can't be opened.
   *
   * @param {File[]} chosen
   * @returns {Promise<TokenizerFile[] | null>}
   */
  async #readAll(chosen) {
    const refused = chosen.length > MAX_FILES ? "Open one file at a time." : chosen.map(sayRefused).find(Boolean);
    if (refused) return (this.#on.problem(refused), null);
    const files = [];
    for (const file of chosen) {
      try {
        files.push({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
      } catch {
        this.#on.problem(`“${file.name}” can't be read. A folder can't be opened, nor a file that is gone.`);
        return null;
      }
    }
    return files;
  }

  /** @param {TokenizerFile} file */
  #openOne(file) {
    const { name, bytes } = file;
    const refused = unreadable(name, bytes);
    if (isHalf(file)) this.#half = file;
    if (refused?.isText) return this.#offerAsText(name, bytes, refused.says);
    if (refused) return this.#on.problem(refused.says);
    const holds = tokenizerIn(name, bytes);
    if (holds) this.#askWhetherTokenizer([file], holds);
    else this.#openText(name, bytes);
  }

  /** @param {string} name @param {Uint8Array} bytes */
  #openText(name, bytes) {
    const { use, problem } = this.#on;
    if (bytes.length > MAX_FILE) return problem(`“${name}” is too long for a text: ${MAX_FILE / 1e6} MB is the most that fits.`);
    const read = readBytes(bytes);
    if ("text" in read) return use(read.text);
    if (read.encoding === null) return problem(`“${name}” seems to be ${read.seems}. Save it as plain text first.`);
    this.#askForEncoding(name, bytes, read.seems, read.encoding);
  }

  /** @param {string} name @param {Uint8Array} bytes @param {string} reason why it is not opened as a tokenizer */
  #offerAsText(name, bytes, reason) {
    this.#ask("Open it as a text?", `${reason} You can read the file itself as a text.`, this.#readButton(name, bytes));
  }

  /** @param {string} name @param {Uint8Array} bytes */
  #readButton(name, bytes) {
    return button("open as text", () => (this.dialog.close(), this.#openText(name, bytes)));
  }

  /** @param {string} label @param {string} question @param {HTMLElement[]} choices */
  #ask(label, question, ...choices) {
    this.#show(label, element("p", {}, question), this.#row(...choices));
  }

  /** @param {string} label @param {HTMLElement[]} content */
  #show(label, ...content) {
    this.dialog.setAttribute("aria-label", label);
    fill(this.dialog, ...content);
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** A row of buttons, of which the last cancels. @param {HTMLElement[]} choices @returns {HTMLElement} */
  #row(...choices) {
    return element("div", { class: "row" }, ...choices, button("cancel", () => this.dialog.close()));
  }

  /** @param {TokenizerFile[]} files @param {"whole" | "without pattern"} holds */
  #askWhetherTokenizer(files, holds) {
    this.#half = null;
    const { useTokenizer } = this.#on;
    const names = files.map(({ name }) => `“${name}”`).join(" and ");
    const hold = `${names} ${files.length > 1 ? "hold" : "holds"} a tokenizer`;
    const choices = files.length > 1 ? [] : [this.#readButton(files[0].name, files[0].bytes)];
    if (!useTokenizer) return this.#ask("Open it as a tokenizer?", `${hold}. To use it, open it on the Tokens page.`, ...choices);
    const patterns = holds === "whole" ? null : menu("Split pattern", PATTERNS, likelyPattern(files[0].name), () => {});
    const name = element("input", { type: "text", maxlength: MAX_LABEL, placeholder: files.map(({ name }) => name).join(" and "), spellcheck: "false", autocomplete: "off" });
    const handleUse = () => (this.dialog.close(), useTokenizer(files, { label: name.value.trim(), pattern: patterns?.select.value }));
    name.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && !event.isComposing && handleUse());
    const naming = element("label", { class: "menu" }, element("span", {}, "Its name, if you like"), name);
    const use = button("use the tokenizer", handleUse, { autofocus: !patterns });
    const question = patterns
      ? `${hold} without its split pattern. Choose the one that it was made with; the Train page takes others, and special tokens.`
      : `${hold}. Cut your text with it${choices.length ? ", or show the file itself as a text" : ""}?`;
    const row = this.#row(use, ...choices);
    this.#show("Open it as a tokenizer?", element("p", {}, question), ...(patterns ? [patterns.node] : []), naming, row);
  }

  /** @param {string} name @param {Uint8Array} bytes @param {string} seems @param {string} likely */
  #askForEncoding(name, bytes, seems, likely) {
    const preview = element("p", { class: "preview mono" });
    const decoded = (/** @type {number} */ size) => new TextDecoder(encodings.select.value).decode(bytes.subarray(0, size));
    const show = () => fill(preview, decoded(PREVIEW_BYTES));
    const encodings = menu("Read it as", ENCODINGS, likely, show);
    const use = () => {
      this.#on.use(decoded(bytes.length));
      this.dialog.close();
    };
    show();
    const question = element("p", {}, `“${name}” seems to be ${seems}. Choose what makes it readable:`);
    this.#show("Which encoding?", question, encodings.node, preview, this.#row(button("open", use)));
  }
}

/** Say why a file is not read; "" if it is. @param {File} file */
const sayRefused = ({ name, size }) => sayWeights(name) || (size > largest(name) ? sayTooLarge(name, size) : "");

/** @param {DragEvent} event */
const holdsFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;
