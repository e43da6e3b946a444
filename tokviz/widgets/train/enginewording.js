/**
 * What the page says of a tokenizer that another library trained.
 */

import { number, sayVocabulary, plural } from "../shared/dom/elements.js";

/** @typedef {{fallback: boolean, ids: number[], lengths: number[], pieces: string[], unknown: boolean[], bytes: boolean[], decoded: string, vocabulary: number}} Way how a text is cut */

const KINDS = /** @type {[string, string, string][]} */ ([
  ["piece", "longer piece", "longer pieces"],
  ["character", "of one character", "of one character"],
  ["byte", "for bytes", "for bytes"],
  ["special", "special", "special"],
  ["unknown", "unknown", "unknown"],
]);

/** Say what a vocabulary holds. @param {Record<string, number>} kinds @param {number} ids @param {number} [asked] the size asked for, if known */
export function sayKinds(kinds, ids, asked = ids) {
  const parts = KINDS.filter(([kind]) => kinds[kind]).map(([kind, one, more]) => `${number(kinds[kind])} ${kinds[kind] === 1 ? one : more}`);
  const pieces = Object.values(kinds).reduce((sum, count) => sum + count, 0);
  const fewer = ids < asked ? ` The text gave no more of the ${number(asked)} asked for.` : "";
  return `A vocabulary of ${sayVocabulary(pieces, ids, "piece")}: ${parts.join(", ")}.${fewer}`;
}

/** Say how much of the text it learned from has no piece. @param {{tokens: number, unknown: number, from_bytes: number, num_rare: number}} training @param {boolean} isWordPiece */
export function sayRare({ tokens, unknown, from_bytes: fromBytes, num_rare: rare }, isWordPiece) {
  if (!rare) return isWordPiece ? "Every word of the text can be spelled." : "Every character of the text has a piece.";
  const what = `${plural(rare, isWordPiece ? "different word" : "different character")} without pieces`;
  if (fromBytes) return `${what}, spelled in bytes: ${plural(fromBytes, "token")}, ${percent(fromBytes, tokens)} of all.`;
  return `${what}, lost as ${isWordPiece ? "[UNK]" : "<unk>"}: ${plural(unknown, "token")}, ${percent(unknown, tokens)} of all. Decoding can’t restore them.`;
}

/**
 * Say which bytes of the texts its tokens do not stand for, so that they do not count as bytes per token; "" if it
 * spells everything.
 *
 * @param {{bytes: number, spelled: number}[]} measured on each text
 * @param {{option: string, value: string}[]} effects of the options it was trained with
 */
export function sayLeftOut(measured, effects) {
  const [left] = measured.filter(({ bytes, spelled }) => spelled < bytes);
  const lowers = effects.some(({ option, value }) => (option === "lowercase" ? value === "True" : option === "normalization_rule_name" && value.endsWith("_cf")));
  const capitals = lowers ? "It does not tell capitals from small letters, which saves tokens too." : "";
  if (!left) return capitals;
  const part = `${number(left.bytes - left.spelled)} of ${plural(left.bytes, "byte")}, such as spaces, line breaks or unknown characters`;
  return `Only bytes that tokens spell are counted. Yours leaves out ${part}. ${capitals}`.trim();
}

/** @param {number} part @param {number} whole */
export function percent(part, whole) {
  const share = whole ? (100 * part) / whole : 0;
  if (share > 0 && share < 0.01) return "less than 0.01 %";
  return `${share.toLocaleString("en-US", { maximumSignificantDigits: share < 10 ? 2 : 3 })} %`;
}

/** Say what a text became in one way, and what decoding gives. @param {Way} way @param {string} text */
export function sayRead({ ids, unknown, bytes, decoded }, text) {
  const count = (/** @type {boolean[]} */ column) => column.filter(Boolean).length;
  const notes = [count(unknown) && `${number(count(unknown))} unknown`, count(bytes) && `${number(count(bytes))} for single bytes`].filter(Boolean);
  const tokens = `${plural(ids.length, "token")}${notes.length ? `, ${notes.join(" and ")}` : ""}.`;
  const back = decoded === text ? "Decoding gives the text back." : `Decoding gives: ${decoded}`;
  return `${tokens} ${back}`;
}

/** Say what the switch changes. @param {Way} own the tokenizer's own way @param {Way} shown */
export function sayToggle(own, shown) {
  const trained = own.fallback ? "on" : "off";
  if (shown === own) return `This tokenizer has byte fallback ${trained}. The switch changes only this preview, not the tokenizer.`;
  const [pieces, other, change] = own.fallback ? ["minus its 256 for single bytes", "off", "more"] : ["plus 256 for single bytes", "on", "fewer"];
  return (
    `Only a preview: the same pieces ${pieces}. The tokenizer still has byte fallback ${trained}. ` +
    `To change that, train with byte_fallback ${other}: in a vocabulary of the same size, it then learns 256 ${change} other pieces.`
  );
}

/**
 * Say how large the three vocabularies of code points first and bytes first are, or why there is none of one size.
 *
 * @param {number | null} size of each; null if the text is too short
 * @param {number} characters that were compared
 * @param {number} asked the size asked for
 * @param {number} least the least size that is worth comparing
 */
export function sayFirstSymbols(size, characters, asked, least) {
  const begin = "SentencePiece begins with code points, and the rarest may get no piece. tiktoken begins with bytes, which spell any text.";
  if (!size) {
    const short =
      "This text is too short to compare numbers of tokens. The three vocabularies would have to be of the same size, " +
      `here of at least ${number(least)} pieces, and not all three can learn that many from it. In most languages, 1,500 characters are enough.`;
    return [begin, short];
  }
  const ofLarge = percent(256, 100_000);
  const why =
    size > asked
      ? `more than the ${number(asked)} asked for, to make room for 256 bytes`
      : size < asked
        ? `the most that all three can learn from this text (${number(asked)} were asked for)`
        : "as asked for";
  return [
    begin,
    `These are three BPE tokenizers with vocabularies of the same size: ${number(size)} pieces, ${why}. ` +
      `They were trained on the first ${plural(characters, "character")} of the text, without normalization. ` +
      `In the second and the third, 256 of the pieces are single bytes: ${percent(256, size)} of this vocabulary, but only ${ofLarge} of one with 100,000.`,
  ];
}

/** Say why line breaks are among the rare characters, if they are. @param {{character: string, times: number}[]} rare */
export function sayLineBreaks(rare) {
  const lines = rare.find(({ character }) => character === "\n")?.times;
  return lines ? `SentencePiece learns from single lines and never sees a line break (↵), so it has no piece for it. The text has ${number(lines)}.` : "";
}
