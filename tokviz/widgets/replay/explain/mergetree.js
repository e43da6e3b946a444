/**
 * Details of one token: its merge tree so far, and jumps to the steps that made it.
 */

import { button, element, fill, number, press } from "../../shared/dom/elements.js";
import { decoded, hex } from "../../shared/text/tokenization.js";
import { drawTree } from "../../token_view/tree.js";
import { cutOutKind, endOf, isCutOut, isTakenWhole, treeOf } from "../model/replay.js";
import { nameOf } from "../model/names.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../model/replay.js").TreeNode} TreeNode */

/** Maximum symbols of a token whose tree is drawn. */
const MAX_SYMBOLS = 200;
/** Maximum jumps listed. */
const MAX_JUMPS = 40;

/**
 * @param {object} on
 * @param {(k: number) => void} on.seek
 * @param {(by: -1 | 1) => void} on.walk select the previous or next token, or the first if none is selected
 * @param {() => void} on.close
 */
export function createMergeTree(on) {
  let drawnKey = "";
  const body = element("div", {});
  const hint = `${press()} a token on the stage, or walk along them with these buttons, and see which merges made it.`;
  const close = button("Let go", on.close);
  const node = element(
    "section",
    { class: "follow", "aria-label": "Follow one token" },
    element("h2", {}, "Follow one token"),
    element(
      "div",
      { class: "row" },
      button("◀", () => on.walk(-1), { "aria-label": "Token before" }),
      button("▶", () => on.walk(1), { "aria-label": "Token after" }),
      close,
    ),
    body,
  );

  /** @param {Replay} replay @param {number} k @param {number | null} start the token's first symbol */
  function show(replay, k, start) {
    close.hidden = start === null;
    node.classList.toggle("idle", start === null);
    if (start === null || k < 0) {
      drawnKey = "";
      return fill(body, element("p", { class: "quiet" }, hint));
    }
    const end = endOf(replay, start, k);
    const key = `${start} ${end}`;
    if (key === drawnKey) return;
    drawnKey = key;
    if (end - start > MAX_SYMBOLS)
      return fill(
        body,
        element("p", { class: "quiet" }, `This token is made of ${number(end - start)} symbols, too many to draw.`),
      );
    const tree = treeOf(replay, start, k);
    const mergedNodes = stepsIn(tree).slice(0, MAX_JUMPS);
    fill(body, drawTree(asTree(replay, tree)), element("div", { class: "row jumps" }, ...mergedNodes.map((node) => jump(replay, node))));
  }

  /** @param {Replay} replay @param {TreeNode} node */
  function jump(replay, { id, step }) {
    const name = nameOf(replay, id);
    return button(`${number(step + 1)}: ${name}`, () => on.seek(step), {
      "aria-label": `Go to step ${step + 1}, which makes ${name}`,
    });
  }

  return { node, show };
}

/** Kind of a token that no merge made. @param {Replay} replay @param {number} i its symbol */
export function symbolKind(replay, i) {
  if (isCutOut(replay, i)) return `${cutOutKind(replay, i) === "added token" ? "an" : "a"} ${cutOutKind(replay, i)}`;
  return isTakenWhole(replay, i) ? "a pre-token that is taken whole" : "a symbol of the alphabet";
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
 * @param {TreeNode} node
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
