/**
 * The ids beneath the lines of the colored text, in rows of their own that move no letter.
 *
 * They are drawn in a layer over each chunk in sight: in one frame, all chips are measured first, then all layers are
 * written. They are no part of the text, neither copied nor found: the stylesheet writes them from attributes.
 */

import { element } from "../shared/dom/elements.js";
import { svg } from "../shared/dom/svg.js";
import { bytesOf, tokenEnd } from "../shared/text/tokenization.js";
import { withSigns } from "../shared/text/invisibles.js";
import { labelOf, MAX_ROWS, placeIds } from "./idrows.js";
import { MAX_LABELED_STRIPES, placesOf } from "./piece.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {import("./chunk.js").Chunk} Chunk */
/** @typedef {import("./chunks.js").Chunks} Chunks */
/** @typedef {import("./idrows.js").Item} Item */
/** @typedef {import("./idrows.js").Place} Place */
/** @typedef {{left: number, right: number, top: number, bottom: number, isDense: boolean}} Box of a token, within its chunk */
/** @typedef {{bottom: number, places: Place[]}} Line */

/** Size of an id, width of a digit, height of a row and room for leaders, in em of the text, as in view.css. */
const [SIZE, DIGIT, ROW, LEADERS] = [0.68, 0.68 * 0.602, 0.8, 0.28];
/** Maximum tokens of a group, which a bracket holds together; a group otherwise ends before a space. */
const MAX_GROUP = 8;
/** Maximum tokens that an open bracket lists. */
const MAX_LISTED = 60;

export class Ids {
  #chunks;
  #node;
  #frame = 0;
  #isShown = false;
  #onRows;
  #disposal = new AbortController();
  #open = element("div", { class: "bracket-card", hidden: true });
  #resizing = new ResizeObserver(() => this.outdate());

