/**
 * The ids of one line of a long text, in a strip that is laid over the next lines and moves none.
 */

import { element } from "../shared/dom/elements.js";
import { IdLayer, ROW, sizeOfIds } from "./idlayer.js";
import { rowsOf } from "./idrows.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {import("./chunk.js").Chunk} Chunk */
/** @typedef {{y: number} | {token: number}} At a line of the text: the one at a height on screen, or that of a token */
/** @typedef {(model: Model, chunk: Chunk, k: number) => import("./ids.js").Measured | null} Measure of line k of a chunk; null if it is not drawn */

export class IdStrip {
  /** The line of the pointer. @type {At | null} */
  pointer = null;
  /** The caret's, which has its ids while there is no pointer. @type {At | null} */
  caret = null;
  #view;
  #chunks;
  #measure;
  #node = element("div", { class: "id-strip", hidden: true });
  /** `tall`: the strip's height in pixels. @type {{layer: IdLayer, chunk: Chunk, k: number, tall: number} | null} */
  #drawn = null;

  /** @param {HTMLElement} view @param {import("./chunks.js").Chunks} chunks @param {Measure} measure */
  constructor(view, chunks, measure) {
    this.#view = view;
    this.#chunks = chunks;
    this.#measure = measure;
    view.append(this.#node);
  }

  /** The layers that are drawn. */
  get layers() {
    return this.#drawn ? [this.#drawn.layer] : [];
  }

  /** Whether it is of the line that it is to be of. @param {boolean} isMoving see `draw` */
  isCurrent(isMoving) {
    const line = this.#find(isMoving);
    return line?.chunk === this.#drawn?.chunk && line?.k === this.#drawn?.k;
  }

  /** @param {boolean} isMoving whether tokens may change in every frame: then none is the caret's @returns {{chunk: Chunk, k: number} | null} */
  #find(isMoving) {
    const at = this.pointer ?? this.caret;
    const { model } = this.#chunks;
    if (!at || !model) return null;
    return "token" in at ? (isMoving || at.token >= model.n ? null : this.#lineOf(at.token)) : this.#lineAt(at.y);
  }

  /** @param {number} token */
  #lineOf(token) {
    const box = this.#chunks.drawnOf(token)?.element.getClientRects()[0];
    return box ? this.#lineIn(this.#chunks.chunkOf(token), (box.top + box.bottom) / 2) : null;
  }

  /** @param {number} y on screen */
  #lineAt(y) {
    if (!isAround(this.#view, y)) return null;
    const chunk = this.#chunks.list.find(({ near, element }) => near && isAround(element, y));
    return chunk ? this.#lineIn(chunk, y) : null;
  }

  /** @param {Chunk} chunk @param {number} y on screen */
  #lineIn(chunk, y) {
    const line = parseFloat(getComputedStyle(chunk.element).lineHeight);
    return { chunk, k: Math.floor((y - chunk.element.getBoundingClientRect().top) / line) };
  }

  /** Draw the ids of the line that they are to be of. @param {boolean} isMoving see `#find` */
  draw(isMoving) {
    const found = this.#find(isMoving);
    const { model, content } = this.#chunks;
    const measured = found && model ? this.#measure(model, found.chunk, found.k) : null;
    const line = measured?.lines[0];
    if (!found || !model || !measured || !line) return this.hide();
    const style = getComputedStyle(content);
    const size = sizeOfIds(style);
    const view = this.#view.getBoundingClientRect();
    const { left, top, width, height } = measured.block;
    Object.assign(this.#node.style, { left: `${left - view.left}px`, top: `${top - view.top + this.#view.scrollTop}px`, width: `${width}px`, height: `${height}px` });
    this.#node.style.setProperty("--from", `${line.bottom}px`);
    const tall = parseFloat(style.lineHeight) + (rowsOf(line.places) - 1) * ROW * size;
    this.#node.style.setProperty("--tall", `${tall}px`);
    const layer = new IdLayer(found.chunk, this.#node);
    this.#node.replaceChildren();
    layer.draw(model, [line], size);
    if (this.#node.hidden) this.#node.hidden = false;
    this.#drawn = { ...found, layer, tall };
  }

  /** Height of the strip of a token's line, in pixels; of one row of ids until it is drawn. @param {number} token */
  heightFor(token) {
    const { content } = this.#chunks;
    const [line, drawn] = [this.#lineOf(token), this.#drawn];
    return drawn && line?.chunk === drawn.chunk && line.k === drawn.k ? drawn.tall : parseFloat(getComputedStyle(content).lineHeight);
  }

  hide() {
    if (!this.#node.hidden) this.#node.hidden = true;
    this.#drawn = null;
  }
}

/** @param {HTMLElement} element @param {number} y */
function isAround(element, y) {
  const { top, bottom } = element.getBoundingClientRect();
  return y >= top && y < bottom;
}
