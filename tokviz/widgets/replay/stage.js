/**
 * The stage: the text after k steps, with the pair that joins next and the token just made.
 *
 * A short text is drawn as boxes. A longer one is drawn as running text, whose boundaries take no space, so that
 * letters stay in place when boundaries vanish. Of a long text, only a window is in the page.
 */

import { element, fill } from "../shared/dom/elements.js";
import { appendMarked, firstDirection, withSigns } from "../shared/text/marks.js";
import { boundariesOf, madeIn, tokenAt, tokensAt } from "./model.js";
import { sayingOf, writingOf } from "./names.js";
import { MAX_SYMBOLS, windowAround, windowFrom } from "./window.js";

/** @typedef {import("./model.js").Replay} Replay */
/** @typedef {import("./model.js").Token} Token */
/**
 * @typedef {object} View
 * @property {Replay} replay
 * @property {number} k
 * @property {import("./names.js").Writing} writing
 * @property {boolean} next true to mark the pair that joins next
 * @property {number | null} selected a symbol of the selected token
 * @property {boolean} spoken true to update the text for screen readers, which can't follow fast playback
 */
/** @typedef {{node: HTMLElement, key: string}} Drawn */

/** Maximum symbols drawn as boxes; a longer text is drawn as running text. */
const MAX_BOXES = 150;
/** Font size of running text in em, and its row height and character width relative to that; see widget.css. */
const [RUNNING_SIZE, ROW_HEIGHT, CHARACTER_WIDTH] = [1.25, 2.1, 0.6];
/** Maximum new elements that are inserted one by one; more are replaced all at once. */
const MAX_INSERTED = 60;
/** Maximum characters of a symbol's text, before it is shortened. */
const MAX_LENGTH = 60;
/** Maximum tokens read by screen readers. */
const MAX_SPOKEN = 120;
const JOIN_MS = 200;

/**
 * @param {object} on
 * @param {(symbol: number) => void} on.select called with a symbol of the clicked token
 * @param {(from: number, to: number) => void} on.window called when another part of the text is shown
 */
