/**
 * The player's panel: it plays a replay, and connects what the reader does with it. On a standalone page it is all
 * there is.
 */

import { element, menu } from "../../shared/dom/elements.js";
import { createPictureButtons } from "../../shared/ui/pictures.js";
import { createSegments } from "../../shared/ui/segments.js";
import { canUnmerge } from "../decode/unmerging.js";
import { Display } from "./display.js";
import { Game } from "../predict/game.js";
import { TokenSelection } from "../stage/selection.js";
import { actionOf, createHelp, createHint } from "./keys.js";
import { firstPosition, tokenAt } from "../model/replay.js";
import { hasLetters, WRITINGS } from "../model/names.js";
import { createParts, createSettings } from "./parts.js";
import { Player } from "./player.js";
import { Questions } from "../predict/questions.js";
import { Switches } from "./switches.js";
import { createTerms } from "../explain/legend.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../model/names.js").Writing} Writing */

/** @type {["watch" | "play", string][]} */
const MODES = [["watch", "Watch"], ["play", "Play it yourself"]];
/** Columns of a line in a picture of the tower where the stage draws none. */
const COLUMNS = 24;

export class Panel {
  #widget;
  #state;
  /** @type {Replay | null} */
  #replay = null;
  #player;
  #questions;
  #selection = new TokenSelection();
  #parts;
  #display;
  #game;
  #act;
  #writings;
  #switches;
  #help = createHelp();
  /** Lets tokens be dragged, once the stage is played. @type {Promise<unknown> | null} */
  #dragging = null;
  /** Buttons that save the tower, where there is a server. @type {ReturnType<typeof createPictureButtons> | null} */
  #pictures = null;
  /** What is set once in a while. */
  #settings;
  /** Where the page puts what decides about the merges. */
  story = element("div");
  /** The pairs and details, where the page puts more. */
  beneath;
  /** Whether the merges are watched or found by the reader. */
  #modes = createSegments("Watch or play", MODES, "watch", (mode) => this.#setPredict(mode === "play"));
  /** Where the page puts its tools. */
  tools = element("span", { class: "row presenting" });

