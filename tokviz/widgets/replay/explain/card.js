/**
 * The card of a token of the stage, as on every page: a bubble at the one that is pointed at, a drawer for the one that is
 * followed. All that it says comes with the replay.
 */

import { button, element, number, plural } from "../../shared/dom/elements.js";
import { decoded, hex, makeTokenization } from "../../shared/text/tokenization.js";
import { cutOutKind, endOf, idAt, isCutOut, madeIn, tokensAt, treeOf } from "../model/replay.js";
import { nameOf } from "../model/names.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../model/replay.js").Token} Token */
/** @typedef {import("../model/replay.js").TreeNode} TreeNode */

/** Maximum symbols of a token whose tree is drawn. */
const MAX_SYMBOLS = 200;
/** Maximum jumps listed. */
const MAX_JUMPS = 40;
/** Screens on which the drawer is a sheet, and where that begins, in parts of their heights: see controls.css. */
const [PHONE, SHEET_FROM] = ["(max-width: 40rem)", 0.62];

export class StageCard {
  #pane;
  #stage;
  #on;
  /** @type {ReturnType<typeof import("../../token_view/card.js").createCard> | null} */
  #card = null;
  /** @type {Promise<void> | null} */
  #loading = null;
  #isDisposed = false;
  /** @type {Token & {gone?: number} | null} */
  #pointed = null;
  /** @type {Token | null} */
  #followed = null;
  /** Shows in the drawer what is followed, unless it is there already. */
  #draw = () => {};
  /** What the drawer says. */
  #said = "";

