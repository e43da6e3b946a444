/**
 * What to do with files that were chosen or dropped: open a text or a tokenizer, after questions where there are any.
 * The server recognizes which. Of two files that belong together, one may come after the other.
 */

import { button, element, fill, menu } from "../dom/elements.js";
import { sentenceOf } from "../net/client.js";
import { ENCODINGS, MAX_TOKENIZER_FILE, readBytes, readFile, sayTooLarge } from "./reading.js";
import { FIRST_OWN, likelyPattern, OWN_PATTERN, patternQuery, WITH_OWN } from "./patterns.js";

/** @typedef {import("./opening.js").Found} Found */

/** Bytes decoded for the preview while the reader chooses an encoding. */
const PREVIEW_BYTES = 600;
/** Maximum length of a tokenizer's name, as on the server. */
const MAX_LABEL = 100;
/** Maximum characters of a split pattern, and of special tokens, as on the server. */
const [MAX_PATTERN, MAX_SPECIALS] = [2000, 50_000];
/** Maximum files that are looked through for a tokenizer, as on the server. */
const MAX_FILES = 20;
/** Names of files that may belong to a tokenizer, in a folder that holds much else. */
const OF_TOKENIZERS = /\.(json|jinja|txt|model|spm|tiktoken|codes|bpe)$|\.model\.v\w+$/;

export class ChosenFiles {
  #dialog;
  #signal;
  #recognize;
  #on;
  /** One of two files that belong together, which is waiting for the other. @type {File | null} */
  #half = null;

  /**
   * @param {HTMLDialogElement} dialog for questions
   * @param {(files: File[]) => Promise<Found>} recognize
   * @param {import("./opening.js").OpeningListeners} on
   * @param {AbortSignal} signal the page is left
   */
  constructor(dialog, recognize, on, signal) {
    this.#dialog = dialog;
    this.#recognize = recognize;
    this.#on = on;
    this.#signal = signal;
  }

  /** @param {FileSystemDirectoryEntry} folder */
  async openFolder(folder) {
    const files = await filesOf(folder).catch(() => []);
    if (!files.length) return this.#on.problem(`The folder “${folder.name}” holds no file of a tokenizer.`);
    return this.open(files);
  }

