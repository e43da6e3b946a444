/**
 * The text as the tokens of several tokenizers: beneath each other line by line, one at a time in place, or side by side.
 * Where all cut alike, words stand over a quiet rule; where they differ, tokens are chips in their tokenizer's color.
 *
 * It needs columns only, so it works without a server. For a screen reader it is a single labeled group, navigated with
 * the arrow keys; the table of differences gives the same content as text.
 */

import { debounce, element, fill, plural } from "../shared/dom/elements.js";
import { Chunk } from "../token_view/chunk.js";
import { Chunks } from "../token_view/chunks.js";
import { around, scrollDistance, tokenUnder } from "../token_view/geometry.js";
import { Highlights } from "../token_view/highlights.js";
import { segmentOf, tokensIn } from "./model.js";

/** @typedef {import("../token_view/piece.js").Paint} Paint */

/**
 * A chunk drawn once for each tokenizer. The browser lays the same letters out at the same places each time, since a token
 * takes no room; the stylesheet puts the layers beneath, over or beside each other.
 */
class LayeredChunk extends Chunk {
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

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("./settings.js").OwnSettings["view"]} Layout */
/** @typedef {import("./walking.js").Move | "leave"} Walk */

/** @type {Record<string, Walk>} */
const KEYS = {
  ArrowRight: "next",
  ArrowDown: "next",
  ArrowLeft: "previous",
  ArrowUp: "previous",
  Home: "first",
  End: "last",
  Escape: "leave",
};

/** Time for which what changes flashes (compared.css). */
const FLASH_MS = 600;

/**
 * @typedef {object} TextListeners
 * @property {(segment: number) => void} select
 * @property {(where: Walk) => void} walk
 */

export class ComparedText {
  /** @type {Comparison | null} */
  comparison = null;
  /** @type {{pointed: number | null, chosen: number | null}} */
  #segments = { pointed: null, chosen: null };
  /** How the text is painted for each tokenizer. @type {import("../token_view/piece.js").Paint[]} */
  #paints = [];
  /** For each tokenizer. @type {Highlights[]} */
  #highlights = [];
  /** @type {Chunks | null} */
  #chunks = null;
  #flashLater = debounce(() => this.node.classList.remove("flipping"), FLASH_MS);
  #disposal = new AbortController();
  #on;

