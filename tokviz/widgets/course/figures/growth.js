/**
 * The vocabulary of words and of characters while a long text is read.
 */

import { disposeOf, element, fill, number } from "../../shared/dom/elements.js";
import { svg } from "../../shared/dom/svg.js";
import { createAsking } from "../asking.js";
import { createPlayer, stepIn } from "../player.js";

/** @typedef {{read: number, words: number, characters: number, newest: string}} Row */

/** Size of the picture, in units of its own. */
const [WIDTH, HEIGHT] = [600, 220];

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  /** @type {Row[]} */
  let rows = [];
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const says = element("p", { class: "says", role: "status" });
  const player = createPlayer("Steps", (k) => draw(k), context.changed);
  const asking = createAsking(context, (answer, { first }) => {
    rows = answer.rows;
    player.load(rows.length, first ?? Math.ceil(rows.length / 2));
  });
  const node = element("div", { class: "growth" }, says, picture, player.node, asking.problem);

  /** @param {number} k points that are read */
  function draw(k) {
    const last = rows[k - 1];
    const all = rows[rows.length - 1];
    const line = (/** @type {"words" | "characters"} */ name) =>
      rows.slice(0, k).map((row) => `${(WIDTH * row.read) / all.read},${HEIGHT - ((HEIGHT - 10) * row[name]) / all.words}`).join(" ");
    fill(picture, ...(["words", "characters"].map((name) => svg("polyline", { class: name, points: `0,${HEIGHT} ${line(/** @type {any} */ (name))}`, "vector-effect": "non-scaling-stroke" }))));
    fill(says, ...(last ? sayRow(last) : ["Nothing is read yet."]));
  }

  return {
    node,
    value: () => String(player.step()),
    show: (step) => void asking.ask({ route: "growth", text: "", first: stepIn(step) }),
    dispose: disposeOf(player, asking),
  };
}

/** @param {Row} row */
function sayRow({ read, words, characters, newest }) {
  return [
    `After ${number(read)} words: `,
    element("b", {}, number(words)),
    " different words, of ",
    element("b", {}, number(characters)),
    " different characters. The newest word is ",
    element("code", {}, newest),
    ".",
  ];
}
