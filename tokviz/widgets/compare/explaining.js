/**
 * Asking why segments are cut differently. Sentences come from the server; each is asked for once.
 *
 * The server keeps no texts, so every question brings the text along; of a long one, a stretch around the segments.
 */

import { tokenAt } from "../shared/tokenization.js";
import { placeOf } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {(string | null)[] | null} Sentences one per tokenizer but the reference; null where there are none */

/** A text up to this length is sent as it is; of a longer one no more than this, in UTF-16 units. */
const WHOLE = 60_000;
/** What stands further away doesn't change how a segment is cut, or hardly ever. In UTF-16 units. */
const AROUND = 2000;
/** The server explains no more at once. */
const AT_ONCE = 200;

/**
 * @param {(text: string, segments: [number, number][]) => Promise<{sentences: Sentences[]}>} send
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
    for (const group of groupsOf(comparison, segments.filter((segment) => !own.has(segment)))) {
      const stretch = stretchAround(comparison, group);
      const places = group.map((segment) => /** @type {[number, number]} */ ([
        comparison.boundaries[segment] - stretch.byte,
        comparison.boundaries[segment + 1] - stretch.byte,
      ]));
      const answer = await send(stretch.text, places);
      group.forEach((segment, k) => own.set(segment, answer.sentences[k]));
    }
    return segments.map((segment) => own.get(segment) ?? null);
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
 * @param {Comparison} comparison @param {number[]} segments
 */
function groupsOf(comparison, segments) {
  /** @type {number[][]} */
  const groups = [];
  for (const segment of segments) {
    const last = groups[groups.length - 1];
    const fits = last && last.length < AT_ONCE && reach(comparison, last[0], segment) <= WHOLE;
    if (fits) last.push(segment);
    else groups.push([segment]);
  }
  return groups;
}

/** @param {Comparison} comparison @param {number} first @param {number} last */
function reach(comparison, first, last) {
  return comparison.text.length <= WHOLE ? 0 : placeOf(comparison, last)[1] - placeOf(comparison, first)[0];
}

/** @param {Comparison} comparison @param {number[]} segments */
function stretchAround(comparison, segments) {
  const { text, models } = comparison;
  if (text.length <= WHOLE) return { text, byte: 0 };
  const [model] = models;
  const from = Math.max(0, placeOf(comparison, segments[0])[0] - AROUND);
  const to = placeOf(comparison, segments[segments.length - 1])[1] + AROUND;
  // It begins with a token, whose byte is known.
  let first = tokenAt(model, from);
  while (model.inside[first]) first--;
  return { text: text.slice(model.starts[first], to).toWellFormed(), byte: model.byteOffsets[first] };
}
