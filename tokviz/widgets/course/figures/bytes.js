/**
 * Bytes, and what they decode to: each can be taken out, and others can be typed.
 */

import { element, fill } from "../../shared/dom/elements.js";
import { createFieldFigure } from "../field.js";
import { createRefocus } from "../focus.js";

/** @typedef {{start: number, end: number, text: string, why: string}} Piece */
/** @typedef {{bytes: number[], pieces: Piece[], text: string, mark: boolean}} Decoded */

const REPLACEMENT = "\ufffd";

/** @param {import("../figures.js").Context} context */
export function create(context) {
  const line = element("div", { class: "decoded", role: "group", "aria-label": "Bytes" });
  const text = element("output", { class: "glyph line" });
  const says = element("p", { class: "says", role: "status" });
  const reads = element("p", { class: "reads" }, element("span", { class: "quiet" }, "reads "), text);
  const refocus = createRefocus(line);
  const field = { label: "Bytes in hexadecimal", most: 200, kind: "mono hex-field" };
  const figure = createFieldFigure(context, { name: "bytes", route: "bytes", field, parts: (box) => [box, line, reads, says] }, draw);

  /** @param {Decoded} decoded */
  function draw(decoded) {
    const { bytes, pieces } = decoded;
    fill(line, ...pieces.map((piece, i) => pieceNode(piece, bytes, i)));
    fill(text, decoded.text);
    fill(says, sayOf(decoded));
  }

  /** @param {Piece} piece @param {number[]} bytes @param {number} number */
  function pieceNode({ start, end, text: char, why }, bytes, number) {
    const buttons = bytes.slice(start, end).map((byte, i) => {
      const hex = hexOf(byte);
      return element("button", { type: "button", class: "mono", "aria-label": `Take out byte ${hex}`, click: () => takeOut(bytes, start + i) }, hex);
    });
    const tint = why ? "broken" : `tint-${number % 4}`;
    return element("span", { class: `piece ${tint}`, title: why }, element("span", { class: "byte-row" }, ...buttons), element("bdi", { class: "char" }, char));
  }

  /** @param {number[]} bytes @param {number} place */
  function takeOut(bytes, place) {
    refocus(() => line.querySelectorAll("button")[Math.min(place, bytes.length - 2)]);
    figure.put(bytes.filter((_, i) => i !== place).map(hexOf).join(" "));
  }

  return figure;
}

/** @param {number} byte */
const hexOf = (byte) => byte.toString(16).padStart(2, "0");

/** @param {Decoded} decoded */
export function sayOf({ bytes, pieces, mark }) {
  if (!bytes.length) return "No bytes, no text.";
  const broken = pieces.find(({ why }) => why);
  const marked = mark ? "It begins with a byte order mark. " : "";
  if (!broken) return `${marked}All of it is UTF-8.`;
  const hex = bytes.slice(broken.start, broken.end).map(hexOf).join(" ");
  return `${marked}At ${hex}: ${broken.why}, so it is shown as ${REPLACEMENT}.`;
}
