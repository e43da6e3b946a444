/**
 * The stage: the text after k steps, as a tower if it fits, or else as running text, and what screen readers say of it.
 */

import { element, fill, isStill } from "../../shared/dom/elements.js";
import { Flow, isWindowed } from "./flow.js";
import { tokensAt, THE_PRETOKENS, THE_TEXT } from "../model/replay.js";
import { sayingOf } from "../model/names.js";
import { piecesBetween } from "../model/pretokens.js";
import { nearestOf } from "./sight.js";
import { TowerDrawing } from "../tower/drawing.js";
import { fitReplay } from "../tower/fitting.js";
import { drawnSymbol, isSeparable } from "../tower/tower.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../tower/fitting.js").Fitted} Fitted */
/** @typedef {"" | "tower" | "flow"} Drawing what the reader asked for, if anything */
/**
 * @typedef {object} View
 * @property {Replay} replay
 * @property {number} k
 * @property {import("../model/names.js").Writing} writing
 * @property {boolean} next true to mark the pair that joins next
 * @property {number | null} selected a symbol of the selected token
 * @property {number} [selectedAt] the step at which the tower has that token; k unless it has become part of another
 * @property {boolean} spoken true to update the text for screen readers, which can't follow fast playback
 * @property {Drawing} drawing
 * @property {boolean} [isOpening] true while a text is shown as it opens, before its first merge
 * @property {boolean} [isGuessed] true while merges are guessed, so that as much as possible has to be in sight
 * @property {boolean} [isPlayed] true while the reader chooses the pair that joins next
 * @property {number | null} [picked] first symbol of the token that was picked to be joined
 * @property {import("../decode/unmerging.js").Decoding} [decoding] what the tower shows instead of a step
 */

/**
 * @typedef {object} Look how the text is drawn
 * @property {boolean} isTower
 * @property {boolean} isCompact true if the tower's blocks are too small for numbers
 * @property {boolean} isDone true after the last merge
 * @property {boolean} isPlayed true while it is asked what joins next
 * @property {number} k
 * @property {string} text what is written with signs for invisible characters
 */

/** Maximum symbols of a tower that is drawn unasked. */
const MAX_TOWER = 300;
/** Least width of a stage, in em, on which a tower of several lines also shows the scenes before the merges. */
const MIN_SCENES = 36;
/** Room around the next pair at the stage's edges, in pixels. */
const EDGE = 6;
/** Height at the upper edge of the screen that the page's header and the player take, in pixels. */
const ABOVE = 130;
/** Room beneath a block that is enough for a bubble, in pixels. */
const BENEATH = 200;
/** Of two tokens that may not join: how far they shake, in pixels, and how long that takes. */
const [SHAKE, SHAKE_MS] = [[0, 7, -4, 2, 0], 400];
/** For how long tokens are marked. */
const MARKED_MS = 2400;
/** Maximum tokens read by screen readers. */
const MAX_SPOKEN = 120;

export class Stage {
  #on;
  /** @type {View | null} */
  #shown = null;
  /** Inner size of the stage. */
  #room = { width: 0, height: 0, padding: 0, fontSize: 16, least: 0 };
  /** The latest replay, and how its tower fits into the stage in each notation. @type {{replay: Replay | null, fits: Map<string, Fitted | null>}} */
  #fitting = { replay: null, fits: new Map() };
  #flow;
  #tower;
  #spoken = element("p", { class: "unseen" });
  /** What stands above a pair that may not join, until the stage is drawn again; over it and beside it. @type {HTMLElement} */
  brief = element("p", { class: "brief", "aria-hidden": "true", hidden: true });
  /** Whether a block was chosen with the mouse last, not with keys. */
  #isPressed = false;
  #resized = () => this.measure();
  #resizing = new ResizeObserver(this.#resized);

