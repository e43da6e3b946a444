/**
 * Bytes, and what they decode to: each can be taken out, and others can be typed.
 */

import { element, fill } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";
import { createRefocus } from "../focus.js";

/** @typedef {{start: number, end: number, text: string, why: string}} Piece */
/** @typedef {{bytes: number[], pieces: Piece[], text: string, mark: boolean}} Decoded */

const REPLACEMENT = "\ufffd";

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let value = "";
  const field = createField({ label: "Bytes in hexadecimal", most: 200, kind: "mono hex-field" }, (text) => {
    value = text;
    ask();
    context.changed();
  });
  const line = element("div", { class: "decoded", role: "group", "aria-label": "Bytes" });
  const text = element("output", { class: "glyph line" });
  const says = element("p", { class: "says", role: "status" });
  const asking = createAsking(context, (answer) => draw(answer));
  const node = element("div", { class: "bytes" }, field.node, line, element("p", { class: "reads" }, element("span", { class: "quiet" }, "reads "), text), says, asking.problem);

  const ask = () => void asking.ask({ route: "decoded", text: value });

  /** @param {string} bytes */
  function show(bytes) {
    value = bytes;
    field.show(value);
    ask();
  }

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
    refocus.then(() => line.querySelectorAll("button")[Math.min(place, bytes.length - 2)]);
    show(bytes.filter((_, i) => i !== place).map(hexOf).join(" "));
    context.changed();
  }

  const refocus = createRefocus(line);

  return {
    node,
    value: () => value,
    show,
    dispose() {
      asking.dispose();
      refocus.dispose();
    },
  };
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
