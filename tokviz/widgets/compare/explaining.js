/**
 * Asking why segments are cut differently. Sentences come from the server; each is asked for once.
 *
 * The server keeps no texts, so every question brings the text along; of a long one, a stretch around the segments. Where
 * a pre-token reaches beyond that, the server has no sentence, and is asked again with the whole text.
 */

import { tokenAt } from "../shared/tokenization.js";
import { placeOf } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {(string | null)[] | null} Sentences one per tokenizer but the reference; null where there are none */

/** @typedef {{before: boolean, after: boolean}} GoesOn whether there is more text on either side of what is sent */

/** A text up to this length is sent as it is; of a longer one no more than this, in UTF-16 units. */
const WHOLE = 60_000;
/** What stands further away seldom changes how a segment is cut. In UTF-16 units. */
const AROUND = 2000;
/** The server explains no more at once. */
const AT_ONCE = 200;

/**
 * @param {(text: string, segments: [number, number][], goesOn: GoesOn) => Promise<{sentences: Sentences[]}>} send
 */
export function createExplaining(send) {
  /** @type {Comparison | null} */
  let known = null;
  /** @type {Map<number, Sentences>} */
  let sentences = new Map();

  /**
   * @param {Comparison} comparison
   * @param {number[]} segments in the order of the text
   * @returns {Promise<Sentences[]>}
   */
  async function explain(comparison, segments) {
    if (comparison !== known) {
      known = comparison;
      sentences = new Map();
    }
    const own = sentences;
    const open = segments.filter((segment) => !own.has(segment));
    for (const group of groupsOf(comparison, open, WHOLE)) await ask(comparison, group, stretchAround(comparison, group), own);
    if (comparison.text.length > WHOLE) {
      const whole = { text: comparison.text, byte: 0, goesOn: { before: false, after: false } };
      const missing = open.filter((segment) => !own.get(segment));
      for (const group of groupsOf(comparison, missing, Infinity)) await ask(comparison, group, whole, own);
    }
    return segments.map((segment) => own.get(segment) ?? null);
  }

  /** @param {Comparison} comparison @param {number[]} group @param {Stretch} stretch @param {typeof sentences} found */
  async function ask({ boundaries }, group, { text, byte, goesOn }, found) {
    const places = group.map((segment) => /** @type {[number, number]} */ ([boundaries[segment] - byte, boundaries[segment + 1] - byte]));
    const answer = await send(text, places, goesOn);
    group.forEach((segment, k) => found.set(segment, answer.sentences[k]));
  }

  return {
    explain,
    /** What is known already. @param {Comparison} comparison @param {number} segment */
    recall: (comparison, segment) => (comparison === known ? (sentences.get(segment) ?? null) : null),
  };
}

/**
 * Segments that can be asked about with one stretch of text.
 *
 * @param {Comparison} comparison @param {number[]} segments @param {number} longest stretch
 */
function groupsOf(comparison, segments, longest) {
  /** @type {number[][]} */
  const groups = [];
  for (const segment of segments) {
    const last = groups[groups.length - 1];
    const fits = last && last.length < AT_ONCE && reach(comparison, last[0], segment) <= longest;
    if (fits) last.push(segment);
    else groups.push([segment]);
  }
  return groups;
}

/** @param {Comparison} comparison @param {number} first @param {number} last */
function reach(comparison, first, last) {
  return comparison.text.length <= WHOLE ? 0 : placeOf(comparison, last)[1] - placeOf(comparison, first)[0];
}

/** @typedef {{text: string, byte: number, goesOn: GoesOn}} Stretch of the text, and the byte that it begins with */

/** @param {Comparison} comparison @param {number[]} segments @returns {Stretch} */
function stretchAround(comparison, segments) {
  const { text, models } = comparison;
  if (text.length <= WHOLE) return { text, byte: 0, goesOn: { before: false, after: false } };
  const [model] = models;
  const from = Math.max(0, placeOf(comparison, segments[0])[0] - AROUND);
  const to = placeOf(comparison, segments[segments.length - 1])[1] + AROUND;
  // It begins with a token, whose byte is known.
  let first = tokenAt(model, from);
  while (model.inside[first]) first--;
  return {
    text: text.slice(model.starts[first], to).toWellFormed(),
    byte: model.byteOffsets[first],
    goesOn: { before: first > 0, after: to < text.length },
  };
}
