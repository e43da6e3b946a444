/**
 * How a text is shown by its size: in large type if it is short, and from a number of lines on with ids beneath one line
 * only. A paste, another text or leaving the field changes that, and no key.
 */

/** Characters that a row of large type has room for, about. */
const COLUMNS = 34;
/** Maximum rows of large type of a short text, and of any text whose lines all have ids. */
const [SHORT, FEW] = [6, 12];
/** Length of a text that surely has more rows, in UTF-16 units. */
const LONG = COLUMNS * FEW * 4;

/** @typedef {{type: "short" | "long", ids: "all" | "line"}} Size `ids`: beneath all lines, or beneath one */

/** @param {string} text @returns {Size} */
export function sizeOf(text) {
  const rows = text.length > LONG ? Infinity : rowsOf(text);
  return { type: rows > SHORT ? "long" : "short", ids: rows > FEW ? "line" : "all" };
}

/** @param {string} text */
const rowsOf = (text) => text.replace(/\n$/, "").split("\n").reduce((rows, line) => rows + Math.max(1, Math.ceil(Array.from(line).length / COLUMNS)), 0);

export class TextSize {
  #size = sizeOf("");
  #isPressed = false;
  #text;
  #onChange;
  #signal;

  /** @param {() => string} text that is edited @param {() => void} onChange it is to be shown otherwise @param {AbortSignal} signal */
  constructor(text, onChange, signal) {
    this.#text = text;
    this.#onChange = onChange;
    this.#signal = signal;
    const note = (/** @type {Event} */ { type }) => (this.#isPressed = type === "pointerdown");
    for (const type of ["pointerdown", "pointerup", "pointercancel"]) document.addEventListener(type, note, { signal, capture: true });
  }

  get type() {
    return this.#size.type;
  }

  get ids() {
    return this.#size.ids;
  }

  /** Show the text as its size asks for. */
  settle() {
    const { type, ids } = this.#size;
    this.#size = sizeOf(this.#text());
    if (type !== this.type || ids !== this.ids) this.#onChange();
  }

  /** The same, but what is pressed stays in its place until it is released. */
  settleOnceReleased() {
    const signal = this.#signal;
    if (!this.#isPressed) return this.settle();
    document.addEventListener("pointerup", () => setTimeout(() => signal.aborted || this.settle()), { once: true, signal });
  }
}