export function createStage(on) {
  /** @type {View | null} */
  let shown = null;
  let [from, to] = [0, 0];
  /** Size of the stage in characters. */
  let room = { columns: 60, rows: 12 };
  /** Drawn tokens by their first symbols. @type {Map<number, Drawn>} */
  let drawn = new Map();
  /** @type {Animation[]} */
  let moving = [];

  const symbols = element("div", { class: "symbols token-text marks", "aria-hidden": "true", click: clicked });
  const spoken = element("p", { class: "unseen" });
  const node = element(
    "div",
    { class: "stage", tabindex: 0, role: "group", "aria-label": "The text at this step" },
    symbols,
    spoken,
  );

  /** @param {Event} event */
  function clicked(event) {
    const target = /** @type {Element} */ (event.target).closest("[data-at]");
    if (target instanceof HTMLElement) on.select(Number(target.dataset.at));
  }

  /** Scroll to the next pair, if none of its places is visible. This forces a layout, so call it last. */
  function scrollToNext() {
    const marked = /** @type {HTMLElement[]} */ ([...symbols.querySelectorAll(".join-l")]);
    const box = node.getBoundingClientRect();
    const isVisible = marked.some((each) => {
      const { top, bottom } = each.getBoundingClientRect();
      return top >= box.top && bottom <= box.bottom;
    });
    if (!marked.length || isVisible) return;
    node.scrollTop += marked[0].getBoundingClientRect().top - box.top - box.height / 3;
  }

  /** @param {View} view @param {boolean} [follows] true if the window may move to the next merge */
  function show(view, follows = false) {
    stop();
    if (shown?.replay !== view.replay) reset(view.replay);
    shown = view;
    if (follows) moveToNext(view);
    node.dataset.scene = view.k >= 0 ? "symbols" : view.k === -1 ? "pretokens" : "text";
    if (view.k < 0) showScene(view);
    else drawTokens(view);
  }

  /** @param {Replay} replay */
  function reset(replay) {
    drawn = new Map();
    fill(symbols);
    symbols.style.minHeight = "";
    symbols.classList.toggle("boxes", replay.n <= MAX_BOXES);
    symbols.classList.toggle("running", replay.n > MAX_BOXES);
    symbols.classList.toggle("cuts", replay.data.some((byte) => byte >= 0x80));
    // The whole text sets the direction: hex bytes at its start would turn a line that turns back once letters appear.
    symbols.dir = firstDirection(replay.text) ?? "ltr";
    place(replay.n > MAX_SYMBOLS ? windowFrom(replay, 0, room) : { from: 0, to: replay.n });
  }

  // Scenes before the merges: the text, and its pre-tokens

  /** @param {View} view */
  function showScene({ replay, k }) {
    drawn = new Map();
    const pieces = piecesBetween(replay, from, to);
    if (k < -1) fill(symbols, element("span", { class: "whole-text" }, ...pieces.map(({ text }) => marked(text, ""))));
    else fill(symbols, ...pieces.map((piece) => pretoken(replay, piece)));
    fill(spoken, pieces.map(({ text }) => text).join(k < -1 ? "" : ", "));
  }

  // The symbols

  /** @param {View} view */
  function drawTokens(view) {
    const { replay, k, writing } = view;
    const roles = rolesAt(view);
    const kept = /** @type {typeof drawn} */ (new Map());
    const boxes = replay.n <= MAX_BOXES;
    const tokens = tokensAt(replay, k, from, to);
    const wanted = tokens.map((token) => {
      const key = `${token.end} ${token.id} ${writing}`;
      const old = drawn.get(token.start);
      const item = old?.key === key ? old : { key, node: symbolOf(replay, token, writing, boxes) };
      const classes = classesOf(replay, token, roles);
      if (item.node.className !== classes) item.node.className = classes;
      kept.set(token.start, item);
      return item.node;
    });
    replaceChildren(symbols, wanted);
    drawn = kept;
    if (view.spoken) fill(spoken, spokenText(replay, tokens));
  }

  /** Text of the stage for screen readers. @param {Replay} replay @param {Token[]} tokens the visible tokens */
  function spokenText(replay, tokens) {
    const names = tokens.slice(0, MAX_SPOKEN).map(({ start, id }) => sayingOf(replay, id, "text", replay.covered.get(start)));
    const rest = tokens.length > MAX_SPOKEN || to < replay.n ? ["and so on"] : [];
    return [...names, ...rest].join(", ");
  }

  /**
   * Animate step k - 1: the marked pairs close up, and the tokens after them move.
   *
   * @param {View} view
   */
  function join(view) {
    const boxes = view.replay.n <= MAX_BOXES && shown?.k === view.k - 1;
    const before = boxes ? new Map([...drawn].map(([start, { node }]) => [start, node.getBoundingClientRect()])) : null;
    show(view);
    if (!before) return;
    for (const [start, { node: box }] of drawn) {
      const old = before.get(start);
      if (!old) continue;
      const now = box.getBoundingClientRect();
      // A box that wraps to another line would fly across the stage.
      const moved = now.top === old.top ? old.left - now.left : 0;
      if (box.classList.contains("new")) animate(box, [{ clipPath: "inset(0 30% 0 0)" }, { clipPath: "inset(0)" }]);
      if (moved) animate(box, [{ transform: `translateX(${moved}px)` }, { transform: "none" }]);
    }
  }

  /** @param {HTMLElement} box @param {Keyframe[]} frames */
  function animate(box, frames) {
    moving.push(box.animate(frames, { duration: JOIN_MS, easing: "ease-out" }));
  }

  function stop() {
    for (const animation of moving) animation.cancel();
    moving = [];
  }

  /** Move the window to the next merge, if none of its places is in it. @param {View} view */
  function moveToNext({ replay, k, next }) {
    if (!next || replay.n <= MAX_SYMBOLS || k < 0 || k >= replay.steps) return;
    const places = boundariesOf(replay, k);
    if (!places.some((symbol) => symbol >= from && symbol < to)) place(windowAround(replay, places[0], room));
  }

  /** @param {{from: number, to: number}} found */
  function place(found) {
    ({ from, to } = found);
    on.window(from, to);
  }

  /** Show another part of the text. @param {number} symbol the first symbol of the window */
  function moveWindow(symbol) {
    if (!shown || shown.replay.n <= MAX_SYMBOLS) return;
    place(windowFrom(shown.replay, symbol, room));
    show(shown);
  }

  const resizing = new ResizeObserver(([{ contentRect }]) => {
    const size = RUNNING_SIZE * parseFloat(getComputedStyle(node).fontSize);
    const columns = Math.max(10, Math.floor(contentRect.width / (size * CHARACTER_WIDTH)));
    const rows = Math.max(3, Math.ceil(contentRect.height / (size * ROW_HEIGHT)));
    if (!contentRect.width || (columns === room.columns && rows === room.rows)) return;
    room = { columns, rows };
    moveWindow(from);
  });
  resizing.observe(node);

  return {
    node,
    show,
    join,
    scrollToNext,
    moveWindow,
    /** Move the window to a symbol outside of it; the caller draws it then. @param {number} symbol */
    reveal(symbol) {
      if (shown && (symbol < from || symbol >= to)) place(windowAround(shown.replay, symbol, room));
    },
    /** First symbol in the window. */
    from: () => from,
    isWindowed: (/** @type {Replay} */ replay) => replay.n > MAX_SYMBOLS,
    dispose() {
      stop();
      resizing.disconnect();
    },
  };
}

/**
 * Set the children of an element. During playback few change, and those kept must not be moved; after a seek most are
 * new, and replacing all at once is faster.
 *
 * @param {HTMLElement} parent
 * @param {HTMLElement[]} wanted
 */
function replaceChildren(parent, wanted) {
  const fresh = wanted.reduce((count, node) => count + (node.parentNode === parent ? 0 : 1), 0);
  if (fresh > MAX_INSERTED) return parent.replaceChildren(...wanted);
  const keep = new Set(wanted);
  for (let child = parent.firstChild; child;) {
    const next = child.nextSibling;
    if (!keep.has(/** @type {HTMLElement} */ (child))) child.remove();
    child = next;
  }
  let at = parent.firstChild;
  for (const node of wanted) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
}

