/**
 * The card of the selected token, beneath the stage: what it was made of, by which merge, its bytes, and how often it
 * is in the text.
 */

import { button, element, fill, number, plural } from "../../shared/dom/elements.js";
import { hex } from "../../shared/text/tokenization.js";
import { symbolKind } from "./mergetree.js";
import { endOf, idAt, stands, treeOf } from "../model/replay.js";
import { nameOf } from "../model/names.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../model/names.js").Writing} Writing */

/** Maximum bytes spelled. */
const MAX_BYTES = 16;

/** @param {() => void} onClose */
export function createCard(onClose) {
  const body = element("span", {});
  const close = button("×", onClose, { "aria-label": "Close the card", title: "Close" });
  const node = element("div", { class: "card-line", role: "group", "aria-label": "The selected token", hidden: true }, body, close);
  return {
    node,
    /** @param {Replay} replay @param {number} k @param {number | null} start the token's first symbol @param {Writing} writing */
    show(replay, k, start, writing) {
      node.hidden = start === null || k < 0;
      if (start !== null && k >= 0) fill(body, ...sentence(replay, k, start, writing));
    },
  };
}

/** @param {Replay} replay @param {number} k @param {number} start @param {Writing} writing */
function sentence(replay, k, start, writing) {
  const id = idAt(replay, start, k);
  const name = (/** @type {number} */ token) => element("code", {}, nameOf(replay, token, writing));
  const facts = [`token ${id}`, madeBy(replay, k, start), bytesOf(replay, id), `${times(replay, k, id)} in the text now`];
  const parts = endOf(replay, start, k) > start + 1 ? treeOf(replay, start, k).children : [];
  const made = parts.length ? [" = ", name(parts[0].id), " + ", name(parts[1].id)] : [];
  return [name(id), ...made, `: ${facts.filter(Boolean).join(", ")}.`];
}

/** @param {Replay} replay @param {number} k @param {number} start */
function madeBy(replay, k, start) {
  if (endOf(replay, start, k) === start + 1) return symbolKind(replay, start);
  const { step } = treeOf(replay, start, k);
  const { counts, ranks, meta } = replay;
  if (!counts) return `merge ${number(ranks[step] + 1)} of ${number(meta.merges)}`;
  return `merge ${number(step + 1)}, learned when its parts stood together ${plural(counts[step], "time")}`;
}

/** @param {Replay} replay @param {number} id */
function bytesOf(replay, id) {
  const bytes = replay.bytes.get(id) ?? new Uint8Array();
  if (!bytes.length) return "no bytes";
  const spelled = hex(bytes.subarray(0, MAX_BYTES));
  return `${plural(bytes.length, "byte")} ${spelled}${bytes.length > MAX_BYTES ? " …" : ""}`;
}

/** @param {Replay} replay @param {number} k @param {number} id */
function times(replay, k, id) {
  let count = 0;
  for (let i = 0; i < replay.n; i++) if (stands(replay, i, k) && idAt(replay, i, k) === id) count++;
  return plural(count, "time");
}
