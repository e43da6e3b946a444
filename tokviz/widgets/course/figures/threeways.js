/**
 * One word, cut by byte pair encoding, Unigram and WordPiece, each in the picture of its own page.
 */

import { debounce, disposeOf, element, fill, plural } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { tokenChips } from "../chips.js";
import { createField } from "../field.js";
import { createLive } from "../../figure/late.js";

/** @typedef {import("../chips.js").Row & {figure: import("../../figure/figure.js").Shown}} Way */

/** What each algorithm does, by its name. @type {[name: string, does: string][]} */
const WAYS = [
  ["BPE", "joins pairs, the one learned first comes first"],
  ["Unigram", "weighs all ways to put the word together"],
  ["WordPiece", "takes the longest piece, from the left"],
];
const PAUSE_MS = 150;

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let word = "";
  const field = createField({ label: "A word to cut in three ways", most: 30, kind: "mono wide-field" }, (typed) => {
    word = typed;
    later.later();
    context.changed();
  });
  const ways = WAYS.map(([name, does]) => wayNode(context, name, does));
  const asking = createAsking(context, (answer) => draw(answer.ways));
  const node = element("div", { class: "three-ways" }, field.node, asking.problem, ...ways.map((way) => way.node));
  const ask = () => void asking.ask({ route: "threeways", text: word });
  const later = debounce(ask, PAUSE_MS);

  /** @param {Way[]} found */
  function draw(found) {
    ways.forEach((way, i) => way.draw(found[i]));
  }

  return {
    node,
    value: () => word,
    show(value) {
      word = value;
      field.show(word);
      later.cancel();
      ask();
    },
    dispose: disposeOf(later, asking, ...ways),
  };
}

/** @param {import("../figures.js").Context} context @param {string} name @param {string} does */
function wayNode(context, name, does) {
  const result = element("div", { class: "row result", role: "status" });
  const live = createLive(`How ${name} cuts the word`);
  const node = element("section", { "aria-label": name }, element("h3", {}, `${name} `, element("span", { class: "quiet" }, does)), result, live.node);
  return {
    node,
    /** @param {Way | undefined} way */
    draw(way) {
      node.hidden = !way;
      if (!way) return live.clear();
      fill(result, tokenChips(context, way), element("span", { class: "quiet" }, plural(way.count, "token")));
      void live.show(way.figure);
    },
    dispose: live.dispose,
  };
}
