/**
 * Open a text file chosen in a dialog or dropped anywhere on the widget. If the file contains a tokenizer, ask whether
 * to open it as one.
 */

import { button, element, fill, menu } from "../dom/elements.js";
import { ENCODINGS, largest, MAX_FILE, readBytes, sayTooLarge, tokenizerIn, unreadable } from "./files.js";

/** Bytes decoded for the preview while the reader chooses an encoding. */
const PREVIEW_BYTES = 600;

export class Opening {
  #disposal = new AbortController();
  #on;
  #input;

  /**
   * @param {HTMLElement} target accepts dropped files
   * @param {object} on
   * @param {(text: string) => void} on.use
   * @param {(name: string, bytes: Uint8Array<ArrayBuffer>) => void} [on.useTokenizer] if the page opens tokenizers
   * @param {(sentence: string) => void} on.problem why a file was not opened; "" when another is tried
   */
  constructor(target, on) {
    this.#on = on;
    const handleChoice = () => this.#handleChoice();
    this.#input = element("input", { type: "file", hidden: true, change: handleChoice, "aria-label": "A text file" });
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
      void this.#open(event.dataTransfer?.files[0]);
    });
  }

  #handleChoice() {
    void this.#open(this.#input.files?.[0]);
    this.#input.value = ""; // so that the same file can be chosen again
  }

  /** @param {File | undefined} file */
  async #open(file) {
    if (!file) return;
    this.#on.problem("");
    if (file.size > largest(file.name)) return this.#on.problem(sayTooLarge(file.name, file.size));
    /** @type {Uint8Array<ArrayBuffer>} */
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      return this.#on.problem(`“${file.name}” can't be read. A folder can't be opened, nor a file that is gone.`);
    }
    if (this.#disposal.signal.aborted) return;
    const refused = unreadable(file.name, bytes);
    if (refused?.isText) return this.#offerAsText(file.name, bytes, refused.says);
    if (refused) return this.#on.problem(refused.says);
    const holds = tokenizerIn(file.name, bytes);
    if (holds) this.#askWhetherTokenizer(file.name, bytes, holds);
    else this.#openText(file.name, bytes);
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
    this.dialog.showModal();
  }

  /** A row of buttons, of which the last cancels. @param {HTMLElement[]} choices @returns {HTMLElement} */
  #row(...choices) {
    return element("div", { class: "row" }, ...choices, button("cancel", () => this.dialog.close()));
  }

  /** @param {string} name @param {Uint8Array<ArrayBuffer>} bytes @param {"whole" | "without pattern"} holds */
  #askWhetherTokenizer(name, bytes, holds) {
    const { useTokenizer } = this.#on;
    const choices = [this.#readButton(name, bytes)];
    let question = `“${name}” holds a tokenizer. Cut your text with it, or show the file itself as a text?`;
    if (holds === "without pattern")
      question = `“${name}” holds a tokenizer without its split pattern. To use it, open it on the Train page, where you choose one.`;
    else if (useTokenizer)
      choices.unshift(button("use the tokenizer", () => (this.dialog.close(), useTokenizer(name, bytes))));
    else question = `“${name}” holds a tokenizer. To use it, open it on the Tokens page.`;
    this.#ask("Open it as a tokenizer?", question, ...choices);
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

/** @param {DragEvent} event */
const holdsFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;
