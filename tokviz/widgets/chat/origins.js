/**
 * The server's answer about a conversation: its prompt, tokens, and where each of them comes from.
 */

import { firstDirection, hasRightToLeft } from "../shared/text/direction.js";
import { firstIndex, makeTokenization, TYPED } from "../shared/text/tokenization.js";
import { ROLES } from "./conversation.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {string | [message: number, key: string]} Origin */
/** @typedef {"template" | "role" | "words" | "others"} Kind */

/** Kinds of origins, in the order of their lanes, with what they are called. @type {[Kind, string][]} */
export const KINDS = [
  ["template", "template"],
  ["role", "role"],
  ["words", "words of the chat"],
  ["others", "tools and date"],
];

/** @param {Origin} origin @returns {Kind} */
export function kindOf(origin) {
  if (origin === "template") return "template";
  if (typeof origin === "string") return "others";
  return origin[1] === "role" ? "role" : "words";
}

export class Reading {
  /** @param {any} columns of the route "chat" */
  constructor(columns) {
    const { meta } = columns;
    this.meta = meta;
    /** @type {Origin[]} */
    this.origins = meta.origins;
    this.kinds = this.origins.map(kindOf);
    /** @type {Model} */
    this.model = makeTokenization(meta.prompt, columns);
    /** The tokens if messages are never read as control tokens; null if they never are. @type {Model | null} */
    this.asText = columns.ids_as_text
      ? makeTokenization(meta.prompt, { ids: columns.ids_as_text, byte_lengths: columns.byte_lengths_as_text, special: columns.special_as_text, meta })
      : null;
    /** Control tokens that a message holds, by index. @type {Int32Array} */
    this.written = columns.written;
    for (const i of this.written) this.model.special[i] = TYPED;
    /** @type {Int32Array} */
    this.ends = columns.span_ends;
    /** @type {Int32Array} */
    this.spanOrigins = columns.span_origins;
    /** @type {Uint8Array} */
    this.changed = columns.span_changed;
    this.model.isolates = isolate(this.model.text, this.#parts());
  }

  /** What is said in the prompt, without its control tokens, and what is not. @returns {Part[]} */
  #parts() {
    const { starts } = this.model;
    /** @type {Part[]} */
    const parts = [];
    let k = 0;
    this.ends.forEach((to, span) => {
      const isSaid = this.kinds[this.spanOrigins[span]] === "words";
      for (; starts[this.written[k]] < to; k++) {
        add(parts, starts[this.written[k]], isSaid);
        add(parts, starts[this.written[k] + 1], false);
      }
      add(parts, to, isSaid);
    });
    return parts;
  }

  /** The stretch that holds a character, -1 if there is none. @param {number} unit */
  spanAt(unit) {
    const span = firstIndex(this.ends.length, (k) => this.ends[k] > unit);
    return span < this.ends.length ? span : -1;
  }

  /** The kinds of origins of a token's characters; a role that a template spells itself is a role, too. @param {number} i @returns {Set<Kind>} */
  kindsOf(i) {
    const { starts } = this.model;
    const kinds = new Set();
    for (let span = this.spanAt(starts[i]); span >= 0 && span < this.ends.length; span++) {
      kinds.add(this.kinds[this.spanOrigins[span]]);
      if (this.ends[span] >= starts[i + 1]) break;
    }
    if (this.model.special[i - 1] === 1 && ROLES.includes(this.textOf(i))) kinds.add("role");
    return kinds;
  }

  /** The origin of a token's first character; null without one. @param {number} i @returns {Origin | null} */
  originOf(i) {
    const span = this.spanAt(this.model.starts[i]);
    return span < 0 ? null : this.origins[this.spanOrigins[span]];
  }

  /** A token's text. @param {number} i */
  textOf(i) {
    return this.model.text.slice(this.model.starts[i], this.model.starts[i + 1]);
  }

  /** The control token that the template writes right after a message, or white space later; null without one. @param {number} message */
  enderOf(message) {
    const to = this.placeOf(message)?.[1];
    const next = to === undefined ? -1 : this.model.starts.findIndex((start, i) => start >= to && this.model.special[i] === 1);
    if (to === undefined || next < 0 || next >= this.model.n || this.originOf(next) !== "template") return null;
    return this.model.text.slice(to, this.model.starts[next]).trim() ? null : this.textOf(next);
  }

  /** The control tokens that the template writes right before a role. @returns {Set<string>} */
  beginners() {
    const { starts, special, n } = this.model;
    const found = new Set();
    for (let i = 0; i + 1 < n; i++) {
      const span = special[i] === 1 && this.originOf(i) === "template" ? this.spanAt(starts[i + 1]) : -1;
      if (span > 0 && this.ends[span - 1] === starts[i + 1] && this.kinds[this.spanOrigins[span]] === "role") found.add(this.textOf(i));
    }
    return found;
  }