  /**
   * @param {HTMLElement} pane a positioned element around the stage
   * @param {import("../stage/stage.js").Stage} stage
   * @param {object} on
   * @param {(k: number) => void} on.seek
   * @param {(by: -1 | 1) => void} on.walk follow the previous or next token, or the first if none is followed
   * @param {() => void} on.close
   */
  constructor(pane, stage, on) {
    this.#pane = pane;
    this.#stage = stage;
    this.#on = on;
    for (const near of ["pointerenter", "focusin"]) stage.node.addEventListener(near, () => void this.#load());
    stage.node.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => this.#pointAt(event));
    stage.node.addEventListener("pointerleave", () => this.point(null));
    stage.node.addEventListener("keydown", (/** @type {KeyboardEvent} */ { target, key }) => target === stage.node && key === "Enter" && on.walk(1));
  }

  /** Load what draws the card, once the stage is pointed at, focused, or a token of it followed. */
  #load() {
    return (this.#loading ??= import("../../token_view/card.js").then(({ createCard }) => {
      if (this.#isDisposed) return;
      const shown = {
        node: this.#stage.node,
        isBeneath: true, // above a block stand its parts
        boxesOf: () => (this.#pointed ? this.#stage.boxesOf(this.#pointed) : []),
        lineOf: () => this.#followed && this.#stage.rowOf(this.#followed),
      };
      this.#card = createCard(this.#pane, /** @type {import("../../token_view/card.js").Shown} */ (shown), this.#on.close);
      this.#draw();
      const pointed = this.#pointed;
      this.#pointed = null;
      this.point(pointed);
    }).catch(() => void (this.#loading = null)));
  }

  /** @param {PointerEvent} event */
  #pointAt({ target, pointerType, buttons }) {
    const { view } = this.#stage;
    const isShown = pointerType !== "touch" && !buttons && view && view.k >= 0 && !view.decoding && !view.isGuessed;
    this.point(isShown ? this.#stage.tokenOf(/** @type {Element} */ (target)) : null);
  }

  /** Say in a bubble what a token is, unless it is in the drawer. @param {Token & {gone?: number} | null} token null for none */
  point(token) {
    const { view } = this.#stage;
    const isKept = token?.start === this.#followed?.start && token?.end === this.#followed?.end;
    if (token && token === this.#pointed && !isKept) return;
    this.#pointed = isKept ? null : token;
    this.#card?.point(null, null, null);
    if (!this.#card || !this.#pointed || !view) return;
    const k = Math.min(view.k, token?.gone ?? Infinity);
    const { model, i } = this.#modelAt(view.replay, this.#pointed, k);
    this.#card.point(model, i, detailsAt(view.replay, this.#pointed.start, k));
  }

  /** Show the token that is followed in the drawer. @param {Replay} replay @param {number} k @param {number | null} start its first symbol; null for none */
  follow(replay, k, start) {
    this.point(null);
    const isFollowed = start !== null && k >= 0;
    this.#followed = isFollowed ? { start, end: endOf(replay, start, k), id: idAt(replay, start, k) } : null;
    this.#draw = () => this.#keep(replay, k);
    if (isFollowed) void this.#load();
    this.#draw();
  }

  /** @param {Replay} replay @param {number} k */
  #keep(replay, k) {
    const token = this.#followed;
    const says = token ? JSON.stringify([token, replay.tokenCounts[k], replay.text]) : "";
    if (!this.#card || says === this.#said) return;
    this.#said = says;
    if (!token) return this.#card.keep(null, null, null, null);
    const { model, i } = this.#modelAt(replay, token, k);
    this.#card.keep(model, i, detailsAt(replay, token.start, k), pretokenOf(replay, token), [], this.#more(replay, token, k));
    // A sheet from below covers the lower part of the screen.
    const [box] = this.#stage.boxesOf(token);
    if (matchMedia(PHONE).matches && box?.bottom > SHEET_FROM * innerHeight) this.#stage.node.scrollIntoView({ block: "start" });
  }

  /** The tokens after k steps as other pages have them. @param {Replay} replay @param {Token} token @param {number} k */
  #modelAt(replay, token, k) {
    const tokens = tokensAt(replay, k);
    const special = Uint8Array.from(tokens, ({ start }) => Number(isCutOut(replay, start)));
    const lengths = Int32Array.from(tokens, ({ start, end }) => replay.byteOffsets[end] - replay.byteOffsets[start]);
    const model = makeTokenization(replay.text, { ids: Int32Array.from(tokens, ({ id }) => id), byte_lengths: lengths, special, meta: { tokenizer: replay.meta.tokenizer } });
    model.colorOf = (/** @type {number} */ i) => `tint-${this.#stage.tintOf(replay, tokens[i].start)}`;
    return { model, i: tokens.findIndex(({ start }) => start === token.start) };
  }

  /** What else there is to do with a token: the steps that made it, and the tokens beside it. @param {Replay} replay @param {Token} token @param {number} k */
  #more(replay, { start, end }, k) {
    const step = madeIn(replay, start, k);
    const stood = replay.counts && step >= 0 && element("p", {}, `Its parts stood together ${plural(replay.counts[step], "time")} when it was learned.`);
    const made = end - start > MAX_SYMBOLS ? [] : stepsIn(treeOf(replay, start, k)).slice(0, MAX_JUMPS);
    const jumps = made.map((node) => {
      const name = nameOf(replay, node.id);
      return button(`${number(node.step + 1)}: ${name}`, () => this.#on.seek(node.step), { "aria-label": `Go to step ${node.step + 1}, which makes ${name}` });
    });
    const walks = [button("◀", () => this.#on.walk(-1), { "aria-label": "Token before" }), button("▶", () => this.#on.walk(1), { "aria-label": "Token after" })];
    return [...(stood ? [stood] : []), element("div", { class: "row jumps" }, ...walks, ...jumps)];
  }

  dispose() {
    this.#isDisposed = true;
    this.#card?.dispose();
  }
}

/**
 * What there is to say of the token that begins at a symbol after k steps, as the server says it of others.
 *
 * @param {Replay} replay @param {number} start @param {number} k
 * @returns {import("../../token_view/card.js").Details}
 */
export function detailsAt(replay, start, k) {
  const { meta, ranks } = replay;
  const isDrawn = endOf(replay, start, k) - start <= MAX_SYMBOLS;
  const [step, id] = [madeIn(replay, start, k), idAt(replay, start, k)];
  const { hex: spelled, text } = asTree(replay, { id, step, children: [] });
  const kind = isCutOut(replay, start) ? cutOutKind(replay, start) : "";
  const points = Array.from(text ?? "", (char) => ({ code: `U+${/** @type {number} */ (char.codePointAt(0)).toString(16).toUpperCase().padStart(4, "0")}`, name: "", char }));
  return {
    id,
    hex: spelled,
    text,
    special: kind === "special token",
    added: kind === "added token",
    rank: step < 0 ? null : ranks[step],
    merges: meta.merges,
    units: meta.units,
    tree: isDrawn ? asTree(replay, treeOf(replay, start, k)) : null,
    alone: [],
    read_as: [],
    code_points: points,
  };
}

/** The pre-token around a token. @param {Replay} replay @param {Token} token */
function pretokenOf({ data, byteOffsets, pieceOf, pieceStarts, branches, meta }, { start }) {
  const piece = pieceOf[start];
  const bytes = data.subarray(byteOffsets[pieceStarts[piece]], byteOffsets[pieceStarts[piece + 1]]);
  return { text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes), branch: meta.branches[branches[piece]] ?? null };
}

/** Nodes made by merges, in the order of their steps. @param {TreeNode} tree */
function stepsIn(tree) {
  const found = [];
  const pending = [tree];
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node.step >= 0) found.push(node);
    pending.push(...node.children);
  }
  return found.sort((one, other) => one.step - other.step);
}

/**
 * Convert a tree to the format of `drawTree`.
 *
 * @param {Replay} replay
 * @param {Pick<TreeNode, "id" | "step" | "children">} node
 * @returns {import("../../token_view/tree.js").TreeNode}
 */
function asTree(replay, { id, step, children }) {
  const bytes = /** @type {Uint8Array} */ (replay.bytes.get(id));
  const text = decoded(bytes);
  const mark = replay.endsWord.has(id) ? replay.meta.end_of_word : "";
  return {
    id,
    hex: hex(bytes),
    text: text === null ? null : text + mark,
    rank: step < 0 ? null : replay.ranks[step],
    children: children.map((child) => asTree(replay, child)),
  };
}
