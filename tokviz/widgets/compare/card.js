/**
 * What there is to say about one segment: how each tokenizer cuts it, with the tokens' ids, and why they differ.
 */

import { element, fill, number, plural } from "../shared/elements.js";
import { withSigns } from "../shared/marks.js";
import { bytesOf, hex, tokenEnd } from "../shared/tokenization.js";
import { placeOf, reasonNames, tokensIn } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */

const HINT = "Point at a block to see how each tokenizer cuts there, and why.";
/** Of a segment with very many tokens, the first are shown. */
const MOST_TOKENS = 60;
const MOST_CHARACTERS = 200;

/** @param {HTMLElement} root */
export function createCard(root) {
  const node = element("section", { class: "segment-card", "aria-label": "Difference" });
  root.append(node);

  return {
    /**
     * @param {Comparison | null} comparison
     * @param {number | null} segment
     * @param {{place: string, bits: number, refusal?: string, sentences: (string | null)[] | null} | null} difference null
     *   where all cut alike; `place` as in "3 of 13"; `refusal` says why the server gave no reasons; `sentences` are null
     *   until they are known
     */
    show(comparison, segment, difference) {
      if (!comparison || segment === null) return fill(node, element("p", { class: "hint" }, HINT));
      fill(
        node,
        element("p", { class: "place quiet" }, difference ? difference.place : "All cut this alike."),
        element("p", { class: "big mono", dir: "auto" }, textOf(comparison, segment)),
        element("dl", {}, ...comparison.names.flatMap((name, t) => cut(comparison, segment, name, t))),
        ...(difference ? reasons(difference) : []),
      );
    },
    dispose() {
      node.remove();
    },
  };
}

/**
 * The text of a segment on one line; bytes, where it is no more than a part of a character.
 *
 * @param {Comparison} comparison
 * @param {number} segment
 */
export function textOf(comparison, segment) {
  const [from, to] = placeOf(comparison, segment);
  const [first, end] = tokensIn(comparison, 0, segment);
  const model = comparison.models[0];
  const isPart = model.inside[first] || model.inside[end];
  const pieces = Array.from({ length: Math.min(MOST_TOKENS, end - first) }, (_, k) => pieceOf(comparison, 0, first + k));
  return isPart ? pieces.join(" ") : shorten(withSigns(comparison.text.slice(from, to)));
}

/**
 * A token as one can read it: its text with signs for what is invisible, or bytes where it cuts a character.
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

/** Bytes that are no stretch of the text. @param {Uint8Array} bytes */
function spelled(bytes) {
  try {
    return shorten(withSigns(strict.decode(bytes)));
  } catch {
    return hex(bytes);
  }
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param {string} text */
const shorten = (text) => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text);

/** @param {Comparison} comparison @param {number} segment @param {string} name @param {number} t */
function cut(comparison, segment, name, t) {
  const [first, end] = tokensIn(comparison, t, segment);
  const shown = Math.min(end - first, MOST_TOKENS);
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
function reasons({ bits, refusal, sentences }) {
  const names = reasonNames(bits);
  const different = [...new Set((sentences ?? []).filter((sentence) => sentence !== null))];
  return [
    element("p", { class: "why" }, element("b", {}, "Why: "), names.length ? names.join(" and ") : refusal || "being worked out"),
    ...different.map((sentence) => element("p", { class: "sentence" }, ...quoting(sentence))),
  ];
}

/**
 * A sentence with the pieces that it quotes, each in its own direction: Arabic pieces don't change places then.
 *
 * @param {string} sentence
 * @returns {(Node | string)[]}
 */
export function quoting(sentence) {
  const parts = sentence.split(/(?<=“)([^”]*)(?=”)/);
  return parts.map((part, k) => (k % 2 ? element("bdi", {}, part) : part));
}
