/**
 * The cost of each kind of text where tokenizers differ, in plain words: for the headline, and for the table beside the
 * text.
 */

import { number, plural } from "../shared/dom/elements.js";
import { isUnit } from "./totals.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * @typedef {object} Kind
 * @property {string} name
 * @property {number} segment the first of its differences
 * @property {number[]} more for each tokenizer, its tokens in these differences less those of the reference
 */

/** Kinds that differences have by the beginning of their text, in the order in which they are looked for. @type {[name: string, pattern: RegExp][]} */
const KINDS = [
  ["line ends", /[\n\r]/],
  ["runs of spaces", /^\s{2,}/],
  ["apostrophes", /^\s?\p{L}*['’]\p{L}/u],
];
/** Plain names of text classes. @type {Record<string, string>} */
const PLAIN = { "endings like 's": "apostrophes", "Han letters": "Chinese characters", "Latin letters": "Latin words" };
/** Maximum text looked at to find a kind, in UTF-16 units. */
const BEGINNING = 40;

/**
 * The kinds of a comparison's differences, those that matter most first, and the kind of each difference.
 *
 * @param {Comparison} comparison
 * @returns {{kinds: Kind[], of: Kind[]}} `of`: for each difference
 */
export function kindsOf(comparison) {
  const { text, models, differing, boundaries, classes, classNames } = comparison;
  /** @type {Map<string, Kind>} */
  const found = new Map();
  const at = models.map(() => 0);
  const of = Array.from(differing, (segment, difference) => {
    const before = goTo(boundaries[segment]);
    const from = models[0].starts[before[0]];
    const after = goTo(boundaries[segment + 1]);
    const beginning = text.slice(from, Math.min(models[0].starts[after[0]] ?? text.length, from + BEGINNING));
    const ofClass = classNames[classes[difference]];
    const name = KINDS.find(([, pattern]) => pattern.test(beginning))?.[0] ?? PLAIN[ofClass] ?? ofClass;
    const kind = found.get(name) ?? { name, segment, more: models.map(() => 0) };
    found.set(name, kind);
    const tokens = after.map((end, t) => end - before[t]);
    kind.more.forEach((_, t) => (kind.more[t] += tokens[t] - tokens[0]));
    return kind;
  });
  const most = (/** @type {Kind} */ { more }) => Math.max(...more.map(Math.abs));
  return { kinds: [...found.values()].sort((one, other) => most(other) - most(one)), of };

  /** For each tokenizer, the first token of the segment at a byte, as `tokensIn` has it: the bytes asked for only grow. @param {number} byte */
  function goTo(byte) {
    return models.map(({ byteOffsets, n }, t) => {
      while (byte && at[t] < n && byteOffsets[at[t] + 1] <= byte) at[t]++;
      return at[t];
    });
  }
}

/**
 * How many tokens more or fewer one tokenizer needs than the reference, and what most of that goes to. Of several, it is
 * the one with the fewest tokens, or the most if none has fewer than the reference.
 *
 * @param {Pick<Comparison, "names" | "models" | "differing">} comparison @param {Kind[]} kinds
 */
export function sayHeadline({ names, models, differing }, kinds) {
  const [reference, ...others] = models.map(({ n }) => n);
  if (!Math.max(reference, ...others)) return "Nothing to compare yet.";
  if (!differing.length) return `No difference: all cut this text alike, into ${plural(reference, "token")}.`;
  const [least, most] = [Math.min(...others), Math.max(...others)];
  const count = least < reference ? least : most;
  const all = names.length > 2 ? "All" : "Both";
  if (count === reference) return `${all} need ${plural(reference, "token")}, but cut ${plural(differing.length, "place")} differently.`;
  const t = others.indexOf(count) + 1;
  const isFewer = count < reference;
  const size = Math.abs(count - reference);
  const than = names.length > 2 ? ` than ${names[0]}` : "";
  const need = isUnit(names[t]) ? "need" : "needs";
  return `${names[t]} ${need} ${plural(size, "token")} ${isFewer ? "fewer" : "more"}${than}. ${sayWhere(kinds, t, isFewer, size)}`;
}

/** @param {Kind[]} kinds @param {number} t @param {boolean} isFewer @param {number} size of the difference, in tokens */
function sayWhere(kinds, t, isFewer, size) {
  const parts = kinds.map(({ name, more }) => ({ name, by: isFewer ? -more[t] : more[t] })).filter(({ by }) => by);
  parts.sort((one, other) => other.by - one.by);
  const [top, last] = [parts[0], parts[parts.length - 1]];
  if (top.by > size) {
    const [forth, back] = isFewer ? ["save", "cost"] : ["cost", "save"];
    return `${capitalized(top.name)} ${forth} ${number(top.by)}, ${last.name} ${back} ${number(-last.by)}.`;
  }
  if (parts.length === 1) return `${size === 1 ? "The reason" : "All of them"}: ${top.name}.`;
  return `${top.by * 2 > size ? "Most" : number(top.by)} of them: ${top.name}.`;
}

/** @param {string} words */
export const capitalized = (words) => words[0].toUpperCase() + words.slice(1);
