/**
 * Details of one segment: how each tokenizer cuts it, with token ids, and why the tokenizers differ.
 */

import { element, fill, number, plural } from "../shared/dom/elements.js";
import { withSigns } from "../shared/text/marks.js";
import { bytesOf, hex, tokenEnd } from "../shared/text/tokenization.js";
import { placeOf, reasonNames, tokensIn } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */

const HINT = "Point at a block to see how each tokenizer cuts there, and why.";
/** Maximum tokens shown per tokenizer; the rest are only counted. */
const MAX_TOKENS = 60;
/** Maximum characters shown of one piece, in UTF-16 units. */
const MAX_CHARACTERS = 200;

/** @param {HTMLElement} root */
export function createCard(root) {
  const node = element("section", { class: "segment-card", "aria-label": "Difference" });
  root.append(node);

  return {
    /**
     * @param {Comparison | null} comparison
     * @param {number | null} segment
     * @param {{place: string, bits: number, refusal?: string, sentences: (string | null)[] | null} | null} difference null
     *   if all cut the segment alike; `place` is its position, such as "3 of 13"; `refusal` says why the server gave no
     *   reasons; `sentences` is null until loaded
     */
    show(comparison, segment, difference) {
      if (!comparison || segment === null) return fill(node, element("p", { class: "hint" }, HINT));
      fill(
        node,
        element("p", { class: "place quiet" }, difference ? difference.place : "All cut this alike."),
        element("p", { class: "big mono", dir: "auto" }, textOf(comparison, segment)),
        element("dl", {}, ...comparison.names.flatMap((name, t) => cutEntry(comparison, segment, name, t))),
        ...(difference ? reasonParagraphs(difference) : []),
      );
    },
    dispose() {
      node.remove();
    },
  };
}

/**
 * Text of a segment on one line, or bytes if it is only part of a character.
 *
 * @param {Comparison} comparison
 * @param {number} segment
 */
export function textOf(comparison, segment) {
  const [from, to] = placeOf(comparison, segment);
  const [first, end] = tokensIn(comparison, 0, segment);
  const model = comparison.models[0];
  const isPart = model.inside[first] || model.inside[end];
  const pieces = Array.from({ length: Math.min(MAX_TOKENS, end - first) }, (_, k) => pieceOf(comparison, 0, first + k));
  return isPart ? pieces.join(" ") : shorten(withSigns(comparison.text.slice(from, to)));
}

/**
 * Readable form of a token: its text with invisible characters as signs, or bytes if it cuts a character.
 *
 * @param {Pick<Comparison, "models"> & Partial<Comparison>} comparison
 * @param {number} t
 * @param {number} i
 */
export function pieceOf({ models, own }, t, i) {
  const model = models[t];
  const bytes = own?.[t].get(i);
  if (bytes) return spelled(bytes);
  if (!model.byteLengths[i]) return model.meta.rewriting?.length ? "no bytes" : "end of word";
  if (model.inside[i] || model.inside[i + 1]) return bytesOf(model, i);
  return shorten(withSigns(model.text.slice(model.starts[i], tokenEnd(model, i))));
}

/** Readable form of bytes that do not occur in the text. @param {Uint8Array} bytes */
function spelled(bytes) {
  try {
    return shorten(withSigns(strict.decode(bytes)));
  } catch {
    return hex(bytes);
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param {string} text */
const shorten = (text) => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text);

/** @param {Comparison} comparison @param {number} segment @param {string} name @param {number} t */
function cutEntry(comparison, segment, name, t) {
  const [first, end] = tokensIn(comparison, t, segment);
  const shown = Math.min(end - first, MAX_TOKENS);
  const tokens = Array.from({ length: shown }, (_, k) =>
    element(
      "span",
      { class: `piece tint-${t % 4}` },
      element("b", { class: "mono" }, pieceOf(comparison, t, first + k)),
      element("span", { class: "mono" }, String(comparison.models[t].ids[first + k])),
    ),
  );
  const more = end - first - shown;
  return [
    element("dt", {}, name, " ", element("span", { class: "quiet" }, plural(end - first, "token"))),
    element("dd", {}, ...tokens, more > 0 && element("span", { class: "quiet" }, `and ${number(more)} more`)),
  ];
}

/** @param {{bits: number, refusal?: string, sentences: (string | null)[] | null}} difference */
function reasonParagraphs({ bits, refusal, sentences }) {
  const names = reasonNames(bits);
  const distinct = [...new Set((sentences ?? []).filter((sentence) => sentence !== null))];
  return [
    element("p", { class: "why" }, element("b", {}, "Why: "), names.length ? names.join(" and ") : refusal || "being worked out"),
    ...distinct.map((sentence) => element("p", { class: "sentence" }, ...quoting(sentence))),
  ];
}

/**
 * Isolate the direction of each quoted piece in a sentence, so that Arabic pieces stay in order.
 *
 * @param {string} sentence
 * @returns {(Node | string)[]}
 */
export function quoting(sentence) {
  const parts = sentence.split(/(?<=“)([^”]*)(?=”)/);
  return parts.map((part, k) => (k % 2 ? element("bdi", {}, part) : part));
}
