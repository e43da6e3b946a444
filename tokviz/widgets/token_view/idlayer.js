/**
 * The drawn ids of a chunk: a layer over it, which is no part of its text.
 *
 * All ids are one SVG text with a place for each digit: where they move, as they do with each key that is pressed, the
 * browser styles and lays out one element. It is inert and in a shadow tree, so that it is neither found nor copied.
 */

import { element } from "../shared/dom/elements.js";
import { svg } from "../shared/dom/svg.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {import("./chunk.js").Chunk} Chunk */
/** @typedef {import("./idrows.js").Place} Place */
/** @typedef {{bottom: number, places: Place[]}} Line `bottom`: lower edge of its chips, within the chunk */
/** @typedef {Place & {top: number}} Label */

/** Size of an id, width of its digits, height of a row, baseline in a row and room for leaders, in em of the text times the scale of its ids, as in view.css. */
const ID_SIZE = 0.68;
export const DIGIT = ID_SIZE * 0.602;
export const ROW = 0.8;
const [BASELINE, LEADERS, NO_LEADERS] = [0.62, 0.28, 0.08];
/** Maximum distance of an id without a leader from its chip's center, in the same em. */
const CENTERED = 0.11;

export class IdLayer {
  #chunk;
  #host;
  #size = 0;
  /** First token of the chunk when this was drawn; those of an unchanged chunk get other numbers by edits before it. */
  #first = 0;
  /** @type {Label[]} */
  #labels = [];
  #digits = document.createTextNode("");
  #text = svg("text", { "aria-hidden": "true" }, this.#digits);
  #leaders = svg("path", { fill: "none", stroke: "currentColor" });
  #drawing = svg("svg", { width: "100%", height: "100%", overflow: "visible" }, this.#leaders, this.#text);
  #node = element("div", { class: "ids-layer", dir: "ltr" });
  /** @type {HTMLElement[]} */
  #brackets = [];

