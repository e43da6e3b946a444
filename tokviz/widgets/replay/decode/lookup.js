/**
 * Decoding as programs do it, in four stages: ids, the bytes of each id, all bytes in a row, and the bytes read as UTF-8.
 * For texts without a tower, in which tokens could be taken apart (see `wayback.js`).
 */

import { button, element, fill, plural, range } from "../../shared/dom/elements.js";
import { withSigns } from "../../shared/text/invisibles.js";
import { hex } from "../../shared/text/tokenization.js";
import { runsOf } from "../model/names.js";

/** @typedef {import("../model/replay.js").Replay} Replay */
/** @typedef {import("../model/replay.js").Token} Token */

/** Maximum ids shown. */
const MAX_IDS = 12;
const STAGES = 4;
const LEFT_OUT = "the rest of the character is in the ids that were left out";
const PART = "a part of a character only";

export function createLookup() {
  /** @type {{replay: Replay, tokens: Token[]} | null} */
  let shown = null;
  let stage = STAGES;
  let length = MAX_IDS;
  let key = "";

  const rows = element("div", { class: "decode-rows" });
  const cut = range("How many of the ids", (count) => ((length = count), draw()), { min: 1 });
  const cutLabel = element("span", { class: "quiet" });
  const next = button("", advance);
  const node = element(
    "details",
    { class: "decode", toggle: draw },
    element("summary", {}, "The way back: decode"),
    element("div", { class: "row" }, next, element("label", { class: "menu" }, cutLabel, cut)),
    rows,
  );

  function advance() {
    stage = stage === STAGES ? 1 : stage + 1;
    draw();
  }

  function draw() {
    if (!shown || !node.open) return;
    const { replay, tokens } = shown;
    const used = tokens.slice(0, length);
    const parts = used.map(({ id }) => /** @type {Uint8Array} */ (replay.bytes.get(id)));
    const bytes = Uint8Array.from(parts.flatMap((part) => [...part]));
    fill(next, stage === STAGES ? "do it step by step" : "next");
    fill(cutLabel, sayCut(used));
    const all = [
      row(
        "1. The ids",
        used.map(({ id }) => element("span", { class: "sym" }, String(id))),
      ),
      row(
        "2. Look up the bytes of each",
        parts.map((part) => element("span", { class: "sym hex" }, hex(part) || "no bytes")),
      ),
      row("3. Put them in a row", [element("span", { class: "mono" }, hex(bytes))]),
      readRow(bytes, tokens.length > used.length),
    ];
    fill(rows, ...all.slice(0, stage));
  }

  return {
    node,
    /** @param {Replay} replay @param {Token[]} tokens from the first visible one on */
    show(replay, tokens) {
      const few = tokens.slice(0, MAX_IDS);
      const newKey = few.map(({ start, id }) => `${start} ${id}`).join();
      if (shown?.replay === replay && newKey === key) return;
      key = newKey;
      shown = { replay, tokens: few };
      cut.max = String(Math.max(1, few.length));
      length = few.length;
      cut.value = String(length);
      draw();
    },
  };
}

/** Say which ids are decoded. @param {Token[]} tokens */
function sayCut(tokens) {
  if (tokens[0]?.start) return `${plural(tokens.length, "id")} from where the text is in sight`;
  return tokens.length === 1 ? "the first id" : `the first ${plural(tokens.length, "id")}`;
}

/** @param {string} title @param {Node[]} content */
const row = (title, content) =>
  element("div", { class: "decode-row" }, element("h2", {}, title), element("div", {}, ...content));

/** Replacement characters that programs show for bytes that are no character. @param {string} spelled "f0 9f" */
export const shownAs = (spelled) => new TextDecoder().decode(Uint8Array.from(spelled.split(" "), (byte) => Number.parseInt(byte, 16)));

/** @param {Uint8Array} bytes @param {boolean} goesOn true if there are more ids */
function readRow(bytes, goesOn) {
  const runs = runsOf(bytes);
  const content = runs.map(({ text, part }) =>
    part
      ? element("span", { class: "sym broken" }, shownAs(text), element("small", {}, text))
      : element("span", { class: "mono" }, withSigns(text)),
  );
  const broken = runs.filter(({ part }) => part);
  const why = broken.length
    ? `${broken.map(({ text }) => text).join(", ")}: ${goesOn ? LEFT_OUT : PART}. Programs show such bytes as �.`
    : "Every character is whole.";
  return element(
    "div",
    { class: "decode-row" },
    element("h2", {}, "4. Read them as UTF-8"),
    element("div", {}, ...content),
    element("p", { class: "quiet" }, why),
  );
}
