/**
 * The symbols of running text: their content, and what their classes mark at a step.
 */

import { element } from "../../shared/dom/elements.js";
import { appendMarked } from "../../shared/text/invisibles.js";
import { boundariesOf, madeIn, tokenAt } from "../model/replay.js";
import { writingOf } from "../model/names.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../model/replay.js").Token} Token */

/** Maximum characters of a symbol's text, before it is shortened. */
const MAX_LENGTH = 60;
/** In bytes. */
const LONGEST_CHARACTER = 4;

/**
 * @typedef {object} Roles
 * @property {Set<number>} left first symbols of the left tokens of the pairs that join next
 * @property {Set<number>} right and of the right ones
 * @property {number} step
 * @property {ArrayLike<number>} tints of tokens, by their first symbols
 * @property {number | null} picked first symbol of the token that was picked to be joined
 * @property {number} selected first symbol of the selected token, or -1
 */

/** @param {Pick<import("./stage.js").View, "replay" | "k" | "next" | "selected" | "picked">} view @param {ArrayLike<number>} tints @returns {Roles} */
export function rolesAt({ replay, k, next, selected, picked = null }, tints) {
  const right = new Set(next && k < replay.steps ? boundariesOf(replay, k) : []);
  const left = new Set([...right].map((boundary) => replay.joinedTo[boundary]));
  return { left, right, step: k, tints, picked, selected: selected === null ? -1 : tokenAt(replay, selected, k) };
}

/** Classes of a token. @param {Replay} replay @param {Token} token @param {Roles} roles */
export function classesOf(replay, { start, end, id }, { left, right, step, tints, picked, selected }) {
  const classes = ["sym"];
  if (replay.pieceStarts[replay.pieceOf[start]] === start) classes.push("opens");
  if (left.has(start)) classes.push("next", "join-l");
  if (right.has(start)) classes.push("next", "join-r");
  if (end - start > 1) classes.push(madeIn(replay, start, step) === step - 1 ? "new" : "made", `tint-${tints[start]}`);
  if (start === picked) classes.push("picked");
  if (start === selected) classes.push("on");
  if (replay.meta.special.includes(id)) classes.push("control");
  return classes.join(" ");
}

/** True if symbol i begins inside a character. @param {Replay} replay @param {number} i */
function cutsCharacter({ data, byteOffsets }, i) {
  return (data[byteOffsets[i]] & 0xc0) === 0x80;
}

/**
 * Create the element of a token. Invisible characters are marked without changing the text.
 *
 * @param {Replay} replay
 * @param {Token} token
 * @param {import("../model/names.js").Writing} writing
 */
export function symbolOf(replay, { start, end, id }, writing) {
  const box = element("span", { "data-at": start, "data-id": id });
  const runs = writingOf(replay, id, writing, replay.covered.get(start));
  runs.forEach(({ text, part }, i) => {
    const short = shortened(text, part);
    if (part || writing === "ids") {
      const goesOn = i === 0 && cutsCharacter(replay, start);
      const cutShort = i === runs.length - 1 && end < replay.n && cutsCharacter(replay, end);
      const classes = ["hex", ...(goesOn ? ["goes-on"] : []), ...(cutShort ? ["cut-short"] : [])];
      const glyph = writing === "text" && cutShort ? cutCharacter(replay, start, end) : "";
      box.append(element("span", { class: classes.join(" "), "data-glyph": glyph || null }, short));
    } else appendMarked(box, short);
  });
  return box;
}

/**
 * What the element of a token shows, equal for equal ones: of a cut character also the bytes around it.
 *
 * @param {Replay} replay @param {Token} token @param {import("../model/names.js").Writing} writing
 */
export function contentOf(replay, { start, end, id }, writing) {
  const runs = writingOf(replay, id, writing, replay.covered.get(start));
  const { data, byteOffsets } = replay;
  const around = runs.some(({ part }) => part) ? data.subarray(byteOffsets[start], byteOffsets[end] + LONGEST_CHARACTER) : "";
  return `${writing} ${id} ${around} ${runs.map(({ text }) => text).join(" ")}`;
}

/**
 * The character that a token cuts at its end, if the token contains its first byte; else "".
 *
 * @param {Replay} replay
 * @param {number} start
 * @param {number} end
 */
function cutCharacter(replay, start, end) {
  const { data, byteOffsets } = replay;
  if (end >= replay.n || !cutsCharacter(replay, end)) return "";
  let lead = byteOffsets[end];
  while ((data[lead] & 0xc0) === 0x80) lead--;
  if (lead < byteOffsets[start]) return "";
  let after = byteOffsets[end];
  while (after < data.length && (data[after] & 0xc0) === 0x80) after++;
  return new TextDecoder().decode(data.subarray(lead, after));
}

/** Shorten a long symbol, adding its number of characters or bytes. @param {string} text @param {boolean} isHex */
export function shortened(text, isHex) {
  const [units, most, between] = isHex ? [text.split(" "), MAX_LENGTH / "f0 ".length, " "] : [Array.from(text), MAX_LENGTH, ""];
  return units.length > most ? `${units.slice(0, most).join(between)}… (${units.length})` : text;
}