/** @typedef {{left: Set<number>, right: Set<number>, step: number, selected: number}} Roles */

/** @param {View} view @returns {Roles} */
function rolesAt({ replay, k, next, selected }) {
  const right = new Set(next && k < replay.steps ? boundariesOf(replay, k) : []);
  const left = new Set([...right].map((boundary) => replay.joinedTo[boundary]));
  return { left, right, step: k, selected: selected === null ? -1 : tokenAt(replay, selected, k) };
}

/** @param {Replay} replay @param {Token} token @param {Roles} roles */
function classesOf(replay, { start, end, id }, { left, right, step, selected }) {
  const classes = ["sym"];
  if (replay.pieceStarts[replay.pieceOf[start]] === start) classes.push("opens");
  if (left.has(start)) classes.push("next", "join-l");
  if (right.has(start)) classes.push("next", "join-r");
  if (end - start > 1) classes.push(madeIn(replay, start, step) === step - 1 ? "new" : "made");
  if (start === selected) classes.push("on");
  if (replay.meta.special.includes(id)) classes.push("control");
  return classes.join(" ");
}

/** True if symbol i begins inside a character. @param {Replay} replay @param {number} i */
function cutsCharacter({ data, byteOffsets }, i) {
  return (data[byteOffsets[i]] & 0xc0) === 0x80;
}

/**
 * @param {Replay} replay
 * @param {Token} token
 * @param {import("./names.js").Writing} writing
 * @param {boolean} boxes
 */
function symbolOf(replay, { start, end, id }, writing, boxes) {
  const box = element("span", { "data-at": start, "data-id": id });
  const runs = writingOf(replay, id, writing, replay.covered.get(start));
  runs.forEach(({ text, part }, i) => {
    const short = shortened(text, part);
    if (part || writing === "ids") {
      const goesOn = i === 0 && cutsCharacter(replay, start);
      const cutShort = i === runs.length - 1 && end < replay.n && cutsCharacter(replay, end);
      const classes = ["hex", ...(goesOn ? ["goes-on"] : []), ...(cutShort ? ["cut-short"] : [])];
      const glyph = writing === "text" && cutShort ? cutCharacter(replay, start, end) : "";
      box.append(element("span", { class: classes.join(" "), "data-glyph": glyph || null }, short));
    } else if (boxes) box.append(withSigns(short));
    else appendMarked(box, short);
  });
  return box;
}

/**
 * The character that a token cuts at its end, if the token contains its first byte; else "".
 *
 * @param {Replay} replay
 * @param {number} start
 * @param {number} end
 */
function cutCharacter(replay, start, end) {
  const { data, byteOffsets } = replay;
  if (end >= replay.n || !cutsCharacter(replay, end)) return "";
  let lead = byteOffsets[end];
  while ((data[lead] & 0xc0) === 0x80) lead--;
  if (lead < byteOffsets[start]) return "";
  let after = byteOffsets[end];
  while (after < data.length && (data[after] & 0xc0) === 0x80) after++;
  return new TextDecoder().decode(data.subarray(lead, after));
}

/** Shorten a long symbol, adding its number of characters or bytes. @param {string} text @param {boolean} isHex */
export function shortened(text, isHex) {
  const [units, most, between] = isHex ? [text.split(" "), MAX_LENGTH / "f0 ".length, " "] : [Array.from(text), MAX_LENGTH, ""];
  return units.length > most ? `${units.slice(0, most).join(between)}… (${units.length})` : text;
}

/** @typedef {{number: number, text: string}} Piece */

/** @param {Replay} replay @param {number} from @param {number} to @returns {Piece[]} */
function piecesBetween({ pieceOf, pieceStarts, byteOffsets, data }, from, to) {
  const pieces = [];
  for (let number = pieceOf[from] ?? 0; number + 1 < pieceStarts.length && pieceStarts[number] < to; number++) {
    const begin = byteOffsets[Math.max(from, pieceStarts[number])];
    pieces.push({ number, text: wholeText(data, begin, byteOffsets[Math.min(to, pieceStarts[number + 1])]) });
  }
  return pieces;
}

/**
 * Decode bytes; a character cut by the window's edge belongs to the side where it begins.
 *
 * @param {Uint8Array} data
 * @param {number} begin
 * @param {number} end
 */
function wholeText(data, begin, end) {
  while ((data[begin] & 0xc0) === 0x80) begin++;
  while ((data[end] & 0xc0) === 0x80) end++;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(data.subarray(begin, end));
}

/** @param {Replay} replay @param {Piece} piece */
function pretoken({ branches, meta }, { number, text }) {
  const branch = meta.split ? meta.branches[branches[number]] : null;
  return element(
    "span",
    { class: `pretoken tint-${number % 4}`, title: branch ?? null },
    marked(text, "pretoken-text"),
    branch ? element("small", {}, branch) : null,
  );
}

/** @param {string} text @param {string} className */
function marked(text, className) {
  const span = element("span", { class: className });
  appendMarked(span, text);
  return span;
}