  /** Tokens of each message's words, and of each kind. */
  totals() {
    /** @type {Map<number, number>} */
    const messages = new Map();
    /** @type {Map<Kind, number>} */
    const kinds = new Map();
    this.origins.forEach((origin, k) => {
      const [kind, tokens] = [this.kinds[k], this.meta.counts[k]];
      kinds.set(kind, (kinds.get(kind) ?? 0) + tokens);
      if (typeof origin !== "string") messages.set(origin[0], (messages.get(origin[0]) ?? 0) + (kind === "words" ? tokens : 0));
    });
    return { messages, kinds };
  }

  /** Where a message's text is in the prompt, from its first character to its last; null if it isn't. @param {number} message @returns {[number, number] | null} */
  placeOf(message) {
    let [from, to] = [-1, -1];
    this.ends.forEach((end, span) => {
      const origin = this.origins[this.spanOrigins[span]];
      if (typeof origin === "string" || origin[0] !== message || origin[1] === "role") return;
      if (from < 0) from = span ? this.ends[span - 1] : 0;
      to = end;
    });
    return from < 0 ? null : [from, to];
  }
}

/**
 * The first token with characters of a part of a text, and the one after its last.
 *
 * @param {Model} model @param {number} from @param {number} to in UTF-16 units
 * @returns {[first: number, end: number]}
 */
function tokensIn({ starts, n }, from, to) {
  const first = firstIndex(n, (i) => starts[i + 1] > from);
  return [first, Math.max(first, firstIndex(n, (i) => starts[i] >= to))];
}

/** Add a part up to an offset, or go on with the last. @param {Part[]} parts @param {number} to @param {boolean} isSaid */
function add(parts, to, isSaid) {
  const last = parts[parts.length - 1];
  if (to <= (last?.to ?? 0)) return;
  if (last?.isSaid === isSaid) last.to = to;
  else parts.push({ to, isSaid });
}

/**
 * The tokens of a part of a text, as a text of their own.
 *
 * @param {Model} model @param {number} from @param {number} to in UTF-16 units
 * @returns {Model}
 */
export function partOf(model, from, to) {
  const { starts } = model;
  const [first, end] = tokensIn(model, from, to);
  const [ids, special] = [model.ids.subarray(first, end), model.special.subarray(first, end)];
  const text = model.text.slice(starts[first], starts[end]);
  const part = makeTokenization(text, { ids, special, byte_lengths: model.byteLengths.subarray(first, end), meta: model.meta });
  /** @type {Part[]} */
  const parts = [];
  special.forEach((is, i) => add(parts, part.starts[i + 1], !is));
  part.isolates = isolate(text, parts);
  return part;
}

/**
 * Say whether a part's first and last tokens hold characters around it too; "" if neither does.
 *
 * @param {Model} model @param {number} from @param {number} to in UTF-16 units
 */
export function sayShared(model, from, to) {
  const [first, end] = tokensIn(model, from, to);
  const begins = model.starts[first] < from;
  const ends = model.starts[end] > to;
  if (!begins && !ends) return "";
  const which = end - first === 1 ? "It holds" : begins && ends ? "The first and the last hold" : `The ${begins ? "first" : "last"} holds`;
  return ` ${which} characters of the template too.`;
}

/** @typedef {import("../shared/text/direction.js").Isolate} Isolate */
/** @typedef {{to: number, isSaid: boolean}} Part a part of a text up to an offset; whether somebody said it, or a template wrote it */

// The direction of a prompt's lines: as what is said in them runs, not as the template's words around it do

/**
 * Find what is ordered by itself. A line runs as the first words in it do. What a template writes there runs from left to
 * right, and so do words of other messages if they are of another direction.
 *
 * @param {string} text
 * @param {Part[]} parts that cover it, in order
 * @returns {import("../shared/text/direction.js").Isolates | null} null for a text without letters that run from right to left
 */
export function isolate(text, parts) {
  if (!hasRightToLeft(text)) return null;
  /** @type {Isolate[]} */
  const inside = [];
  /** @type {string | null} */
  let line = null;
  let at = 0;
  for (const { to, isSaid } of parts) {
    for (const [k, piece] of text.slice(at, to).split("\n").entries()) {
      if (k) [at, line] = [at + 1, null];
      const dir = isSaid ? firstDirection(piece) : "ltr";
      const isOther = isSaid ? line !== null && dir !== null && dir !== line : piece !== "";
      if (isOther && dir) inside.push({ from: at, to: at + piece.length, dir });
      if (isSaid) line ??= dir;
      at += piece.length;
    }
  }
  return { inside, outside: withoutIsolates(text, inside) };
}

/** @param {string} text @param {Isolate[]} inside */
function withoutIsolates(text, inside) {
  let [at, outside] = [0, ""];
  for (const { from, to } of inside) {
    outside += text.slice(at, from) + " ".repeat(to - from);
    at = to;
  }
  return outside + text.slice(at);
}