  /**
   * @param {HTMLElement} widget gets the attributes `data-story` and `data-step`
   * @param {import("../state/state.js").PageState} state its notation, speed, predictions and bookmarks are changed here
   */
  constructor(widget, state) {
    const { choices } = state;
    this.#widget = widget;
    this.#state = state;
    this.#questions = new Questions(choices);
    this.#player = this.#createPlayer();
    const act = (this.#act = this.#createActions());
    const [player, questions, selection] = [this.#player, this.#questions, this.#selection];
    this.#parts = createParts(choices.speed, act);
    const display = (this.#display = new Display(this.#parts, { player, questions, selection, choices }));
    this.#game = new Game(this.#parts, { player, questions, selection, display });
    this.#writings = menu("Symbols as", WRITINGS, choices.writing, (writing) => this.setWriting(/** @type {Writing} */ (writing)));
    this.#switches = new Switches(
      { tower: (isTower) => this.#setTower(isTower), decode: () => act.decode() },
      { tower: true, decode: false },
    );
    const drawing = element("div", { class: "row" }, this.#writings.node, ...this.#switches.nodes, ...this.#parts.timeline.options);
    this.#settings = createSettings({ "What is merged": this.story, "How it is shown": drawing, "Take it along": this.tools });
    this.beneath = this.#createBeneath();
    this.node = this.#createNode();
  }

  #createPlayer() {
    return new Player(this.#state.choices.speed, {
      moved: (animated) => this.#showPosition(animated),
      stops: (k) => this.#questions.isAsked(k),
      playing: (playing) => this.#parts.timeline.showPlaying(playing),
      paused: () => this.#display.catchUp(),
    });
  }

  /** @returns {import("./parts.js").Actions} */
  #createActions() {
    return {
      seek: (k) => this.#player.seek(k),
      back: () => this.#active.back(),
      next: () => (this.#showWhole(), this.#next()),
      first: () => this.#active.seek(-Infinity),
      last: () => this.#active.seek(Infinity),
      toggle: () => (this.#showWhole(), this.#togglePlaying()),
      speed: (speed) => this.#setSpeed(speed),
      help: () => (this.#help.hidden = !this.#help.hidden),
      drawing: () => this.#setTower(!this.#display.isTower),
      follow: (symbol) => this.#follow(symbol),
      release: () => (this.#follow(null), this.#parts.stage.enter()),
      pick: (block) => this.#pick(block),
      walk: (by) => this.#walk(by),
      reveal: () => this.#game.reveal(),
      give: () => this.#game.give(),
      choose: (i) => this.#parts.vote.choose(i),
      decode: () => this.#setDecoding(!this.#isDecoding),
      unmerge: (animated) => this.#display.showDecoding(animated),
    };
  }

  #createNode() {
    const { caption, spoken, vote, pane, timeline, figures, wayBack } = this.#parts;
    return element(
      "section",
      { class: "player", "aria-label": "Player", hidden: true },
      element("div", { class: "head" }, caption, this.#modes.node),
      spoken,
      // The player stands above the letters, so that it stays where it is with any text.
      element("div", { class: "deck" }, timeline.node, wayBack.controls, vote.node, pane),
      this.#help,
      element("div", { class: "row beside-player" }, createHint(), figures, this.#settings.fold),
      this.#settings.node,
      this.beneath,
    );
  }

  #createBeneath() {
    const { bars, merges, lookup, wayBack } = this.#parts;
    const details = element("div", { class: "details" }, merges.node, lookup.node, createTerms());
    return element("div", { class: "beneath" }, bars.node, wayBack.node, details);
  }

  get position() {
    return this.#player.position;
  }

  /** Number of merges learned at the position, or of all of them before the first; null unless merges are being learned. */
  get learnedMerges() {
    if (this.#replay?.meta.story !== "learn") return null;
    return Math.max(0, this.#player.position) || this.#replay.steps;
  }

  /** Offer the tower on screen as a picture. @param {(shown: Record<string, any>) => Promise<Blob>} draw */
  offerPictures(draw) {
    this.#pictures = createPictureButtons("replay", "The tower as it stands, as a picture for slides and papers", () => draw(/** @type {Record<string, any>} */ (this.pictured)));
    this.tools.append(this.#pictures.node);
  }

  /** What a picture of the tower shows, as fields of a request; null for a text that is too long for a tower. @returns {Record<string, any> | null} */
  get pictured() {
    const { stage, wayBack } = this.#parts;
    if (!stage.isTower && !this.#replay?.tower) return null;
    const columns = stage.isTower ? stage.columns : COLUMNS;
    if (!this.#isDecoding) return { columns, step: this.position, symbols: this.#display.writing };
    const { row, end, shown } = wayBack.view.decoding;
    return { columns, step: this.#replay?.steps, symbols: shown, decoding: 1, row, end };
  }

  /** Show a replay, at the position where its story was left. @param {Replay} replay */
  load(replay) {
    this.#replay = replay;
    this.#selection.load(replay);
    this.#questions.load(replay);
    this.#parts.vote.reset();
    this.node.hidden = false;
    this.node.classList.toggle("empty", !replay.n);
    this.#widget.dataset.story = replay.meta.story;
    this.#checkPredict();
    this.#display.load(replay);
    this.#showSettings(replay);
    this.#player.load(firstPosition(replay), replay.steps, this.#state.bookmarks.open(replay.meta.story, replay));
  }

  /** Hide the player while there is nothing to play. */
  hide() {
    this.#player.pause();
    this.node.hidden = true;
  }

  pause() {
    this.#player.pause();
  }

  /** Put what goes on after the last merge that the reader found beside its score. @param {Node} onward */
  offerOnward(onward) {
    this.#parts.vote.offer(onward);
  }

  /** Say something at this position, and mark tokens for a moment. @param {import("../explain/captions.js").Part[]} parts @param {Set<number>} ids */
  tell(parts, ids) {
    this.#display.tell(parts);
    this.#parts.stage.mark(ids);
  }

  /** @param {Writing} writing */
  setWriting(writing) {
    this.#writings.select.value = writing;
    this.#state.choose({ writing });
    this.#display.redraw();
  }

  /** Do what a key asks for, if there is something to play. @param {KeyboardEvent} event from anywhere on the page */
  press(event) {
    const action = this.#replay && !this.node.hidden ? actionOf(event) : null;
    if (!action || (action === "release" && this.#selection.symbol === null)) return;
    event.preventDefault();
    const isMove = event.key.startsWith("Arrow") || action === "first" || action === "last";
    if (isMove && this.#questions.isPlayed && this.#questions.isAsked(this.position)) return this.#parts.stage.enter(event.key);
    if (action === "choose") this.#act.choose(Number(event.key) - 1);
    else this.#act[action]();
  }

  /** Scroll the stage to the next merge, as its size has changed. */
  scrollToNext() {
    this.#display.scrollToNext();
  }

  dispose() {
    this.#player.dispose();
    this.#display.dispose();
  }

  /** @param {boolean} animated */
  #showPosition(animated) {
    if (!this.#replay) return;
    const k = this.#player.position;
    this.#state.bookmarks.keep(this.#replay.meta.story, k);
    this.#state.remember();
    this.#widget.dataset.step = String(k);
    this.#display.showPosition(animated);
    this.#showTower(); // a window that was resized may have room for it now, or no more
  }

  /** Scroll the page so that the stage and the player are in sight; or the stage, if there is no room for both. */
  #showWhole() {
    if (this.#parts.stage.isTall) return; // the player stays in sight
    for (const node of [this.#parts.timeline.track, this.#parts.stage.node]) node.scrollIntoView({ block: "nearest" });
  }

  get #isDecoding() {
    return this.#parts.wayBack.isOn;
  }

  /** The player that the keys move. */
  get #active() {
    return this.#isDecoding ? this.#parts.wayBack.player : this.#player;
  }

  /** Enable the settings that this replay allows. @param {Replay} replay */
  #showSettings(replay) {
    const letters = /** @type {HTMLOptionElement} */ (this.#writings.select.querySelector("[value=letters]"));
    letters.disabled = !hasLetters(replay);
    this.#showTower();
  }

  /** Show whether the stage is a tower, and what can be done with it. */
  #showTower() {
    const replay = this.#replay;
    const { isTower } = this.#display;
    this.#switches.check("tower", isTower);
    const canDecode = isTower && replay !== null && canUnmerge(replay);
    this.#showReasons();
    this.#switches.check("decode", this.#isDecoding);
    this.#writings.select.disabled = this.#isDecoding;
    this.#parts.lookup.node.hidden = canDecode;
    this.node.classList.toggle("decoding", this.#isDecoding);
    this.node.classList.toggle("played", this.#questions.isPlayed);
    this.node.classList.toggle("asking", this.#questions.hidesAhead);
    this.#pictures?.enable(this.#parts.stage.isTower);
  }

  #showReasons() {
    const replay = this.#replay;
    this.#switches.show({
      canDraw: replay !== null && this.#parts.stage.hasTower(replay),
      isTower: this.#display.isTower,
      canUnmerge: replay !== null && canUnmerge(replay),
      // While a class guesses, the way back would show the answers.
      isSecret: this.#questions.hidesAhead && this.position < (replay?.steps ?? 0),
    });
  }

  /** Take the stage for the way back, or leave it. @param {boolean} isOn */
  #setDecoding(isOn) {
    if (isOn && this.#switches.isDisabled("decode")) return;
    this.#player.pause();
    this.#parts.wayBack.turn(isOn);
    this.#showTower();
    this.#display.showAll();
  }

  /** @param {boolean} isTower */
  #setTower(isTower) {
    if (!this.#replay || !this.#parts.stage.hasTower(this.#replay)) return;
    if (this.#isDecoding) this.#setDecoding(false);
    this.#state.choose({ drawing: isTower ? "tower" : "flow" });
    this.#selection.follow(this.#selection.symbol); // running text has the tokens of the moment only
    this.#display.showDrawing();
    this.#showTower();
  }

  /** Follow the token of a block, or keep to the block if it is part of another token by now. @param {import("../tower/tower.js").Block} block */
  #pick({ start, gone }) {
    if (this.#isDecoding) return this.#parts.wayBack.cutAfter(start);
    if (this.#questions.isAsked(this.position)) return this.#game.play(start);
    this.#player.pause();
    this.#follow(start, this.position <= gone ? Infinity : gone);
  }

  /** Go to the next step, or show the answer if a question is open. */
  #next() {
    if (this.#isDecoding) this.#active.next();
    else if (this.#questions.isAsked(this.#player.position)) this.#game.give();
    else this.#player.next();
  }

  #togglePlaying() {
    if (this.#isDecoding) this.#active.toggle();
    else if (!this.#questions.isAsked(this.#player.position)) this.#player.toggle();
  }

  /** Let the reader find the merges, or say why not; or no more. @param {boolean} predict */
  #setPredict(predict) {
    if (this.#isDecoding) this.#setDecoding(false);
    this.#parts.vote.clear();
    this.#state.choose({ predict: predict && this.#questions.isPossible, asks: "stage" });
    this.#checkPredict();
    if (!this.#questions.isPlayed) this.#player.seek(this.position);
    if (!predict) return;
    if (!this.#questions.isPlayed) return this.#display.tell([`Texts of up to ${this.#questions.mostSymbols} symbols can be played: shorten yours.`]);
    this.#game.begin();
    for (const node of [this.#parts.vote.node, this.#parts.stage.node, this.#parts.caption]) node.scrollIntoView({ block: "nearest" });
    this.#parts.stage.enter();
  }

  /** Show whether the reader finds the merges; then tokens can be dragged. */
  #checkPredict() {
    const load = () => import("../predict/dragging.js");
    if (this.#questions.isPlayed) this.#dragging ??= load().then(({ Dragging }) => new Dragging(this.#parts.stage.node, (start, onto) => this.#game.drop(start, onto)));
    this.#modes.show(this.#questions.hidesAhead ? "play" : "watch");
  }

  /** @param {import("./player.js").Speed} speed */
  #setSpeed(speed) {
    for (const player of [this.#player, this.#parts.wayBack.player]) player.setSpeed(speed);
    this.#state.choose({ speed });
  }

  /** @param {number | null} symbol @param {number} [until] the last step up to which it is followed */
  #follow(symbol, until) {
    const token = symbol === null || !this.#replay ? null : tokenAt(this.#replay, symbol, this.position);
    if (token !== null && this.#questions.isAsked(this.position)) return this.#game.play(token);
    this.#selection.follow(symbol, until);
    if (symbol !== null) this.#parts.stage.reveal(symbol);
    this.#display.showFollowed();
  }

  /** @param {-1 | 1} by */
  #walk(by) {
    if (!this.#replay?.n) return;
    if (this.#questions.isAsked(this.position)) return this.#parts.stage.enter();
    if (this.#player.position < 0) this.#player.seek(0); // the scenes before have no tokens
    this.#follow(this.#selection.neighbor(by, this.#player.position, this.#parts.stage.from));
  }
}
