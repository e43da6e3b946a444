/**
 * The button that lets the reader choose files, and files dropped anywhere on the widget. What is done with them is loaded
 * when there are some.
 */

import { button, element, fill } from "../dom/elements.js";

/**
 * @typedef {object} Said what the reader says of a tokenizer's files
 * @property {string} [label] a name for it; "" for that of its files
 * @property {string} [pattern] name of the split pattern that the files lack
 * @property {string} [own] that pattern itself
 * @property {string} [specials] special tokens that the files lack, each with its id, one a line
 */

/**
 * @typedef {object} Found what chosen files are, as `recognize` in `tokviz/formats/recognition.py` says it
 * @property {string[]} names of the files that hold a tokenizer together; none if they hold none, or several
 * @property {string[]} lacks what these files lack: "split_pattern", "special_tokens"
 * @property {string} says why a single file can't be opened as a tokenizer; "" for an ordinary file
 * @property {boolean} isHalf another file is missing
 * @property {boolean} isText it can be read as a text
 * @property {string[]} beside names of files that may hold the chat template of the tokenizer
 */

/**
 * @typedef {object} OpeningListeners
 * @property {(text: string, file: string) => void} use
 * @property {(files: File[], said: Said, beside: File[]) => void} useTokenizer
 * @property {RegExp} [texts] names of files that the page itself reads as texts, though they come with tokenizers
 * @property {(sentence: string) => void} problem why a file was not opened; "" when another is tried
 */

export class Opening {
  #disposal = new AbortController();
  #recognize;
  #on;
  #input;
  /** @type {Promise<import("./chosenfiles.js").ChosenFiles> | null} */
  #chosen = null;

  /**
   * @param {HTMLElement} target accepts dropped files
   * @param {(files: File[]) => Promise<Found>} recognize
   * @param {OpeningListeners} on
   */
  constructor(target, recognize, on) {
    this.#recognize = recognize;
    this.#on = on;
    const handleChoice = () => this.#handleChoice();
    this.#input = element("input", { type: "file", multiple: true, hidden: true, change: handleChoice, "aria-label": "A text file" });
    this.node = element("span", {}, this.#input, button("Open", () => this.choose(), { title: "Open a text or a tokenizer from this computer" }));
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
      void this.#openDropped(event);
    });
  }

  /** @param {DragEvent} event */
  async #openDropped({ dataTransfer }) {
    const dropped = Array.from(dataTransfer?.files ?? []);
    const [entry = null] = Array.from(dataTransfer?.items ?? [], (item) => item.webkitGetAsEntry());
    const isFolder = dropped.length === 1 && entry?.isDirectory;
    await this.#open((chosen) => (isFolder ? chosen.openFolder(/** @type {FileSystemDirectoryEntry} */ (entry)) : chosen.open(dropped)));
  }

  #handleChoice() {
    const files = Array.from(this.#input.files ?? []);
    void this.#open((chosen) => chosen.open(files));
    this.#input.value = ""; // so that the same file can be chosen again
  }

  /** @param {(chosen: import("./chosenfiles.js").ChosenFiles) => Promise<void>} open */
  async #open(open) {
    this.#chosen ??= import("./chosenfiles.js").then(({ ChosenFiles }) => new ChosenFiles(this.dialog, this.#recognize, this.#on, this.#disposal.signal));
    const chosen = await this.#chosen.catch(() => (this.#chosen = null));
    if (chosen) await open(chosen);
    else this.#on.problem("The file was not opened: the server doesn't answer.");
  }
}

/** @param {DragEvent} event */
const holdsFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;
