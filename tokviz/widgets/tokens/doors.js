/**
 * Ways on from the Tokens page, each with what it would show of this very text.
 */

import { debounce, element, fill, number, plural } from "../shared/dom/elements.js";
import { withSigns } from "../shared/text/invisibles.js";
import { door, waysOn } from "../shared/ui/doors.js";
import { otherThan } from "../shared/ui/picker.js";
import { newestAt } from "../seek/model.js";

/** @typedef {import("../seek/seeking.js").Seeking} Seeking */

const ASK_AFTER_MS = 700;
/** Maximum length of a text that is tokenized again for the comparison, in characters. */
const MAX_COMPARED = 100_000;
/** Maximum signs of a token that are written. */
const LONGEST = 20;

/** Teasers while nothing of the text is known. */
const UNKNOWN = { replay: "How did it find these pieces?", compare: "Where do two tokenizers differ, and why?", course: "Why is it so? Read the course" };

/**
 * Say what a comparison would show.
 *
 * @param {string} label of the other tokenizer
 * @param {number} other its number of tokens
 * @param {number} own
 */
export function teaserOf(label, other, own) {
  if (other === own) return `${label} takes ${plural(other, "token")}, too. The same ones?`;
  return `${label} takes ${plural(other, "token")}. Where, and why?`;
}

/** Say which merge of a text was learned last. @param {Seeking} seeking @returns {string} "" if there is none, or it is long */
export function sayLast({ seek, bytes }) {
  const join = newestAt(seek, seek.merges);
  if (!join) return "";
  const [left, , right] = join.at;
  const joined = withSigns(new TextDecoder().decode(bytes.subarray(seek.byteOffsets[left], seek.byteOffsets[right])));
  return joined.length > LONGEST || joined.includes("\ufffd") ? "" : `“${joined}” came last, as merge ${number(join.merge)}. Why?`;
}

export class Doors {
  #client;
  #question;
  #teasers = { replay: element("span"), compare: element("span"), course: element("span") };
  /** Goes to the line of a long text that costs most; null where the third way is the course. @type {(() => void) | null} */
  #go = null;
  #own = 0;
  #third = door("course", this.#teasers.course, () => (this.#go?.(), this.#go));
  /** The third way's teaser where it is the course. */
  #course = UNKNOWN.course;
  #askLater = debounce(() => void this.#ask(), ASK_AFTER_MS);

  /**
   * @param {Pick<import("../shared/net/client.js").Client, "tokenize">} client
   * @param {() => import("../shared/net/client.js").Question} question about the editor's text
   */
  constructor(client, question) {
    this.#client = client;
    this.#question = question;
    this.node = waysOn(door("replay", this.#teasers.replay), door("compare", this.#teasers.compare), this.#third);
    for (const [name, says] of Object.entries(UNKNOWN)) fill(this.#teasers[/** @type {keyof UNKNOWN} */ (name)], says);
  }

  /** The text has new tokens. @param {number} count */
  tokensChanged(count) {
    this.#own = count;
    this.#askLater.later();
  }

  /** The merges of the text are known, or not. @param {Seeking | null} seeking */
  mergesKnown(seeking) {
    const { replay, course } = this.#teasers;
    this.#course = (seeking && sayLast(seeking)) || UNKNOWN.course;
    const merges = seeking?.seek.changes.length ?? 0;
    fill(replay, merges ? `${plural(merges, "merge")} made these pieces. Watch each` : UNKNOWN.replay);
    if (!this.#go) fill(course, this.#course);
  }

  /** Of a long text, the third way goes to the line that costs most. @param {{number: number, cost: number} | null} line @param {() => void} go */
  lineCosts(line, go) {
    const wasCourse = !this.#go;
    this.#go = line && go;
    if (!line && wasCourse) return;
    fill(this.#teasers.course, line ? `Line ${number(line.number)} costs most: ${line.cost.toFixed(2)} tokens per character` : this.#course);
  }

  async #ask() {
    const { text, tokenizer, special } = this.#question();
    const [name, label] = otherThan(tokenizer);
    const isAsked = text && text.length <= MAX_COMPARED;
    const answer = isAsked ? await this.#client.tokenize({ text, special, tokenizer: name }, false).catch(() => null) : null;
    const now = this.#question();
    const isOutdated = now.text !== text || now.tokenizer !== tokenizer || now.special !== special;
    if (!isOutdated) fill(this.#teasers.compare, answer ? teaserOf(label, answer.ids.length, this.#own) : UNKNOWN.compare);
  }

  dispose() {
    this.#askLater.cancel();
  }
}
