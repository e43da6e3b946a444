/**
 * Open a text file chosen in a dialog or dropped anywhere on the widget. If the file contains a tokenizer, ask whether
 * to open it as one.
 */

import { button, element, fill, menu } from "../dom/elements.js";
import { ENCODINGS, largest, MAX_FILE, readBytes, tokenizerIn, unreadable } from "./files.js";

/** Bytes decoded for the preview while the reader chooses an encoding. */
const PREVIEW_BYTES = 600;

/**
 * @param {HTMLElement} target accepts dropped files
 * @param {object} on
 * @param {(text: string) => void} on.use
 * @param {(name: string, bytes: Uint8Array<ArrayBuffer>) => void} [on.useTokenizer] if the page opens tokenizers
 * @param {(sentence: string) => void} on.problem why a file was not opened; "" when another is tried
 */
export function createOpening(target, on) {
  const disposal = new AbortController();
  const input = element("input", { type: "file", hidden: true, change: handleChoice, "aria-label": "A text file" });
  const node = element("span", {}, input, button("open a file", () => input.click()));
  const dialog = element("dialog", { class: "opening", close: () => dialog.open || fill(dialog) });

  const listen = (/** @type {string} */ event, /** @type {(event: DragEvent) => void} */ listener) =>
    target.addEventListener(event, /** @type {EventListener} */ (listener), { signal: disposal.signal });
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
    void open(event.dataTransfer?.files[0]);
  });

  function handleChoice() {
    void open(input.files?.[0]);
    input.value = ""; // so that the same file can be chosen again
  }

  /** @param {File | undefined} file */
  async function open(file) {
    if (!file) return;
    on.problem("");
    if (file.size > largest(file.name)) return tooLarge(file.name, file.size);
    /** @type {Uint8Array<ArrayBuffer>} */
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      return on.problem(`“${file.name}” can't be read. A folder can't be opened, nor a file that is gone.`);
    }
    if (disposal.signal.aborted) return;
    const refused = unreadable(file.name, bytes);
    if (refused?.isText) return offerAsText(file.name, bytes, refused.says);
    if (refused) return on.problem(refused.says);
    const holds = tokenizerIn(file.name, bytes);
    if (holds) askWhetherTokenizer(file.name, bytes, holds);
    else openText(file.name, bytes);
  }

  /** @param {string} name @param {number} size in bytes */
  function tooLarge(name, size) {
    const [has, most] = [size, largest(name)].map((bytes) => (bytes / 1e6).toLocaleString("en-US", { maximumFractionDigits: 1 }));
    on.problem(`“${name}” has ${has} MB, and ${most} MB is the most that fits.`);
  }

  /** @param {string} name @param {Uint8Array} bytes */
  function openText(name, bytes) {
    if (bytes.length > MAX_FILE) return on.problem(`“${name}” is too long for a text: ${MAX_FILE / 1e6} MB is the most that fits.`);
    const read = readBytes(bytes);
    if ("text" in read) return on.use(read.text);
    if (read.encoding === null) return on.problem(`“${name}” seems to be ${read.seems}. Save it as plain text first.`);
    askForEncoding(name, bytes, read.seems, read.encoding);
  }

  /** @param {string} name @param {Uint8Array} bytes @param {string} reason why it is not opened as a tokenizer */
  function offerAsText(name, bytes, reason) {
    ask("Open it as a text?", `${reason} You can read the file itself as a text.`, readButton(name, bytes));
  }

  /** @param {string} name @param {Uint8Array} bytes */
  const readButton = (name, bytes) => button("open as text", () => (dialog.close(), openText(name, bytes)));

  /** @param {string} label @param {string} question @param {HTMLElement[]} choices */
  function ask(label, question, ...choices) {
    dialog.setAttribute("aria-label", label);
    const cancel = button("cancel", () => dialog.close());
    fill(dialog, element("p", {}, question), element("div", { class: "row" }, ...choices, cancel));
    dialog.showModal();
  }

  /** @param {string} name @param {Uint8Array<ArrayBuffer>} bytes @param {"whole" | "without pattern"} holds */
  function askWhetherTokenizer(name, bytes, holds) {
    const { useTokenizer } = on;
    const choices = [readButton(name, bytes)];
    let question = `“${name}” holds a tokenizer. Cut your text with it, or show the file itself as a text?`;
    if (holds === "without pattern")
      question = `“${name}” holds a tokenizer without its split pattern. To use it, open it on the Train page, where you choose one.`;
    else if (useTokenizer)
      choices.unshift(button("use the tokenizer", () => (dialog.close(), useTokenizer(name, bytes))));
    else question = `“${name}” holds a tokenizer. To use it, open it on the Tokens page.`;
    ask("Open it as a tokenizer?", question, ...choices);
  }

  /** @param {string} name @param {Uint8Array} bytes @param {string} seems @param {string} likely */
  function askForEncoding(name, bytes, seems, likely) {
    const preview = element("p", { class: "preview mono" });
    const decoded = (/** @type {number} */ size) => new TextDecoder(encodings.select.value).decode(bytes.subarray(0, size));
    const show = () => fill(preview, decoded(PREVIEW_BYTES));
    const encodings = menu("Read it as", ENCODINGS, likely, show);
    const use = () => {
      on.use(decoded(bytes.length));
      dialog.close();
    };
    show();
    dialog.setAttribute("aria-label", "Which encoding?");
    fill(
      dialog,
      element("p", {}, `“${name}” seems to be ${seems}. Choose what makes it readable:`),
      encodings.node,
      preview,
      element("div", { class: "row" }, button("open", use), button("cancel", () => dialog.close())),
    );
    dialog.showModal();
  }

  return {
    node,
    dialog,
    dispose() {
      disposal.abort();
    },
  };
}

/** @param {DragEvent} event */
const holdsFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;
