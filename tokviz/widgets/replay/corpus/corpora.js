/**
 * What a change of the training text does to the merges: said and marked on the stage as one types, and listed; and a text
 * that is kept, whose merges stand beside those of the text that is typed.
 */

import { button, element, fill, number, plural } from "../../shared/dom/elements.js";
import { compareMerges, editBetween, mergesOf, shareMerges } from "./mergelists.js";
import { clauseOf, headsOf, ordinal, sayCompared, sentenceOf } from "./wording.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("./mergelists.js").Merge} Merge */
/** @typedef {import("../input/options.js").LearnOptions} LearnOptions */
/** @typedef {{text: string, merges: Merge[], alternatives: import("../../shared/ui/alternatives.js").Alternative[]}} Learned a text, the merges learned from it, and the alternatives of the pattern that cuts it */

/** Pause after which typing begins anew: what comes after it is compared with the text before it. */
const PAUSE_MS = 1500;
/** Maximum changes listed, and merges side by side. */
const [MAX_CHANGES, MAX_ROWS] = [100, 200];
/** Said when a text is kept. */
const NOW_CHANGE = "Now change the text: its merges will stand beside those that are kept.";

export class Corpora {
  #state;
  #on;
  /** What is on screen. @type {Learned | null} */
  #shown = null;
  /** What is compared with what is typed. @type {Learned | null} */
  #before = null;
  #typedAt = -Infinity;
  /** True while the answer to what was typed is still to come. */
  #isTyped = false;
  /** @type {Learned | null} */
  #kept = null;
  #changes = element("ul", { class: "changes" });
  #table = element("table", { class: "pair-of-lists" });
  #note = element("p", { class: "quiet" });
  #heading = element("h2", {});
  #forget = button("forget it", () => this.#release(), { title: "Stop comparing with what is kept" });
  node = element(
    "section",
    { class: "corpora", "aria-label": "What the text changes", hidden: true },
    element("div", { class: "row" }, this.#heading, this.#forget),
    this.#note,
    this.#changes,
    element("div", { class: "lists", tabindex: 0, role: "region", "aria-label": "Merges side by side" }, this.#table),
  );

  /**
   * @param {import("../state/state.js").PageState} state the text that is kept is remembered there
   * @param {object} on
   * @param {(parts: import("../explain/captions.js").Part[], ids: Set<number>) => void} on.changed called with what is said of an edit, and the tokens of merges that are new or have moved
   * @param {(learn: LearnOptions) => Promise<Replay>} on.learn learns from a text that was kept before
   */
  constructor(state, on) {
    this.#state = state;
    this.#on = on;
  }

  /** Learn again from the text that was kept, as after a reload. */
  async begin() {
    const { kept } = this.#state.choices;
    const replay = kept && (await this.#on.learn(kept).catch(() => null));
    if (!replay || this.#state.choices.kept !== kept) return;
    this.#kept = learnedOf(replay);
    this.#draw([]);
  }

  /** The text is being changed by hand. */
  type() {
    const now = performance.now();
    if (now - this.#typedAt > PAUSE_MS) this.#before = this.#shown;
    this.#typedAt = now;
    this.#isTyped = true;
  }

  /** @param {Replay | null} replay on screen; null if nothing is learned there */
  show(replay) {
    this.#shown = replay?.meta.story === "learn" ? learnedOf(replay) : null;
    const before = this.#isTyped ? this.#before : null;
    this.#isTyped = false;
    const changes = before && this.#shown ? compareMerges(before.merges, this.#shown.merges) : [];
    const isShared = !before || !this.#shown || shareMerges(before.merges, this.#shown.merges);
    this.#draw(isShared ? changes : []); // else the sentence says it
    if (!before || !this.#shown || before.text === this.#shown.text || this.#state.choices.predict) return;
    const marked = changes.filter(({ kind }) => kind !== "gone").map(({ merge }) => merge.id);
    this.#on.changed(sentenceOf(editBetween(before.text, this.#shown.text), changes, isShared), new Set(marked));
  }

  /** Keep the text on screen, with its options, to compare others with it. */
  keep() {
    if (!this.#shown) return;
    this.#kept = this.#shown;
    this.#state.choose({ kept: { ...this.#state.choices.learn } });
    this.#draw([]);
    this.#on.changed([NOW_CHANGE], new Set());
  }

  #release() {
    this.#kept = null;
    this.#state.choose({ kept: null });
    this.#draw([]);
  }

  /** @param {import("./mergelists.js").Change[]} changes of the text by hand */
  #draw(changes) {
    const isCompared = this.#kept !== null && this.#shown !== null;
    this.node.hidden = this.#state.choices.predict || !this.#shown || (!isCompared && !changes.length);
    this.#forget.hidden = this.#table.hidden = !isCompared;
    this.#changes.hidden = isCompared;
    if (this.node.hidden) return;
    if (this.#kept && this.#shown) return this.#drawTable(this.#kept, this.#shown);
    fill(this.#heading, "What this changed");
    fill(this.#note, changes.length > MAX_CHANGES ? `The first ${MAX_CHANGES} of ${number(changes.length)} changes.` : "");
    fill(this.#changes, ...changes.slice(0, MAX_CHANGES).map((change) => element("li", { class: change.kind }, ...clauseOf(change).map(chip))));
  }

  /** @param {Learned} kept @param {Learned} shown */
  #drawTable(kept, shown) {
    const changes = compareMerges(kept.merges, shown.merges);
    const said = new Map(changes.map((change) => [`${change.before} ${change.after}`, change]));
    const ranks = new Map(kept.merges.map(({ key }, rank) => [key, rank]));
    const places = new Map(shown.merges.map(({ key }, rank) => [key, rank]));
    const rows = Math.min(MAX_ROWS, Math.max(kept.merges.length, shown.merges.length));
    const cellOf = (/** @type {Merge | undefined} */ merge, /** @type {number} */ before, /** @type {number} */ after, /** @type {string} */ says) => {
      const change = said.get(`${before} ${after}`);
      return element("td", { class: change?.kind ?? "same" }, ...(merge ? [chip(merge.made), " ", element("small", {}, change ? says : "")] : []));
    };
    const body = Array.from({ length: rows }, (_, rank) => {
      const [one, other] = [kept.merges[rank], shown.merges[rank]];
      const after = one ? (places.get(one.key) ?? -1) : -1;
      const before = other ? (ranks.get(other.key) ?? -1) : -1;
      const left = cellOf(one, rank, after, after < 0 ? "gone" : `now ${ordinal(after)}`);
      const right = cellOf(other, before, rank, before < 0 ? "new" : `was ${ordinal(before)}`);
      return element("tr", {}, element("th", { scope: "row" }, ordinal(rank)), left, right);
    });
    fill(this.#heading, "Kept and now, merge by merge");
    const { kept: options, learn } = this.#state.choices;
    const [was, is] = headsOf(toldApart(options ?? learn, kept), toldApart(learn, shown));
    const says = was === is ? NOW_CHANGE : sayCompared(changes, shareMerges(kept.merges, shown.merges));
    const more = Math.max(kept.merges.length, shown.merges.length) - rows;
    fill(this.#note, says, more > 0 ? ` ${plural(more, "more merge")} after these.` : "");
    const head = ["", `kept: ${was}`, `now: ${is}`].map((name) => element("th", { scope: "col" }, name));
    fill(this.#table, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
  }
}

/** @param {LearnOptions} options @param {Learned} learned */
const toldApart = (options, { text, alternatives }) => ({ ...options, text, alternatives });

/** @param {Replay} replay @returns {Learned} */
const learnedOf = (replay) => ({ text: replay.text, merges: mergesOf(replay), alternatives: replay.meta.alternatives });

/** @param {string | import("../explain/captions.js").Chip} part */
const chip = (part) => (typeof part === "string" ? part : element("code", { class: "chip" }, part.name));
