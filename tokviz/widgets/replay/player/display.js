/**
 * Draws the player's position on all parts of its panel: at once, or merge by merge.
 */

import { element, fill, isStill, isTouch, press } from "../../shared/dom/elements.js";
import { captionAt, figuresAt, spokenOf, summaryAt } from "../explain/captions.js";
import { isWindowed } from "../stage/flow.js";
import { tokensAt, THE_PRETOKENS } from "../model/replay.js";
import { hasLetters } from "../model/names.js";
import { pairsSeen, rankPairs } from "../model/pairs.js";
import { choicesFrom, isWinner, playedQuestionOf, questionOf } from "../predict/vote.js";

/** @typedef {import("../model/replay.js").Replay} Replay */

/** Timing of an animated merge: first the pair closes up, then the counts change, then the next pair is marked. */
const COUNTS_AFTER_MS = 240;
const NEXT_AFTER_MS = 400;
/** Interval between counts of the pairs during fast playback. */
const COUNT_EVERY_MS = 100;
/** Of questions, before the merges. */
const SOON = " With Next (▶|), you will be asked which pair is joined first.";
/** Of questions, how they are answered with choices; and what is asked after a verdict. */
const HOW = " Choose a pair, or join two neighbors in the text.";
const GOES_ON = "What is next?";
/** Maximum pairs listed. */
const MAX_PAIRS = 10;

export class Display {
  #parts;
  #player;
  #questions;
  #selection;
  #choices;
  /** @type {Replay | null} */
  #replay = null;
  /** Of the stages of an animated merge that are still to come. @type {ReturnType<typeof setTimeout>[]} */
  #timers = [];
  /** What is said at a position instead of its caption. @type {{k: number, parts: import("../explain/captions.js").Part[]} | null} */
  #told = null;
  /** Position of the question whose choices are on screen. */
  #askedAt = -1;
  /** How many positions were shown since the replay was loaded. */
  #moves = 0;
  /** Time when the pairs were last counted, as of `performance.now()`. */
  #countedAt = 0;

