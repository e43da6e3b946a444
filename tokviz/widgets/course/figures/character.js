/**
 * One character: its name, its number, and the bits of the number in UTF-8, UTF-16 and UTF-32. The bits can be flipped.
 */

import { element, fill, number } from "../../shared/dom/elements.js";
import { createFieldFigure } from "../field.js";
import { createRefocus } from "../focus.js";
import { describeLengths } from "../lengths.js";

/** @typedef {[lead: string, payload: string]} Unit the bits that say what a byte or unit is, and those of the number */
/** @typedef {{char: string, shown: string, code: string, number: number, name: string, script: string, utf8: Unit[], utf16: Unit[], bits: string}} Point */

const END_OF_UNICODE = 0x110000;

/** @param {import("../figures.js").Context} context */
export function create(context) {
  /** @type {Point | null} */
  let point = null;
  const about = element("div", { class: "about" });
  const rows = element("div", { class: "encodings", click: flip, keydown: (/** @type {KeyboardEvent} */ event) => walk(rows, event) });
  const says = element("p", { class: "says", role: "status" });
  const refocus = createRefocus(rows);
  const field = { label: "A character", most: 40 };
  const parts = (/** @type {HTMLElement} */ box) => [element("div", { class: "row" }, box, about), rows, says];
  const figure = createFieldFigure(context, { name: "character", route: "character", field, parts, read: lastOf }, draw);

  /** @param {{points: Point[], lengths: import("../lengths.js").Lengths}} answer */
  function draw({ points: [first], lengths }) {
    point = first ?? null;
    figure.node.classList.toggle("empty", !point);
    if (!point) return;
    fill(about, element("b", {}, point.name), element("span", { class: "quiet" }, `${point.code}, number ${number(point.number)} · script: ${point.script}`));
    fill(rows, bitsRow(point), utf8Row(point), unitsRow("UTF-16", point.utf16), unitsRow("UTF-32", [["", point.bits.padStart(32, "0")]]));
    const bit = rows.querySelector("button");
    if (bit) bit.tabIndex = 0;
    fill(says, ...describeLengths(lengths));
  }

  /** @param {Event} event */
  function flip(event) {
    const pressed = /** @type {Element} */ (event.target).closest("button");
    if (!(pressed instanceof HTMLElement) || !point) return;
    const flipped = point.number ^ (1 << Number(pressed.dataset.bit));
    const reason = whyNot(flipped);
    if (reason) return fill(says, reason);
    refocus(() => rows.querySelector(`[data-bit="${pressed.dataset.bit}"]`));
    figure.put(String.fromCodePoint(flipped));
  }

  return { ...figure, show: (/** @type {string} */ text) => figure.show(lastOf(text)) };
}

/** Arrow keys go from bit to bit. @param {HTMLElement} rows @param {KeyboardEvent} event */
function walk(rows, event) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  const bits = [...rows.querySelectorAll("button")];
  const next = bits[bits.indexOf(/** @type {HTMLButtonElement} */ (event.target)) + by];
  event.preventDefault();
  if (!next) return;
  for (const bit of bits) bit.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/** The last code point of a text: the one that was typed. @param {string} text */
const lastOf = (text) => [...text].at(-1) ?? "";

/** Say why a number is no character; "" if it is one. @param {number} code */
export function whyNot(code) {
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  if (code >= END_OF_UNICODE) return `${name} would be beyond the end of Unicode, U+10FFFF.`;
  if (code >= 0xd800 && code < 0xe000) return `${name} is kept for surrogates, the halves of pairs in UTF-16. Alone it is no character.`;
  return "";
}

/** The code point's number in base two, tinted by the byte that each bit goes to. @param {Point} point */
function bitsRow({ bits, utf8 }) {
  const room = utf8.reduce((sum, [, payload]) => sum + payload.length, 0);
  const padded = bits.padStart(room, "0");
  let start = 0;
  const groups = utf8.map(([lead, payload], byte) => {
    const above = [...lead].map(() => element("i")); // each bit stands above its place in UTF-8
    const cells = [...padded.slice(start, (start += payload.length))].map((bit) => element("i", { class: `tint-${byte}` }, bit));
    return element("span", { class: "unit" }, ...above, ...cells);
  });
  return encoding("number", groups);
}

/** @param {Point} point */
function utf8Row({ utf8 }) {
  let bit = utf8.reduce((sum, [, payload]) => sum + payload.length, 0);
  const units = utf8.map(([lead, payload], byte) =>
    element(
      "span",
      { class: "unit" },
      ...[...lead].map((each) => element("i", { class: "marker" }, each)),
      ...[...payload].map((each) => bitButton(each, --bit, byte)),
      element("small", { class: "hex" }, hexOf(lead + payload)),
    ),
  );
  return encoding("UTF-8", units);
}

/** @param {string} value @param {number} place @param {number} byte */
const bitButton = (value, place, byte) =>
  element("button", { type: "button", class: `tint-${byte}`, tabindex: -1, "data-bit": place, "aria-label": `Bit ${place} is ${value}` }, value);

/** @param {string} name @param {Unit[]} units */
function unitsRow(name, units) {
  const nodes = units.map(([lead, payload]) =>
    element(
      "span",
      { class: "unit" },
      element("span", { class: "digits" }, lead && element("span", { class: "marker" }, lead), ...withGrayZeros(payload)),
      element("small", { class: "hex" }, hexOf(lead + payload)),
    ),
  );
  return encoding(name, nodes);
}

/** Gray zeros in front, then the digits that say something; half a pair of surrogates has no zeros to spare. @param {string} payload */
function withGrayZeros(payload) {
  const zeros = payload.length >= 16 ? (/^0*/.exec(payload)?.[0].length ?? 0) : 0;
  return [zeros > 0 && element("span", { class: "marker" }, payload.slice(0, zeros)), payload.slice(zeros)];
}

/** @param {string} name @param {HTMLElement[]} units */
const encoding = (name, units) => element("div", { class: "encoding" }, element("span", { class: "quiet name" }, name), element("span", { class: "units mono" }, ...units));

/** @param {string} bits */
const hexOf = (bits) => (bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2).toString(16).padStart(2, "0")).join(" ");
