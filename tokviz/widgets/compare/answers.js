/**
 * The server's answers: the comparison of the text on screen, and why its tokenizers differ.
 */

import { debounce } from "../shared/dom/elements.js";
import { Latest } from "../shared/net/latest.js";
import { createExplaining } from "./explaining.js";
import { makeComparison, reasonBits } from "./model.js";

/** @typedef {import("./explaining.js").Explained} Explained */
/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("../shared/net/columns.js").ReasonColumns} ReasonColumns */

/**
 * @typedef {object} Question a text and the tokenizers to compare on it
 * @property {string} text
 * @property {string[]} tokenizers the first is the reference
 * @property {boolean} special recognize special tokens
 */

/**
 * Maximum text, in UTF-16 units, whose reasons come with the comparison. Reasons take a few times as long as
 * tokenizing, so a longer text needs a second, later request.
 */
const REASONS_AT_ONCE = 20_000;
const REASONS_AFTER_MS = 400;

/**
 * @typedef {object} AnswerListeners
 * @property {(comparison: Comparison, question: Question, previous: Comparison | null) => void} compared
 * @property {(message: string) => void} refused
 * @property {(comparison: Comparison) => void} explained the reasons of the comparison on screen came after it
 * @property {() => void} unexplained there are no reasons for the comparison on screen; see `reasonsRefusal`
 * @property {(connection: import("../shared/net/latest.js").Connection) => void} connection
 */

export class Answers {
  /** The comparison on screen; null before the first. @type {Comparison | null} */
  comparison = null;
  /** The server's message if it gave no reasons for this comparison. */
  reasonsRefusal = "";
  #question;
  #on;
  #live;
  #reasons;
  #explaining;
  #askReasons = debounce(() => void this.#addReasons(), REASONS_AFTER_MS);

  /**
   * @param {Pick<import("../shared/net/client.js").Client, "columns" | "json">} client
   * @param {() => Question} question the current one
   * @param {AnswerListeners} on
   */
  constructor(client, question, on) {
    this.#question = question;
    this.#on = on;
    this.#live = new Latest(
      /** @returns {Promise<import("../shared/net/columns.js").ComparisonColumns & Partial<ReasonColumns>>} */
      ({ text, ...query }, signal) => client.columns("compare", { ...query, reasons: hasReasons({ text }) }, text, signal),
      { refusal: (message) => on.refused(message), connection: (state) => on.connection(state) },
    );
    /** @type {Latest<Question, ReasonColumns>} */
    this.#reasons = new Latest(({ text, ...query }, signal) => client.columns("compare/reasons", query, text, signal), {
      refusal: (message) => this.#refuseReasons(message),
    });
    this.#explaining = createExplaining((part, segments, goesOn) => {
      const { text: _, ...query } = question();
      return client.json("compare/explain", { ...query, segments: segments.map((bytes) => bytes.join("-")), ...goesOn }, part);
    });
  }

  async ask() {
    const asked = this.#question();
    const answer = await this.#live.ask(asked);
    if (!answer) return;
    const previous = this.comparison;
    this.comparison = makeComparison(asked.text, answer);
    this.reasonsRefusal = "";
    this.#on.compared(this.comparison, asked, previous);
    if (!hasReasons(asked)) this.#askReasons.later();
  }

  /** Why segments are cut differently. @param {number[]} segments @returns {Promise<Explained[]>} */
  async explain(segments) {
    return this.comparison ? this.#explaining.explain(this.comparison, segments) : [];
  }

  /** Why a segment is cut differently if it is known already, or null. @param {number} segment @returns {Explained} */
  recall(segment) {
    return this.comparison && this.#explaining.recall(this.comparison, segment);
  }

  dispose() {
    this.#askReasons.cancel();
    this.#live.dispose();
    this.#reasons.dispose();
  }

  async #addReasons() {
    const asked = this.#question();
    const answer = await this.#reasons.ask(asked);
    const comparison = this.comparison;
    // The comparison may be of a newer text, or of other tokenizers.
    if (asked.text !== comparison?.text || answer?.reasons_1?.length !== comparison.differing.length) return;
    comparison.bits = reasonBits(answer, asked.tokenizers.length, comparison.differing.length);
    this.#on.explained(comparison);
  }

  /** @param {string} message */
  #refuseReasons(message) {
    this.reasonsRefusal = message;
    this.#on.unexplained();
  }
}

/** Whether the reasons come with the comparison. @param {Pick<Question, "text">} question */
const hasReasons = ({ text }) => text.length <= REASONS_AT_ONCE;
