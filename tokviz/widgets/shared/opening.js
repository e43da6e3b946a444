/**
 * Opening a text file: chosen from a dialog, or dropped anywhere on the widget.
 */

import { button, element, fill, menu } from "./elements.js";
import { ENCODINGS, MAX_FILE, readBytes } from "./files.js";

/** So much of the text is shown while the reader chooses an encoding. */
const PREVIEW_BYTES = 600;

/**
 * @param {HTMLElement} target where files may be dropped
 * @param {object} on
 * @param {(text: string) => void} on.use
 * @param {(sentence: string) => void} on.problem why a file was not opened; "" when the next one is tried
 */
export function createOpening(target, on) {
  const gone = new AbortController();
  const input = element("input", { type: "file", hidden: true, change: chosen, "aria-label": "A text file" });
  const node = element("span", {}, input, button("open a file", () => input.click()));
  const dialog = element("dialog", { class: "opening", "aria-label": "Which encoding?", close: () => fill(dialog) });

  const listen = (/** @type {string} */ event, /** @type {(event: DragEvent) => void} */ listener) =>
    target.addEventListener(event, /** @type {EventListener} */ (listener), { signal: gone.signal });
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

  function chosen() {
    void open(input.files?.[0]);
    input.value = ""; // the same file may be chosen again
  }

  /** @param {File | undefined} file */
  async function open(file) {
    if (!file) return;
    on.problem("");
    if (file.size > MAX_FILE) {
      const size = (file.size / 1e6).toLocaleString("en-US", { maximumFractionDigits: 1 });
      return on.problem(`“${file.name}” has ${size} MB, and ${MAX_FILE / 1e6} MB is the most that fits.`);
    }
    /** @type {Uint8Array} */
    let bytes;
    try {
      bytes = new Uint8Array(await file.arrayBuffer());
    } catch {
      return on.problem(`“${file.name}” can't be read. A folder can't be opened, nor a file that is gone.`);
    }
    if (gone.signal.aborted) return;
    const read = readBytes(bytes);
    if ("text" in read) return on.use(read.text);
    if (read.encoding === null) return on.problem(`“${file.name}” seems to be ${read.seems}. Save it as plain text first.`);
    askForEncoding(file.name, bytes, read.seems, read.encoding);
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
      gone.abort();
    },
  };
}

/** @param {DragEvent} event */
const holdsFiles = (event) => event.dataTransfer?.types.includes("Files") ?? false;
