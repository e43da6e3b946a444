/**
 * Explanations of why segments are cut differently. They come from the server and are cached.
 *
 * The server keeps no texts, so every request sends the text, or, if it is long, a stretch around the segments. If a
 * pre-token reaches beyond that stretch, the server returns no explanation and is asked again with the whole text.
 */

import { tokenAt } from "../shared/text/tokenization.js";
import { placeOf } from "./model.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * @typedef {object} Reason why one tokenizer cuts a segment differently from the reference
 * @property {string} sentence the two cuts, the causes, and the effect of exchanging each of them
 * @property {string} because the part of it that names the causes
 * @property {string} plain the causes in plain words
 * @property {number} reasons the causes, as a sum of `REASONS`' bits
 * @property {[cause: number, effect: number][]} alone for each cause, a bit of `REASONS`, what exchanging it alone does,
 *   an index into `EFFECTS`
 *
 * @typedef {object} Explanation
 * @property {number[][]} splits for each tokenizer, where it cuts the segment before any merge, in bytes from its start;
 *   an end of the segment is among them if no pre-token reaches beyond it
 * @property {(Reason | null)[]} reasons one per tokenizer except the reference; null if it cuts as the reference does
 *
 * @typedef {Explanation | null} Explained null if there is none
 */

/** The different sentences of an explanation, in the order of the tokenizers. @param {Explained} explained */
export function sentencesOf(explained) {
  return [...new Set((explained?.reasons ?? []).flatMap((reason) => (reason ? [reason.sentence] : [])))];
}

/** @typedef {{before: boolean, after: boolean}} GoesOn true if the text continues before or after the stretch sent */

/** Maximum text sent at first, in UTF-16 units; of a longer text, a stretch around the segments is sent. */
const MAX_STRETCH = 60_000;
/** Context sent on either side, in UTF-16 units; text further away seldom changes how a segment is cut. */
const CONTEXT = 2000;
/** Maximum segments per request, as limited by the server. */
const MAX_SEGMENTS = 200;

/**
 * @param {(text: string, segments: [number, number][], goesOn: GoesOn) => Promise<{explanations: Explained[]}>} send
 */
export function createExplaining(send) {
  /** @type {WeakMap<Comparison, Map<number, Explained>>} */
  const known = new WeakMap();

  /**
   * Get the explanations of segments, requesting those not cached.
   *
   * @param {Comparison} comparison
   * @param {number[]} segments in the order of the text
   * @returns {Promise<Explained[]>}
   */
  async function explain(comparison, segments) {
    const cache = known.get(comparison) ?? new Map();
    known.set(comparison, cache);
    const uncached = segments.filter((segment) => !cache.has(segment));
    for (const group of groupsOf(comparison, uncached, MAX_STRETCH)) {
      await ask(comparison, group, stretchAround(comparison, group), cache);
    }
    if (comparison.text.length > MAX_STRETCH) {
      const missing = uncached.filter((segment) => !cache.get(segment));
      for (const group of groupsOf(comparison, missing, Infinity)) await ask(comparison, group, whole(comparison), cache);
    }
    return segments.map((segment) => cache.get(segment) ?? null);
  }

  /** @param {Comparison} comparison @param {number[]} group @param {Stretch} stretch @param {Map<number, Explained>} cache */
  async function ask({ boundaries }, group, { text, byte, goesOn }, cache) {
    /** @type {[number, number][]} */
    const places = group.map((segment) => [boundaries[segment] - byte, boundaries[segment + 1] - byte]);
    const answer = await send(text, places, goesOn);
    group.forEach((segment, k) => cache.set(segment, answer.explanations[k]));
  }

  return {
    explain,
    /** Cached explanation of a segment, or null. @param {Comparison} comparison @param {number} segment */
    recall: (comparison, segment) => known.get(comparison)?.get(segment) ?? null,
  };
}

/**
 * Group segments that can be explained with one stretch of text.
 *
 * @param {Comparison} comparison
 * @param {number[]} segments
 * @param {number} longest maximum length of a stretch, in UTF-16 units
 */
function groupsOf(comparison, segments, longest) {
  /** @type {number[][]} */
  const groups = [];
  for (const segment of segments) {
    const last = groups[groups.length - 1];
    const fits = last && last.length < MAX_SEGMENTS && reach(comparison, last[0], segment) <= longest;
    if (fits) last.push(segment);
    else groups.push([segment]);
  }
  return groups;
}

/**
 * Length of text from one segment to another; 0 if the whole text is sent.
 *
 * @param {Comparison} comparison
 * @param {number} first
 * @param {number} last
 */
function reach(comparison, first, last) {
  return comparison.text.length <= MAX_STRETCH ? 0 : placeOf(comparison, last)[1] - placeOf(comparison, first)[0];
}

/** @typedef {{text: string, byte: number, goesOn: GoesOn}} Stretch part of the text, and the byte offset at which it begins */

/** @param {Comparison} comparison @returns {Stretch} */
const whole = ({ text }) => ({ text, byte: 0, goesOn: { before: false, after: false } });

/** @param {Comparison} comparison @param {number[]} segments @returns {Stretch} */
function stretchAround(comparison, segments) {
  const { text, models } = comparison;
  if (text.length <= MAX_STRETCH) return whole(comparison);
  const [model] = models;
  const from = Math.max(0, placeOf(comparison, segments[0])[0] - CONTEXT);
  const to = placeOf(comparison, segments[segments.length - 1])[1] + CONTEXT;
  // Only the byte offsets of tokens are known, so the stretch begins with a token.
  let first = tokenAt(model, from);
  while (model.inside[first]) first--;
  return {
    text: text.slice(model.starts[first], to).toWellFormed(),
    byte: model.byteOffsets[first],
    goesOn: { before: first > 0, after: to < text.length },
  };
}