  /**
   * @param {import("./parts.js").Parts} parts
   * @param {object} shown what is shown of the replay
   * @param {import("./player.js").Player} shown.player the position
   * @param {import("../predict/questions.js").Questions} shown.questions what is still hidden
   * @param {import("../stage/selection.js").TokenSelection} shown.selection the token that is selected
   * @param {Pick<import("../state/choices.js").Choices, "writing" | "drawing">} shown.choices
   */
  constructor(parts, { player, questions, selection, choices }) {
    this.#parts = parts;
    this.#player = player;
    this.#questions = questions;
    this.#selection = selection;
    this.#choices = choices;
    parts.lookup.node.addEventListener("toggle", () => this.#replay && this.#showLookup(this.#replay));
  }

  /** Load a replay, before the player shows a position of it. @param {Replay} replay */
  load(replay) {
    const { overview, timeline, merges, wayBack } = this.#parts;
    this.#replay = replay;
    this.#told = null;
    this.#moves = 0;
    wayBack.load(replay);
    overview.load(replay, isWindowed(replay));
    timeline.load(replay);
    merges.load(replay);
  }

  /** Say something at this position, until another is shown. @param {import("../explain/captions.js").Part[]} parts */
  tell(parts) {
    this.#told = { k: this.#player.position, parts };
    if (this.#replay) this.#showCaption(this.#replay, false);
  }

  /** Show a new position. @param {boolean} animated true to join the pair of the position before in view of the reader */
  showPosition(animated) {
    this.#moves++;
    this.#clearTimers();
    if (animated && this.#player.position > 0 && !isStill()) this.#joinSlowly();
    else this.showAll();
  }

  /** Show the position of the way back. @param {boolean} animated true to slide parts out of their token */
  showDecoding(animated) {
    if (!this.#replay) return;
    this.#clearTimers();
    const { stage, caption, spoken, wayBack } = this.#parts;
    const { decoding, caption: sentence } = wayBack.view;
    const view = { ...this.#view(this.#replay), k: this.#replay.steps, next: false, decoding };
    if (animated && !isStill()) stage.unmerge(view);
    else stage.show(view);
    for (const each of [caption, spoken]) fill(each, sentence);
  }

  /** Draw everything. */
  showAll() {
    if (this.#parts.wayBack.isOn) return this.showDecoding(false);
    // During fast playback the stage would jump about.
    const follows = !this.#player.isPlaying || this.#player.isSlow;
    if (!follows) return this.#showWhole(false);
    this.#drawInSight(() => this.#showWhole(true));
  }

  /** Draw everything again where it stands, as in another notation. */
  redraw() {
    if (this.#parts.wayBack.isOn) return this.showDecoding(false);
    this.#showWhole(false);
  }

  /** Draw the stage as a tower, or as running text. */
  showDrawing() {
    this.#showStage(true);
    if (this.#replay) this.#showCard(this.#replay);
    this.#parts.stage.scrollToNext();
  }

  /** True if the stage is drawn as a tower, at least from the first merge on. */
  get isTower() {
    return this.#replay !== null && this.#parts.stage.prefersTower(this.#view(this.#replay));
  }

  /** Draw another token as the one that is followed. */
  showFollowed() {
    if (!this.#replay) return;
    this.#showStage(false);
    this.#showCard(this.#replay);
  }

  /** Show what fast playback left out, after it has ended. */
  catchUp() {
    if (!this.#replay || !this.#player.isFast) return;
    const k = this.#player.position;
    const caption = this.#questions.isAsked(k) ? "" : spokenOf(captionAt(this.#replay, k, this.writing));
    this.showAll();
    fill(this.#parts.spoken, `${summaryAt(this.#replay, k)} ${caption}`);
  }

  /** Scroll the stage to the next merge, as its size has changed. */
  scrollToNext() {
    if (this.#replay) this.#parts.stage.scrollToNext();
  }

  dispose() {
    this.#clearTimers();
    this.#parts.stage.dispose();
    this.#parts.card.dispose();
    this.#parts.wayBack.dispose();
  }

  /** Notation of the symbols; text, if there are too few letters. */
  get writing() {
    const { writing } = this.#choices;
    return writing === "letters" && this.#replay && !hasLetters(this.#replay) ? "text" : writing;
  }

  /** True during playback that can't be read along. */
  get #isFast() {
    return this.#player.isPlaying && this.#player.isFast;
  }

  #clearTimers() {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  /** Animate a merge whose pair is already marked: join, then counts, then the next mark. */
  #joinSlowly() {
    if (!this.#replay) return;
    const view = this.#view(this.#replay);
    const join = () => this.#parts.stage.join({ ...view, next: false });
    if (view.isPlayed) this.#drawInSight(join, true);
    else join();
    const markNext = () => this.#drawInSight(() => this.#showStage(true), true);
    this.#timers = [setTimeout(() => this.#showRest(), COUNTS_AFTER_MS), setTimeout(markNext, NEXT_AFTER_MS)];
  }

  /**
   * Draw, and scroll to the next merge: before, where that is possible, so that the page is laid out only once.
   *
   * @param {() => void} draw
   * @param {boolean} [smoothly]
   */
  #drawInSight(draw, smoothly = false) {
    const { stage } = this.#parts;
    const view = this.#replay && this.#view(this.#replay);
    const isKept = view !== null && stage.keepsTower(view);
    if (isKept) stage.scrollToNext(smoothly, view);
    draw();
    if (!isKept) stage.scrollToNext(smoothly);
  }

  /** @param {Replay} replay @returns {import("../stage/stage.js").View} */
  #view(replay) {
    const k = this.#player.position;
    const next = !this.#questions.isAsked(k);
    const { drawing } = this.#choices;
    const { symbol: selected } = this.#selection;
    const selectedAt = this.#selection.stepAt(k);
    const picked = this.#questions.pickedAt(k);
    const isOpening = k === 0 && this.#moves <= 1;
    return { replay, k, isOpening, writing: this.writing, next, selected, selectedAt, spoken: !this.#isFast, drawing, isGuessed: this.#questions.hidesAhead, isPlayed: !next, picked };
  }

  /** @param {boolean} follows true if the window may move to the next merge */
  #showWhole(follows) {
    this.#showStage(follows);
    this.#showRest();
  }

  /** @param {boolean} follows true if the window may move to the next merge */
  #showStage(follows) {
    if (this.#replay) this.#parts.stage.show(this.#view(this.#replay), follows);
  }

  /** Show everything but the stage. */
  #showRest() {
    const replay = this.#replay;
    if (!replay) return;
    const k = this.#player.position;
    const isAsked = this.#questions.isAsked(k);
    const { hidesAhead } = this.#questions;
    this.#showCaption(replay, isAsked);
    this.#parts.timeline.show(k, !hidesAhead || k === replay.steps, isAsked);
    this.#parts.merges.show(k, !hidesAhead);
    this.#parts.letters.show(replay, k, this.writing);
    fill(this.#parts.figures, ...figuresAt(replay, k).map(figure));
    this.#showCard(replay);
    if (!this.#player.isPlaying) this.#showLookup(replay);
    // Pairs can't be read in a sixtieth of a second, and on a long text counting them takes most of that time.
    if (this.#isFast && performance.now() - this.#countedAt < COUNT_EVERY_MS) return;
    this.#countedAt = performance.now();
    this.#parts.overview.show(k, !isAsked);
    this.#showPairs(replay, isAsked);
  }

  /** @param {Replay} replay @param {boolean} isAsked */
  #showCaption(replay, isAsked) {
    const k = this.#player.position;
    const soon = k < 0 && this.#questions.hidesAhead ? [SOON] : [];
    if (this.#told?.k !== k) this.#told = null;
    const parts = this.#told ? this.#told.parts : isAsked ? this.#questionAt(replay, k) : [...this.#givenAt(k), ...captionAt(replay, k, this.writing), ...soon];
    fill(this.#parts.caption, ...parts.map((part) => this.#partNode(replay, part)));
    if (!this.#isFast) fill(this.#parts.spoken, spokenOf(parts));
  }

  /** A part of the sentence, which looks as it does on the stage. @param {Replay} replay @param {import("../explain/captions.js").Part} part */
  #partNode(replay, part) {
    if (typeof part === "string") return part;
    if ("figure" in part) return element("b", {}, part.figure);
    const { name, tinted } = part;
    const tint = tinted === undefined ? "symbol" : `tint-${this.#parts.stage.tintOf(replay, tinted)}`;
    return element("code", { class: `chip ${tint}` }, name);
  }

  /** @param {Replay} replay @param {number} k */
  #questionAt(replay, k) {
    const verdict = this.#questions.verdictAt(k);
    if (verdict.length) return this.#questions.isMissed ? verdict : [...verdict, GOES_ON];
    if (!this.#questions.isPlayed) return [questionOf(replay), HOW];
    return [playedQuestionOf(replay), ` Drag one onto the other, or ${press().toLowerCase()} both${isTouch() ? "" : " (arrow keys, Enter)"}.`];
  }

  /** What was said of the latest move, where it leads to no further question. @param {number} k */
  #givenAt(k) {
    return this.#questions.isPlayed ? this.#questions.verdictAt(k) : [];
  }

  /** @param {Replay} replay @param {boolean} isAsked */
  #showPairs(replay, isAsked) {
    const { bars, vote, stage } = this.#parts;
    const k = this.#player.position;
    bars.node.hidden = k < 0 && !(k === THE_PRETOKENS && replay.meta.split && this.isTower);
    stage.node.toggleAttribute("data-tabled", k < 0 && !bars.node.hidden);
    if (k < 0) {
      if (!bars.node.hidden) bars.showPieces(replay);
      return this.#questions.isPlayed ? vote.showPlayed(replay, k, "alone") : vote.clear();
    }
    const ranking = rankPairs(replay, k, MAX_PAIRS);
    const { isPlayed, hidesAhead } = this.#questions;
    const isAnswered = !isPlayed && this.#questions.isRevealed(k) && this.#askedAt === k; // its choices stay
    if (hidesAhead && (isPlayed || !(isAsked || isAnswered))) vote.showPlayed(replay, k, k === replay.steps ? "over" : isAsked ? "asked" : "alone");
    if (isAsked) return isPlayed ? bars.clear() : this.#askForPair(replay, ranking.top);
    bars.show(replay, k, ranking, this.writing);
    if (!hidesAhead) vote.clear();
  }

  /** @param {Replay} replay @param {import("../model/pairs.js").Pair[]} ranked the winner first */
  #askForPair(replay, ranked) {
    const { bars, vote, caption } = this.#parts;
    const isLearning = replay.meta.story === "learn";
    const choices = choicesFrom(ranked, pairsSeen(replay, this.#player.position));
    bars.clear();
    this.#askedAt = this.#player.position;
    vote.ask(replay, this.#askedAt, choices, (pair) => isWinner(isLearning, ranked[0], pair), this.writing);
    // Scroll the choices out from under the player, which covers the lower edge; then the question above them.
    for (const node of [vote.node, caption]) node.scrollIntoView({ block: "nearest" });
  }

  /** Show the card of the token that is followed. @param {Replay} replay */
  #showCard(replay) {
    const k = this.#selection.stepAt(this.#player.position);
    this.#parts.card.follow(replay, k, this.#selection.tokenAt(k));
  }

  /** @param {Replay} replay */
  #showLookup(replay) {
    const { lookup, stage } = this.#parts;
    if (!lookup.node.open) return;
    const k = Math.max(0, this.#player.position); // scenes have no tokens: use those before the first merge
    lookup.show(replay, tokensAt(replay, k, stage.from));
  }
}

/** @param {[name: string, value: string]} figure */
function figure([name, value]) {
  return element("div", {}, element("dt", {}, name), element("dd", { "data-figure": name }, value));
}
