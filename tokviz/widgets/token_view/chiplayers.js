/**
 * The chips behind the letters, while a text may change its tokens in every frame: those of the chunks in sight at once,
 * the others when the tokens rest.
 */

import { ChipLayer } from "./chiplayer.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {import("./chunk.js").Chunk} Chunk */
/** @typedef {import("./chunks.js").Chunks} Chunks */

const CLASS = "painted";

export class ChipLayers {
  #node;
  #chunks;
  #onOutdated;
  /** @type {Map<Chunk, ChipLayer>} */
  #layers = new Map();
  /** The smallest pieces of the text; null while chips are drawn with the letters. @type {Model | null} */
  #smallest = null;
  /** Colors by their names. @type {Map<string, string>} */
  #paints = new Map();
  #resizing = new ResizeObserver(() => this.#outdate());
  #disposal = new AbortController();

  /** @param {HTMLElement} node of the view @param {Chunks} chunks @param {() => void} onOutdated colors, or where letters are, have changed */
  constructor(node, chunks, onOutdated) {
    this.#node = node;
    this.#chunks = chunks;
    this.#onOutdated = onOutdated;
    const { signal } = this.#disposal;
    document.fonts?.addEventListener("loadingdone", () => this.#outdate(), { signal });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.#outdate(), { signal });
  }

  /** Use layers for a text, or not. @param {Model | null} smallest @returns {boolean} whether they show this text already */
  use(smallest) {
    const wasOn = this.#smallest !== null;
    const isSame = wasOn && this.#smallest?.text === smallest?.text;
    this.#smallest = smallest;
    if (wasOn === (smallest !== null)) return isSame;
    this.#node.classList.toggle(CLASS, smallest !== null);
    this.#paints.clear();
    if (smallest) this.#resizing.observe(this.#chunks.content);
    else this.#remove();
    return false;
  }

  #remove() {
    this.#resizing.disconnect();
    for (const layer of this.#layers.values()) layer.remove();
    this.#layers.clear();
  }

  /** Measure everything again. */
  #outdate() {
    for (const layer of this.#layers.values()) layer.remove();
    this.#paints.clear();
    this.draw();
    this.#onOutdated();
  }

  /** The layer of a chunk, if chips are drawn in layers. @param {Chunk} chunk */
  of(chunk) {
    return this.#smallest ? this.#layers.get(chunk) : undefined;
  }

  /** Draw the chips of the lines in view. @returns {Chunk[]} their chunks */
  drawInView() {
    const { top, bottom } = this.#node.getBoundingClientRect();
    return this.draw(this.#chunks.findOnScreen(), [top, bottom]);
  }

  /**
   * Draw the chips of chunks.
   *
   * @param {(chunk: Chunk) => boolean} [isWanted] @param {[top: number, bottom: number]} [view] see `ChipLayer.draw`
   * @returns {Chunk[]} those drawn
   */
  draw(isWanted = ({ near }) => near, view) {
    const [smallest, model] = [this.#smallest, this.#chunks.model];
    if (!smallest || !model || smallest.text !== model.text) return [];
    const wanted = this.#chunks.list.filter((chunk) => chunk.near && isWanted(chunk));
    for (const chunk of this.#layers.keys()) if (!chunk.near) this.#layers.delete(chunk);
    for (const chunk of wanted) {
      const layer = this.#layers.get(chunk) ?? new ChipLayer(chunk);
      this.#layers.set(chunk, layer);
      if (!layer.isMeasured) layer.measure(smallest);
    }
    const paintOf = (/** @type {number} */ i) => this.colorOf(model.colorOf?.(i) ?? "tint-0");
    for (const chunk of wanted) this.#layers.get(chunk)?.draw(model, smallest, paintOf, this.colorOf("ink"), view);
    return wanted;
  }

  /** The color of this name in the theme. @param {string} name */
  colorOf(name) {
    let paint = this.#paints.get(name);
    if (paint === undefined) this.#paints.set(name, (paint = this.#resolve(name)));
    return paint;
  }

  /** @param {string} name */
  #resolve(name) {
    const probe = document.createElement("i");
    probe.style.color = `var(--${name})`;
    this.#node.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }

  dispose() {
    this.#remove();
    this.#disposal.abort();
  }
}
