/**
 * A chunk of a compared text, drawn once for each tokenizer. The browser lays the same letters out at the same places
 * each time, since a token takes no room; the stylesheet puts the layers beneath, over or beside each other.
 */

import { Chunk } from "../token_view/chunk.js";

/** @typedef {import("../token_view/piece.js").Paint} Paint */

export class LayeredChunk extends Chunk {
  #paints;

  /**
   * @param {string} text @param {number} from its start in the whole text @param {"auto" | "ltr" | "rtl"} dir
   * @param {() => Paint[]} paints how the text is painted now, for each tokenizer
   */
  constructor(text, from, dir, paints) {
    super(text, from, dir);
    this.#paints = paints;
    /** One for each tokenizer. @type {readonly Chunk[]} */
    this.layers = paints().map((_, t) => createLayer(text, from, dir, t));
    this.element.classList.add("layered");
    this.element.replaceChildren(...this.layers.map(({ element }) => element));
  }

  clear() {
    this.#place();
    for (const layer of this.layers) layer.clear();
    this.drawn = null;
  }

  /** @param {Paint} _ that of the first tokenizer @param {WeakMap<Element, Chunk>} owners */
  draw(_, owners) {
    this.#place();
    this.#paints().forEach((paint, t) => this.layers[t].draw(paint, owners));
    this.drawn = this.layers[0].drawn;
  }

  /** Tell the layers the text and the place that an edit gave this chunk. */
  #place() {
    for (const layer of this.layers) Object.assign(layer, { text: this.text, from: this.from });
  }
}

/** @param {string} text @param {number} from @param {"auto" | "ltr" | "rtl"} dir @param {number} t */
function createLayer(text, from, dir, t) {
  const layer = new Chunk(text, from, dir);
  layer.element.classList.add("layer");
  layer.element.dataset.layer = String(t);
  layer.element.style.setProperty("--layer", String(t));
  return layer;
}