  /** @param {Chunk} chunk @param {HTMLElement} [over] an element where the chunk is, if not the chunk's own */
  constructor(chunk, over = chunk.element) {
    this.#chunk = chunk;
    this.#host = over;
    const host = element("div", { class: "drawn-ids", inert: true });
    this.#drawing.style.display = "block"; // or it stands on a line of text, of which a part is below its lower edge
    host.attachShadow({ mode: "open" }).append(this.#drawing);
    this.#node.append(host);
  }

  /** @param {Model} model @param {Line[]} lines @param {number} size that lengths are measured in */
  draw(model, lines, size) {
    this.#size = size;
    this.#first = firstOf(this.#chunk);
    this.#labels = lines.flatMap((line) => labelsOf(line, size));
    this.#write(model, lines.map((line) => leadersOf(line, size)).join(""));
    this.#drawBrackets(this.#labels.filter(isBracket));
    // Before the text: an element between its letters would part them, and those of Arabic join.
    if (this.#node.parentElement !== this.#host) this.#host.prepend(this.#node);
  }

  /** @param {Model} model @param {string} leaders */
  #write(model, leaders) {
    setIfOther(this.#leaders, "d", leaders);
    const width = DIGIT * this.#size;
    const singles = this.#labels.filter((label) => !isBracket(label));
    const written = singles.map(({ tokens: [token] }) => String(model.ids[token]));
    const places = written.map((id, k) => Array.from(`${id} `, (_, digit) => (leftOf(singles[k]) + digit * width).toFixed(1)).join(" "));
    const baselines = written.map((id, k) => `${(singles[k].top + BASELINE * this.#size).toFixed(1)} `.repeat(id.length + 1));
    setIfOther(this.#text, "x", places.join(" "));
    setIfOther(this.#text, "y", baselines.join("").trim());
    const text = written.map((id) => `${id} `).join("");
    if (this.#digits.data !== text) this.#digits.data = text;
  }

  /** @param {Label[]} labels */
  #drawBrackets(labels) {
    while (this.#brackets.length > labels.length) this.#brackets.pop()?.remove();
    for (const [k, label] of labels.entries()) {
      this.#brackets[k] ??= this.#node.appendChild(element("i", { class: "bracket" }));
      const bracket = this.#brackets[k];
      setIfOther(bracket, "data-label", label.text);
      setIfOther(bracket, "title", `${label.tokens.length} tokens, too many for their ids to stand here`);
      Object.assign(bracket.style, { left: `${leftOf(label).toFixed(1)}px`, top: `${label.top.toFixed(1)}px`, width: `${label.width.toFixed(1)}px` });
    }
  }

  /** The tokens of a bracket of this layer; none of another element. @param {Element} bracket */
  tokensOf(bracket) {
    const label = this.#labels.filter(isBracket)[this.#brackets.indexOf(/** @type {HTMLElement} */ (bracket))];
    return label ? label.tokens.map((token) => this.#now(token)) : [];
  }

  /** The bracket of a token; null if its id stands by itself. @param {number} token */
  bracketOf(token) {
    const k = this.#labels.filter(isBracket).findIndex(({ tokens }) => tokens.some((each) => this.#now(each) === token));
    return this.#brackets[k] ?? null;
  }

  /** The token whose id is at a place on screen; null if there is none. @param {{clientX: number, clientY: number}} event */
  tokenAt({ clientX, clientY }) {
    const { left, top } = this.#node.getBoundingClientRect();
    const [x, y] = [clientX - left, clientY - top];
    const isHit = (/** @type {Label} */ label) => x >= leftOf(label) && x < leftOf(label) + label.width && y >= label.top && y < label.top + ROW * this.#size;
    const found = this.#labels.find((label) => !isBracket(label) && isHit(label));
    return found ? this.#now(found.tokens[0]) : null;
  }

  /** @param {number} token as it was when this was drawn */
  #now(token) {
    return token - this.#first + firstOf(this.#chunk);
  }

  /** Where the id of a token is on screen, or its bracket. @param {number} token */
  boxesOf(token) {
    const { left, top } = this.#node.getBoundingClientRect();
    const labels = this.#labels.filter(({ tokens }) => tokens.some((each) => this.#now(each) === token));
    return labels.map((label) => ({ left: left + leftOf(label), right: left + leftOf(label) + label.width, top: top + label.top, bottom: top + label.top + ROW * this.#size }));
  }

  remove() {
    this.#node.remove();
  }
}

/** @param {Chunk} chunk */
const firstOf = ({ drawn }) => drawn?.[0]?.look.piece.first ?? 0;

/** @param {Place} place */
const isBracket = ({ tokens }) => tokens.length > 1;

/** @param {Place} label */
const leftOf = ({ path, width }) => centerOf(path) - width / 2;

/** @param {number[]} path */
const centerOf = (path) => path[path.length - 1];

/** Setting an attribute to what it is already makes the browser style its element. @param {Element} node @param {string} name @param {string} value */
function setIfOther(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

/** Whether an id stands beneath its chip, in no need of a leader. @param {Place} place @param {number} size */
const isCentered = ({ row, left, right, path }, size) => row === 0 && Math.abs(path[0] - (left + right) / 2) <= CENTERED * size;

/** Upper edge of a row of ids. @param {Line} line @param {number} size @param {number} row */
function topOf({ bottom, places }, size, row) {
  return bottom + (places.every((place) => isCentered(place, size)) ? NO_LEADERS : LEADERS) * size + row * ROW * size;
}

/** @param {Line} line @param {number} size @returns {Label[]} */
const labelsOf = (line, size) => line.places.map((place) => ({ ...place, top: topOf(line, size, place.row) }));

/** @param {Line} line @param {number} size @returns {string} as data of an SVG path */
function leadersOf(line, size) {
  const { bottom } = line;
  return line.places.map((place) => {
    const { left, right, row, path } = place;
    const bracket = isBracket(place) ? `M${(left + 2).toFixed(1)} ${bottom}v3H${(right - 2).toFixed(1)}v-3` : "";
    if (!bracket && isCentered(place, size)) return "";
    const bends = path.map((x, k) => `L${x.toFixed(1)} ${topOf(line, size, k).toFixed(1)}${k < row ? `v${(ROW * size).toFixed(1)}` : ""}`);
    return `${bracket}M${((left + right) / 2).toFixed(1)} ${bottom + (bracket ? 3 : 0)}${bends.join("")}`;
  }).join("");
}

/** Size that the ids' lengths are measured in: that of the text, times the scale of its ids. @param {CSSStyleDeclaration} style */
export const sizeOfIds = (style) => parseFloat(style.fontSize) * Number(style.getPropertyValue("--ids") || 1);