  /** @param {File[]} chosen */
  async open(chosen) {
    const { problem } = this.#on;
    if (!chosen.length) return;
    problem("");
    if (chosen.length > MAX_FILES) return problem("Open one file at a time.");
    const readable = await Promise.all(chosen.map(isReadable));
    const gone = chosen[readable.indexOf(false)];
    if (gone) return problem(`“${gone.name}” can't be read. It is gone, or one of several folders: open one at a time.`);
    try {
      const waiting = [this.#half].filter((half) => half && chosen.every(({ name }) => name !== half.name));
      const files = /** @type {File[]} */ ([...waiting, ...chosen]);
      let found = await this.#recognize(files);
      if (waiting.length && !found.names.length) found = await this.#recognize(chosen);
      if (!this.#signal.aborted) this.#openFound(files, chosen, found);
    } catch (error) {
      problem(sentenceOf(error));
    }
  }

  /** @param {File[]} files with the one that was waiting @param {File[]} chosen @param {Found} found */
  #openFound(files, chosen, found) {
    const [file, ...more] = chosen;
    const named = (/** @type {string[]} */ names) => names.flatMap((known) => files.find(({ name }) => name === known) ?? []);
    const together = named(found.names);
    if (together.length) return this.#askWhetherTokenizer(together, found, named(found.beside));
    if (more.length) return this.#on.problem("Open one file at a time. Only the files of one tokenizer are opened together.");
    if (found.isHalf) this.#half = file;
    if (!found.says || this.#on.texts?.test(file.name)) return void this.#openText(file);
    if (!found.isText) return this.#on.problem(found.says);
    const question = element("p", {}, `${found.says} You can read the file itself as a text.`);
    this.#show("Open it as a text?", question, this.#row(this.#readButton(file)));
  }

  /** @param {File} file */
  async #openText(file) {
    const { use, problem } = this.#on;
    const bytes = await readFile(file).catch((error) => void problem(sentenceOf(error)));
    if (!bytes || this.#signal.aborted) return;
    const read = readBytes(bytes);
    if ("text" in read) return use(read.text, file.name);
    if (read.encoding === null) return problem(`“${file.name}” seems to be ${read.seems}. Save it as plain text first.`);
    this.#askForEncoding(file.name, bytes, read.seems, read.encoding);
  }

  /** @param {File} file */
  #readButton(file) {
    return button("Open as text", () => (this.#dialog.close(), void this.#openText(file)));
  }

  /** @param {string} label @param {HTMLElement[]} content */
  #show(label, ...content) {
    this.#dialog.setAttribute("aria-label", label);
    fill(this.#dialog, ...content);
    if (!this.#dialog.open) this.#dialog.showModal();
  }

  /** A row of buttons, of which the last cancels. @param {HTMLElement[]} choices @returns {HTMLElement} */
  #row(...choices) {
    return element("div", { class: "row" }, ...choices, button("Cancel", () => this.#dialog.close()));
  }

  /** @param {File[]} files @param {Found} found @param {File[]} beside */
  #askWhetherTokenizer(files, { lacks }, beside) {
    this.#half = null;
    const { useTokenizer, problem } = this.#on;
    const large = files.find(({ size }) => size > MAX_TOKENIZER_FILE);
    if (large) return problem(sayTooLarge(large, MAX_TOKENIZER_FILE));
    const names = files.map(({ name }) => `“${name}”`).join(" and ");
    const hold = `${names} ${files.length > 1 ? "hold" : "holds"} a tokenizer`;
    const choices = files.length > 1 ? [] : [this.#readButton(files[0])];
    const pattern = lacks.includes("split_pattern") ? patternFields(files[0].name) : null;
    const specials = pattern && lacks.includes("special_tokens") ? specialsField() : null;
    const name = element("input", { type: "text", maxlength: MAX_LABEL, placeholder: files.map(({ name }) => name).join(" and "), ...PLAIN });
    const handleUse = () => (this.#dialog.close(), useTokenizer(files, { label: name.value.trim(), ...pattern?.said(), specials: specials?.area.value }, beside));
    name.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && !event.isComposing && handleUse());
    const naming = element("label", { class: "menu" }, element("span", {}, "Its name, if you like"), name);
    const use = button("Use the tokenizer", handleUse, { autofocus: !pattern });
    const question = pattern
      ? `${hold} without its split pattern. Choose the one that it was made with: with another, the same tokens cut a text elsewhere.`
      : `${hold}. Cut your text with it${choices.length ? ", or show the file itself as a text" : ""}?`;
    this.#show("Open it as a tokenizer?", element("p", {}, question), ...[pattern, specials].flatMap((field) => field?.node ?? []), naming, this.#row(use, ...choices));
  }

  /** @param {string} name @param {Uint8Array} bytes @param {string} seems @param {string} likely */
  #askForEncoding(name, bytes, seems, likely) {
    const preview = element("p", { class: "preview mono" });
    const decoded = (/** @type {number} */ size) => new TextDecoder(encodings.select.value).decode(bytes.subarray(0, size));
    const show = () => fill(preview, decoded(PREVIEW_BYTES));
    const encodings = menu("Read it as", ENCODINGS, likely, show);
    const use = () => {
      this.#on.use(decoded(bytes.length), name);
      this.#dialog.close();
    };
    show();
    const question = element("p", {}, `“${name}” seems to be ${seems}. Choose what makes it readable:`);
    this.#show("Which encoding?", question, encodings.node, preview, this.#row(button("Open", use)));
  }
}

const PLAIN = { spellcheck: "false", autocomplete: "off" };

/** The choice of a split pattern for a vocabulary, which may be the reader's own. @param {string} file its name */
function patternFields(file) {
  const own = element("input", { type: "text", class: "mono", maxlength: MAX_PATTERN, placeholder: FIRST_OWN, "aria-label": "A regular expression, as Python’s regex reads it", ...PLAIN });
  own.hidden = true;
  const { node, select } = menu("Split pattern", WITH_OWN, likelyPattern(file), (chosen) => void (own.hidden = chosen !== OWN_PATTERN));
  const said = () => patternQuery({ pattern: select.value, own: own.value, off: "" });
  return { node: [node, own], said };
}

function specialsField() {
  const area = element("textarea", { rows: 3, class: "mono", maxlength: MAX_SPECIALS, placeholder: "<|endoftext|> 50256", "aria-label": "Special tokens and their ids, one a line", ...PLAIN });
  return { node: [element("details", {}, element("summary", {}, "Special tokens and their ids, one a line"), area)], area };
}

/**
 * The files of a folder that may belong to a tokenizer.
 *
 * @param {FileSystemDirectoryEntry} folder
 * @returns {Promise<File[]>}
 */
export async function filesOf(folder) {
  const reader = folder.createReader();
  /** @type {FileSystemEntry[]} */
  const found = [];
  // It gives some of them at a time, and none at the end.
  for (let some; (some = await new Promise((use, fail) => reader.readEntries(use, fail))).length; ) found.push(...some);
  const named = /** @type {FileSystemFileEntry[]} */ (found.filter(({ isFile, name }) => isFile && OF_TOKENIZERS.test(name)));
  const files = await Promise.all(named.map((entry) => new Promise((use, fail) => entry.file(use, fail))));
  return /** @type {File[]} */ (files);
}

/** Whether a file can be read: a folder can't. @param {File} file */
const isReadable = (file) => file.slice(0, 1).arrayBuffer().then(() => true, () => false);