  /** @param {HTMLElement} root @param {TextListeners} on */
  constructor(root, on) {
    this.#on = on;
    /** @type {HTMLElement} */
    this.node = element("div", { class: "token-view compared", tabindex: 0, role: "group" });
    root.append(this.node);
    this.layOut("aligned");
    const { signal } = this.#disposal;
    const listen = (/** @type {string} */ type, /** @type {(event: any) => void} */ listener) =>
      this.node.addEventListener(type, listener, { signal });
    listen("pointermove", (event) => event.pointerType !== "touch" && this.#point(this.#segmentUnder(event)));
    listen("pointerleave", () => this.#point(null));
    listen("click", (event) => {
      const segment = this.#segmentUnder(event);
      if (segment !== null) on.select(segment);
    });
    listen("keydown", (event) => this.#handleKey(event));
    window.addEventListener("beforeprint", () => this.#chunks?.drawForPrint(), { signal });
    window.addEventListener("afterprint", () => this.#chunks?.clearFar(), { signal });
  }

  /** @param {Comparison} comparison @param {string} [lang] language of the text, if known */
  show(comparison, lang = "") {
    const isOfOthers = this.comparison?.names.join("\n") !== comparison.names.join("\n");
    this.comparison = comparison;
    this.#paints = comparison.models.map((model, t) => {
      const differs = (/** @type {number} */ i) => comparison.isDiffering[segmentOf(comparison, t, i)] === 1;
      return { model, colorOf: (i) => (differs(i) ? `own-${comparison.colors[t]}` : "alike"), view: "text" };
    });
    if (isOfOthers) this.#start(comparison.names);
    const chunks = /** @type {Chunks} */ (this.#chunks);
    if (chunks.content.lang !== lang) chunks.content.lang = lang;
    const says = comparison.differing.length ? plural(comparison.differing.length, "difference") : "no differences";
    this.node.setAttribute("aria-label", `Compared text: ${says}. Arrow keys go from one to the next.`);
    this.#segments = { pointed: null, chosen: null };
    chunks.show(this.#paints[0]);
    this.#drawHighlights();
  }

  /** @param {Layout} layout */
  layOut(layout) {
    this.node.dataset.layout = layout;
  }

  /** Show one tokenizer's tokens where the text is in place. @param {number} t */
  flip(t) {
    this.node.dataset.shown = String(t);
    this.node.classList.add("flipping");
    this.#flashLater.later();
  }

  /** @param {number | null} segment the chosen segment */
  choose(segment) {
    this.#segments.chosen = segment;
    this.#drawHighlights();
  }

  /** Scroll a segment into view, within this view only. @param {number} segment */
  scrollTo(segment) {
    const [chunks, comparison] = [this.#chunks, this.comparison];
    if (!chunks || !comparison) return;
    const [first] = tokensIn(comparison, 0, segment);
    // Twice, because heights above are estimates until they have been laid out.
    for (let attempt = 0; attempt < 2; attempt++) {
      const letters = chunks.drawnOf(Math.min(first, comparison.models[0].n - 1))?.element;
      if (!letters) return;
      this.#drawHighlights();
      const lit = [letters, ...letters.closest(".layered")?.querySelectorAll(".on") ?? []];
      const rows = lit.flatMap((each) => Array.from(each.getClientRects()).slice(0, 1));
      const distance = scrollDistance(around(rows), this.node.getBoundingClientRect());
      if (distance === null) return;
      this.node.scrollTop += distance;
    }
  }

  /** Scroll the page to the chosen segment, or to the view if there is none. */
  bringIntoView() {
    (this.node.querySelector(".on") ?? this.node).scrollIntoView({ block: "nearest" });
  }

  /** The lines of the chosen segment on screen; null if there is none. @returns {import("../shared/ui/bubble.js").Box | null} */
  chosenBox() {
    const boxes = Array.from(this.node.querySelectorAll(".on")).flatMap((each) => Array.from(each.getClientRects()));
    return boxes.length ? around(boxes) : null;
  }

  focus() {
    this.node.focus({ preventScroll: true });
  }

  dispose() {
    this.#disposal.abort();
    this.#flashLater.cancel();
    this.#chunks?.dispose();
    this.node.remove();
  }

  /** Begin anew with other tokenizers. @param {string[]} names */
  #start(names) {
    this.#chunks?.dispose();
    this.#highlights = names.map(() => new Highlights());
    const paints = () => this.#paints;
    this.#chunks = new Chunks(this.node, () => this.#drawHighlights(), (...chunk) => new LayeredChunk(...chunk, paints));
    this.#chunks.content.classList.add("marks");
    fill(this.node, this.#chunks.content);
    this.node.style.setProperty("--tokenizers", String(names.length));
  }

  // Pointing and selecting

  /** @param {KeyboardEvent} event */
  #handleKey(event) {
    const where = KEYS[event.key];
    if (!where || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.#on.walk(where);
  }

  /** @param {MouseEvent} event @returns {number | null} */
  #segmentUnder(event) {
    const layer = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".layer"));
    const i = this.#chunks && tokenUnder(this.#chunks, event);
    return layer && i !== null && this.comparison ? segmentOf(this.comparison, Number(layer.dataset.layer), i) : null;
  }

  /** @param {number | null} segment */
  #point(segment) {
    if (segment === this.#segments.pointed) return;
    this.#segments.pointed = segment;
    this.#drawHighlights();
  }

  /** Highlight the pointed and the chosen segment in all layers. */
  #drawHighlights() {
    const comparison = this.comparison;
    if (!comparison || !this.#chunks) return;
    const drawn = /** @type {LayeredChunk[]} */ (this.#chunks.list.filter((chunk) => chunk.drawn));
    const { pointed, chosen } = this.#segments;
    this.#highlights.forEach((highlights, t) => {
      highlights.range = pointed === null ? [0, 0] : tokensIn(comparison, t, pointed);
      highlights.chosen = chosen === null ? [0, 0] : tokensIn(comparison, t, chosen);
      highlights.draw(drawn.map(({ layers }) => layers[t]), comparison.models[t]);
    });
  }
}