  /**
   * @param {object} on
   * @param {(symbol: number) => void} on.select called with a symbol of the clicked token of the flow
   * @param {(block: import("../tower/tower.js").Block) => void} on.pick called with the clicked block of the tower
   * @param {(from: number, to: number) => void} on.window called when another part of the text is shown
   * @param {(look: Look) => void} [on.drawn] called when the text is drawn
   * @param {(isTall: boolean) => void} [on.sized] called with whether it is higher than the room for it
   */
  constructor(on) {
    this.#on = on;
    this.#flow = new Flow(on);
    this.#tower = new TowerDrawing(on.pick);
    const scroll = () => (this.brief.hidden = true);
    // A click leaves the keys to the player: only who comes to a block by keys walks on from it.
    const mousedown = (/** @type {Event} */ event) => {
      if (this.#shown?.isPlayed || !(/** @type {Element} */ (event.target).closest(".block"))) return;
      event.preventDefault();
      this.#isPressed = true;
      this.node.focus({ preventScroll: true });
    };
    this.node = element("div", { class: "stage", tabindex: 0, role: "group", "aria-label": "The text at this step", scroll, mousedown, keydown: () => (this.#isPressed = false) }, this.#spoken);
    this.#resizing.observe(this.node);
    addEventListener("resize", this.#resized); // the stage may be lower than there is room
  }

  /** What is on screen. */
  get view() {
    return this.#shown;
  }

  /** The token, or the block of a tower, that an element is in. @param {Element} target @returns {import("../model/replay.js").Token & {gone?: number} | null} */
  tokenOf(target) {
    return this.isTower ? this.#tower.blockOf(target) : this.#flow.tokenOf(target);
  }

  /** Boxes of a token on screen; of a block, with its parts above it where there is room beneath it to say more. @param {import("../model/replay.js").Token} token @returns {import("../../shared/ui/bubble.js").Box[]} */
  boxesOf(token) {
    const boxes = [...(this.#nodeOf(token)?.getClientRects() ?? [])];
    const hasRoom = this.isTower && boxes.length > 0 && innerHeight - boxes[0].bottom > BENEATH;
    return hasRoom ? boxes.map(({ left, right, bottom }) => ({ left, right, top: 0, bottom })) : boxes;
  }

  /** @param {import("../model/replay.js").Token} token */
  #nodeOf(token) {
    return this.isTower && this.#shown ? this.#tower.nodeOf(this.#shown.replay, token) : this.#flow.nodeOf(token);
  }

  /** The row that a token stands in, on screen, with its id; null if it is not drawn. @param {import("../model/replay.js").Token} token */
  rowOf(token) {
    const node = this.#nodeOf(token);
    if (!node) return null;
    const { top, bottom } = node.getBoundingClientRect();
    const line = /** @type {HTMLElement} */ (node.parentElement);
    const there = [...line.children].filter((each) => !each.matches(".later")).flatMap((each) => [...each.getClientRects()]);
    const row = there.filter((box) => box.top < bottom - 1 && box.bottom > top + 1);
    const beneath = this.isTower ? node.querySelector("b")?.getBoundingClientRect().bottom : top + parseFloat(getComputedStyle(line).lineHeight);
    return { left: Math.min(...row.map((box) => box.left)), right: Math.max(...row.map((box) => box.right)), top, bottom: Math.max(bottom, beneath ?? 0) };
  }

  /** First symbol that is drawn. */
  get from() {
    return this.isTower ? 0 : this.#flow.window.from;
  }

  /** True if this text can be drawn as a tower: it is not too long, and no token is wider than the stage. @param {Replay} replay */
  hasTower(replay) {
    return this.#fitOf(replay) !== null;
  }

  /**
   * True if a text is drawn as a tower, at least from its first merge on. Unless the reader asked for a tower that there is
   * no room for, its merges are guessed from running text, which takes less, and so they are shown on a projector and on a
   * phone.
   *
   * @param {Pick<View, "replay" | "drawing" | "isGuessed">} view
   */
  prefersTower({ replay, drawing, isGuessed = false }) {
    const mayBeTall = !isGuessed && !this.#isProjected && this.#isWide;
    const isShort = (replay.tower?.symbols.length ?? 0) <= MAX_TOWER && (mayBeTall || Boolean(this.#fitOf(replay)?.isWhole));
    return (drawing === "tower" || (drawing === "" && isShort)) && replay.n > 0 && this.hasTower(replay);
  }

  /** @param {View} view @param {boolean} [follows] true if the window may move to the next merge */
  show(view, follows = false) {
    this.#shown = view;
    this.brief.hidden = true;
    const isTower = this.prefersTower(view) && (view.k >= 0 || this.#hasScenes(view));
    this.node.dataset.scene = view.decoding ? "decoding" : view.k >= 0 ? "symbols" : view.k === THE_PRETOKENS ? "pretokens" : "text";
    this.node.dataset.drawing = isTower ? "tower" : "flow";
    const { node } = isTower ? this.#tower : this.#flow;
    if (node.parentNode !== this.node) fill(this.node, node, this.#spoken);
    this.#makeRoom(!isTower && !view.isGuessed && isWindowed(view.replay));
    const fitted = isTower && this.#fitFor(view);
    this.#takeRoom(view);
    // What depends on them is styled by attributes: `:has()` would style the whole stage anew at each step.
    const isCompact = Boolean(fitted && fitted.isCompact);
    this.node.toggleAttribute("data-compact", isCompact);
    // All rows are shown, however high that is; but for a projector, and of a long text a part.
    this.node.toggleAttribute("data-grown", (isTower || !isWindowed(view.replay)) && !this.#isProjected && !view.isGuessed);
    this.node.toggleAttribute("data-played", Boolean(view.isPlayed));
    this.node.toggleAttribute("data-guessed", Boolean(view.isGuessed)); // letters keep their places between question and answer
    this.node.tabIndex = view.isPlayed ? -1 : 0; // its tokens are in the tab order
    if (fitted) this.#tower.show(view, fitted);
    else this.#flow.show(view, follows);
    if (view.spoken) fill(this.#spoken, this.#spokenText(view));
    this.#on.drawn?.({ isTower, isCompact, isDone: view.k === view.replay.steps && !view.decoding, isPlayed: Boolean(view.isPlayed), k: view.k, text: view.writing === "text" ? view.replay.text : "" });
  }

  /** Animate step k - 1. @param {View} view */
  join(view) {
    const isAnimated = this.#shown?.k === view.k - 1;
    if (isAnimated && view.k === 1) this.#scrollToPair(false, this.#shown);
    this.show(view);
    if (isAnimated && this.isTower) this.#tower.growNew();
  }

  /** Animate what decoding has just taken apart. @param {View} view */
  unmerge(view) {
    this.show(view);
    this.#tower.growNew();
  }

  /** Let two tokens that may not join shake, and say why above them. @param {[number, number]} starts their first symbols @param {string} says */
  spring(starts, says) {
    const nodes = starts.map((start) => /** @type {HTMLElement} */ (this.node.querySelector(`.now[data-at="${start}"], .sym[data-at="${start}"]`)));
    const boxes = nodes.map((node) => node.getBoundingClientRect());
    fill(this.brief, says);
    this.brief.hidden = false;
    const pane = /** @type {Element} */ (this.brief.offsetParent).getBoundingClientRect();
    const half = this.brief.offsetWidth / 2;
    const middle = (Math.min(...boxes.map(({ left }) => left)) + Math.max(...boxes.map(({ right }) => right))) / 2 - pane.left;
    this.brief.style.left = `${Math.max(half, Math.min(pane.width - half, middle))}px`;
    this.brief.style.top = `${Math.min(...boxes.map(({ top }) => top)) - pane.top}px`;
    if (isStill()) return;
    nodes.forEach((node, i) => {
      const toward = Math.sign(boxes[1 - i].left - boxes[i].left);
      const moved = node.matches(".sym") ? "left" : "translate"; // an inline box is not transformed
      node.animate(SHAKE.map((by) => ({ [moved]: `${toward * by}px` })), SHAKE_MS);
    });
  }

  /** Mark tokens for a moment. @param {Set<number>} ids */
  mark(ids) {
    const [from, to] = ["var(--accent)", "transparent"].map((color) => ({ outline: `4px solid ${color}`, outlineOffset: "1px" }));
    for (const node of this.node.querySelectorAll(".now[data-id], .sym[data-id]"))
      if (ids.has(Number(/** @type {HTMLElement} */ (node).dataset.id))) node.animate([from, { ...from, offset: 0.6 }, to], MARKED_MS);
  }

  /** Focus a block or a token, from which the arrow keys lead to the others: for some keys the first or the last. @param {string} [key] */
  enter(key) {
    const isWalked = this.#shown?.isPlayed || (this.isTower && !this.#isPressed);
    if (!isWalked) return this.node.focus(); // tokens of running text are not in the tab order
    (this.isTower ? this.#tower : this.#flow).focus(key);
  }

  /** Tint of a token on the stage. @param {Replay} replay @param {number} start its first symbol */
  tintOf(replay, start) {
    if (!this.isTower || !replay.tower) return this.#flow.tints[start];
    const { blocks, places } = replay.tower;
    return blocks[/** @type {number} */ (places.get(drawnSymbol(replay, start)))].tint; // the symbols are the first blocks
  }

  /** Columns of a line of the tower; 0 if none has been drawn. */
  get columns() {
    return this.#tower.fitted?.columns ?? 0;
  }

  /** True if the tower on screen also shows another view, in the same size. @param {View} view */
  keepsTower(view) {
    return this.isTower && !this.isTall && this.prefersTower(view) && this.#fitFor(view) === this.#tower.fitted;
  }

  /**
   * Scroll to the nearest place of the next pair, if none is visible: only as far as that takes; when a text opens, to its
   * beginning. For a tower that is kept
   * do so before a view is drawn, when nothing has changed yet that the browser has to lay out first; or else after.
   *
   * @param {boolean} [smoothly] true while the reader watches
   * @param {View | null} [view] the one on screen, or the next one of a tower that is kept
   */
  scrollToNext(smoothly = false, view = this.#shown) {
    if (view?.isOpening) this.node.scrollTo({ top: 0, behavior: smoothly ? "smooth" : "auto" });
    else this.#scrollToPair(smoothly, view);
  }

  /** Scroll to the nearest place of the next pair: the stage, or where that shows all of its rows, the page. @param {boolean} smoothly @param {View | null} view */
  #scrollToPair(smoothly, view) {
    const places = !view ? [] : this.isTower ? this.#tower.nextPlaces(view) : this.#flow.nextPlaces();
    if (!places.length) return;
    const { top, bottom } = this.node.getBoundingClientRect();
    const room = this.isTall ? { top: ABOVE, bottom: innerHeight - EDGE } : { top: top + EDGE, bottom: bottom - EDGE };
    const origin = this.isTower ? this.#tower.node.getBoundingClientRect().top : 0;
    const { place, by } = nearestOf(places, { top: room.top - origin, bottom: room.bottom - origin });
    const behavior = smoothly ? "smooth" : "auto";
    if (by && this.isTall) place.node.scrollIntoView({ block: "nearest", behavior });
    else if (by) this.node.scrollBy({ top: by, behavior });
  }

  /** True if it is higher than the room for it. */
  get isTall() {
    return this.node.hasAttribute("data-tall");
  }

  /** Show another part of a long text. @param {number} symbol the first symbol of the window */
  moveWindow(symbol) {
    if (!this.isTower) this.#flow.moveWindow(symbol);
  }

  /** Bring a symbol into view; the caller draws it then. @param {number} symbol */
  reveal(symbol) {
    if (!this.isTower) return this.#flow.reveal(symbol);
    if (!this.#shown) return;
    const [{ top, bottom }, box] = [this.#tower.boxOf(this.#shown.replay, symbol), this.node.getBoundingClientRect()];
    if (!this.isTall && (top < box.top || bottom > box.bottom)) this.node.scrollTop += top - box.top - box.height / 3;
  }

  dispose() {
    this.#tower.dispose();
    this.#resizing.disconnect();
    removeEventListener("resize", this.#resized);
  }

  /** Be as high as the screen allows for a part of a long text, whose player stays in sight. @param {boolean} isWindow */
  #makeRoom(isWindow) {
    if (isWindow === this.node.hasAttribute("data-window")) return;
    this.node.toggleAttribute("data-window", isWindow);
    const shown = this.#shown;
    this.#shown = null; // it is drawn once there is room
    this.measure();
    this.#shown = shown;
  }

  /** Be as high as the tower, or else as high as there is room for. @param {View} view */
  #takeRoom(view) {
    const fitted = this.prefersTower(view) && this.#fitFor(view);
    this.node.style.setProperty("--needed", fitted ? `${Math.ceil(fitted.placement.height * fitted.row + this.#room.padding)}px` : "");
  }

  /** True if text has a least height. */
  get #isProjected() {
    if (!this.#room.width) this.measure();
    return this.#room.least > 0;
  }

  /** True if it is wider than a phone's. */
  get #isWide() {
    return this.#room.width >= MIN_SCENES * this.#room.fontSize;
  }

  /** True if there is a tower on screen. */
  get isTower() {
    return this.node.dataset.drawing === "tower";
  }

  /** Text of the stage for screen readers. @param {View} view */
  #spokenText({ replay, k, decoding }) {
    if (decoding) return "";
    const { from, to } = this.isTower ? { from: 0, to: replay.n } : this.#flow.window;
    if (k < 0) return piecesBetween(replay, from, to).map(({ text }) => text).join(k === THE_TEXT ? "" : ", ");
    const tokens = tokensAt(replay, k, from, to);
    const names = tokens.slice(0, MAX_SPOKEN).map(({ start, id }) => sayingOf(replay, id, "text", replay.covered.get(start)));
    const rest = tokens.length > MAX_SPOKEN || to < replay.n ? ["and so on"] : [];
    return [...names, ...rest].join(", ");
  }

  /**
   * True if a tower also shows the scenes before the merges: all of it is in sight, and the text can be drawn letter by
   * letter. On a phone, the room between its lines would push most of a text out of sight.
   *
   * @param {View} view
   */
  #hasScenes({ replay, writing }) {
    const fitted = this.#fitOf(replay, writing);
    return Boolean(fitted?.isWhole) && isSeparable(replay) && (this.#isWide || fitted?.placement.tops.length === 1);
  }

  /** How a view's tower fits into the stage; null if it doesn't. @param {View} view */
  #fitFor({ replay, writing, decoding }) {
    return this.#fitOf(replay, decoding ? "ids" : writing);
  }

  /** How a replay's tower fits into the stage; null if it doesn't. @param {Replay} replay @param {import("../model/names.js").Writing} [writing] */
  #fitOf(replay, writing = "text") {
    if (!this.#room.width) this.measure();
    if (replay !== this.#fitting.replay) this.#fitting = { replay, fits: new Map() };
    const { fits } = this.#fitting;
    if (!fits.has(writing)) fits.set(writing, replay.tower && fitReplay(replay, this.#room, writing));
    return fits.get(writing) ?? null;
  }

  /** Find out how much room there is, and use it. */
  measure() {
    const style = getComputedStyle(this.node);
    const [width, height] = [this.node.clientWidth, this.node.clientHeight];
    if (!width) return;
    const fontSize = parseFloat(style.fontSize);
    const padding = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
    const room = {
      width: width - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
      height: (style.maxHeight.endsWith("px") ? parseFloat(style.maxHeight) : height) - padding,
      padding,
      fontSize,
      least: (parseFloat(style.getPropertyValue("--least-text")) || 0) * fontSize,
    };
    this.node.toggleAttribute("data-tall", this.node.hasAttribute("data-grown") && height > room.height + padding + 1);
    this.#on.sized?.(this.isTall || this.node.hasAttribute("data-window"));
    if (JSON.stringify(room) === JSON.stringify(this.#room)) return;
    this.#room = room;
    this.#fitting.replay = null;
    this.#flow.resize(room);
    if (!this.#shown) return;
    this.show(this.#shown);
    this.scrollToNext();
  }
}