  /**
   * @param {HTMLElement} node of the view
   * @param {Chunks} chunks
   * @param {(rows: number) => void} onRows beneath each line there is room for so many rows now
   */
  constructor(node, chunks, onRows) {
    this.#node = node;
    this.#chunks = chunks;
    this.#onRows = onRows;
    const { signal } = this.#disposal;
    node.append(this.#open);
    // Scroll events come before the frame is painted.
    document.addEventListener("scroll", () => this.draw(), { signal, capture: true, passive: true });
    node.addEventListener("pointerover", (event) => event.pointerType !== "touch" && this.#point(event.target), { signal });
    node.addEventListener("pointerleave", () => this.openFor(null), { signal });
    this.#resizing.observe(node);
    document.fonts?.addEventListener("loadingdone", () => this.outdate(), { signal });
  }

  /** Show the ids, or not. @param {boolean} isShown @param {boolean} isOther whether the text is another one */
  show(isShown, isOther) {
    this.#isShown = isShown;
    this.openFor(null);
    if (isOther) this.#giveRows(1);
    if (isShown) this.draw();
  }

  /** Draw all of them again, since their places have changed. */
  outdate() {
    for (const chunk of this.#chunks.list) chunk.areIdsCurrent = false;
    this.draw();
  }

  /** Draw those that are missing in sight, before the next frame is painted. */
  draw() {
    cancelAnimationFrame(this.#frame);
    if (this.#isShown) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    const { model } = this.#chunks;
    const missing = this.#chunks.list.filter((chunk) => chunk.near && chunk.drawn && !chunk.areIdsCurrent && isInSight(chunk));
    if (!model || !missing.length) return;
    let lines = missing.map((chunk) => this.#linesOf(model, chunk));
    const rows = Math.max(...lines.flat().flatMap(({ places }) => places.map(({ row }) => row + 1)), 1);
    if (rows > Number(this.#node.dataset.idRows ?? 1)) {
      this.#giveRows(rows);
      lines = missing.map((chunk) => this.#linesOf(model, chunk)); // the lines are higher now
    }
    const size = parseFloat(getComputedStyle(this.#chunks.content).fontSize);
    missing.forEach((chunk, k) => drawLayer(chunk, layerOf(model, lines[k], size)));
  }

  /** @param {number} rows */
  #giveRows(rows) {
    const written = String(Math.min(rows, MAX_ROWS));
    if (this.#node.dataset.idRows === written) return;
    this.#node.dataset.idRows = written;
    this.#onRows(Number(written));
    for (const chunk of this.#chunks.list) chunk.areIdsCurrent = false;
  }

  // Measuring

  /** @param {Model} model @param {Chunk} chunk @returns {Line[]} */
  #linesOf(model, chunk) {
    const { lineHeight, fontSize } = getComputedStyle(chunk.element);
    const size = parseFloat(fontSize);
    const block = chunk.element.getBoundingClientRect();
    /** @type {Map<number, {bottom: number, items: Item[]}>} */
    const lines = new Map();
    let group = 0;
    let inGroup = 0;
    for (const [token, boxes] of boxesOf(model, chunk, block, size)) {
      const box = widest(boxes);
      const isDense = boxes.some((each) => each.isDense);
      if (++inGroup > MAX_GROUP && !isDense) inGroup = 1;
      if (inGroup === 1 || /^\s/.test(model.text.slice(model.starts[token], tokenEnd(model, token)))) [group, inGroup] = [group + 1, 1];
      const at = Math.floor((box.top + box.bottom) / 2 / parseFloat(lineHeight));
      const line = lines.get(at) ?? { bottom: 0, items: [] };
      line.bottom = Math.max(line.bottom, box.bottom);
      line.items.push({ token, group, isDense, left: box.left, right: box.right, width: String(model.ids[token]).length * DIGIT * size });
      lines.set(at, line);
    }
    return [...lines.values()].map(({ bottom, items }) => ({ bottom, places: placeIds(items, block.width, DIGIT * size) }));
  }

  // Brackets

  /** Open the bracket of a token, and close any other. @param {number | null} token */
  openFor(token) {
    const brackets = [...this.#node.querySelectorAll(".bracket")];
    const bracket = token === null ? undefined : brackets.find((each) => tokensOf(each).includes(token));
    this.#openBracket(/** @type {HTMLElement | undefined} */ (bracket) ?? null);
  }

  /** Open the bracket that is pressed. Returns whether there is one. @param {Event} event */
  press({ target }) {
    const bracket = /** @type {Element} */ (target).closest(".bracket");
    if (bracket) this.#openBracket(/** @type {HTMLElement} */ (bracket));
    return bracket !== null;
  }

  /** @param {EventTarget | null} target */
  #point(target) {
    const at = /** @type {Element} */ (target);
    if (this.#open.contains(at)) return;
    this.#openBracket(at.closest(".bracket"));
  }

  /** @param {HTMLElement | null} bracket */
  #openBracket(bracket) {
    const { model } = this.#chunks;
    this.#open.hidden = !bracket || !model;
    if (!bracket || !model) return;
    const tokens = tokensOf(bracket);
    const shown = tokens.slice(0, MAX_LISTED).map((i) => {
      const isPart = model.inside[i] || model.inside[i + 1];
      const text = isPart ? bytesOf(model, i) : withSigns(model.text.slice(model.starts[i], tokenEnd(model, i)));
      return element("span", { "data-token": i }, element("b", { class: `t ${model.colorOf?.(i) ?? "tint-0"}` }, element("bdi", {}, text)), element("small", {}, String(model.ids[i])));
    });
    this.#open.replaceChildren(...shown);
    const [view, at] = [this.#node.getBoundingClientRect(), bracket.getBoundingClientRect()];
    const left = Math.max(8, Math.min(at.left - view.left, view.width - this.#open.offsetWidth - 24));
    Object.assign(this.#open.style, { left: `${left}px`, top: `${at.bottom - view.top + this.#node.scrollTop}px` });
  }

  dispose() {
    cancelAnimationFrame(this.#frame);
    this.#resizing.disconnect();
    this.#disposal.abort();
  }
}

/** Whether a chunk is on screen; of others, measuring would take time from the frame. @param {Chunk} chunk */
function isInSight({ element }) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/** @param {Element} bracket */
const tokensOf = (bracket) => /** @type {HTMLElement} */ (bracket).dataset.tokens?.split(" ").map(Number) ?? [];

/** The token whose id or bracket an element is; null if it is none. @param {Element} element */
export function tokenOfId(element) {
  const id = /** @type {HTMLElement | null} */ (element.closest("[data-token]"));
  return id ? Number(id.dataset.token) : null;
}

/**
 * The boxes of the tokens that start in a chunk, in token order. Parts that touch are one box.
 *
 * @param {Model} model @param {Chunk} chunk @param {DOMRect} block @param {number} size of the text
 */
function boxesOf(model, chunk, block, size) {
  /** @type {Map<number, Box[]>} */
  const found = new Map();
  const add = (/** @type {number} */ token, /** @type {Box} */ box) => {
    if (model.starts[token] < chunk.from) return;
    const boxes = found.get(token) ?? [];
    found.set(token, boxes);
    const touching = boxes.find(({ left, right, top, bottom }) => Math.min(bottom, box.bottom) > Math.max(top, box.top) && box.left < right + 1 && box.right > left - 1);
    if (touching) Object.assign(touching, { left: Math.min(touching.left, box.left), right: Math.max(touching.right, box.right) });
    else boxes.push(box);
  };
  for (const { element, look } of chunk.drawn ?? []) {
    const { piece, stripes, rightToLeft } = look;
    const isDense = stripes !== null && stripes.length > MAX_LABELED_STRIPES;
    for (const { left, right, top, bottom } of element.getClientRects()) {
      const box = { left: left - block.left, right: right - block.left, top: top - block.top, bottom: bottom - block.top, isDense };
      const width = right - left;
      if (!stripes) add(piece.first, box);
      else if (isDense) for (const { token } of stripes) add(token, { ...box });
      else for (const { token, start, end } of placesOf(stripes)) {
        const [from, to] = rightToLeft ? [1 - end, 1 - start] : [start, end];
        add(token, { ...box, left: box.left + from * width, right: box.left + to * width });
      }
    }
    const newline = stripes ? null : element.querySelector(".newline");
    const end = newline?.getClientRects()[0];
    if (!end) continue;
    // The mark of a line end is drawn beyond the line (invisibles.css).
    const [x, mark] = [end.left - block.left, 0.6 * size];
    const isLeftwards = newline?.classList.contains("rtl") || (rightToLeft && !newline?.classList.contains("ltr"));
    add(piece.first, { left: isLeftwards ? x - mark : x, right: isLeftwards ? x : x + mark, top: end.top - block.top, bottom: end.bottom - block.top, isDense });
  }
  return [...found].sort(([one], [other]) => one - other);
}

/** @param {Box[]} boxes */
const widest = (boxes) => boxes.reduce((most, box) => (box.right - box.left > most.right - most.left ? box : most));

// Drawing

/** @param {Chunk} chunk @param {HTMLElement} layer */
function drawLayer(chunk, layer) {
  const old = chunk.element.querySelector(":scope > .ids-layer");
  if (old) old.replaceWith(layer);
  else chunk.element.append(layer);
  chunk.areIdsCurrent = true;
}

/** @param {Model} model @param {Line[]} lines @param {number} size of the text */
function layerOf(model, lines, size) {
  const layer = element("div", { class: "ids-layer", dir: "ltr" });
  const leaders = [];
  for (const { bottom, places } of lines) {
    const isStaggered = places.some(({ row, left, right, path }) => row > 0 || Math.abs(path[0] - (left + right) / 2) > 2);
    const top = (/** @type {number} */ row) => bottom + (isStaggered ? LEADERS : 0.08) * size + row * ROW * size;
    for (const { tokens, left, right, row, path, width } of places) {
      const center = path[path.length - 1];
      const isBracket = tokens.length > 1;
      const label = element("i", isBracket ? { class: "bracket", "data-id": labelOf(tokens.length), "data-tokens": tokens.join(" ") } : { "data-id": model.ids[tokens[0]], "data-token": tokens[0] });
      Object.assign(label.style, { left: `${(center - width / 2).toFixed(1)}px`, top: `${top(row).toFixed(1)}px`, width: `${width.toFixed(1)}px` });
      layer.append(label);
      const from = (left + right) / 2;
      if (isBracket) leaders.push(`M${left + 2} ${bottom}v3H${right - 2}v-3`);
      if (!isBracket && !row && Math.abs(center - from) <= 2) continue;
      const bends = path.map((x, k) => `L${x.toFixed(1)} ${top(k).toFixed(1)}${k < row ? `v${(ROW * size).toFixed(1)}` : ""}`);
      leaders.push(`M${from.toFixed(1)} ${bottom + (isBracket ? 3 : 0)}${bends.join("")}`);
    }
  }
  const drawing = svg("svg", {});
  drawing.append(svg("path", { d: leaders.join("") }));
  if (leaders.length) layer.prepend(drawing);
  return layer;
}
