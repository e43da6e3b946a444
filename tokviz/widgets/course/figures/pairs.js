/**
 * A text as symbols, and the pairs of neighbors in it: the reader chooses which to join, and is told what the rule says.
 */

import { button, element, fill, listed, plural } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";
import { createRefocus } from "../focus.js";

/** @typedef {[left: number, right: number]} Pair */
/** @typedef {{pair: Pair, left: string, right: string, count: number, joined: number}} Listed */
/** @typedef {Listed & {most: number, tied: number, rules: Record<string, [string, string]>, allows: string[]}} Verdict */
/** @typedef {{symbols: {id: number, text: string}[], chosen: Pair[], pairs: Listed[], more: number, last: Verdict | null}} Choosing */

/** A text, and the pairs that were joined in it. */
const VALUE = /^(.*);((?:\d+-\d+(?:,\d+-\d+)*)?)$/su;

/** What the tie rules are called in sentences. @type {Record<string, string>} */
const RULES = { "first-seen": "seen first", "lowest-ids": "lowest numbers", "greatest-bytes": "last in the alphabet" };

/** @param {string} value @returns {{text: string, chosen: string}} */
export function readValue(value) {
  const found = VALUE.exec(value);
  return found ? { text: found[1], chosen: found[2] } : { text: value, chosen: "" };
}

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let text = "";
  let chosen = "";
  const field = createField({ label: "A text to join pairs in", most: 120, kind: "mono wide-field" }, (typed) => put(typed, ""));
  const row = element("p", { class: "symbols mono", "aria-label": "The text as symbols", role: "group" });
  const pairs = element("div", { class: "row pair-list", role: "group", "aria-label": "Pairs, and how often each stands" });
  const says = element("p", { class: "says", role: "status" });
  const undo = button("Undo", () => put(text, chosen.split(",").slice(0, -1).join(",")), { title: "Take the last merge back" });
  const asking = createAsking(context, (answer) => draw(answer));
  const refocus = createRefocus(pairs);
  const node = element("div", { class: "pairs" }, element("div", { class: "row" }, field.node, undo), row, pairs, says, asking.problem);

  /** @param {string} newText @param {string} newChosen */
  function put(newText, newChosen) {
    show(`${newText};${newChosen}`);
    context.changed();
  }

  /** @param {string} value */
  function show(value) {
    ({ text, chosen } = readValue(value));
    field.show(text);
    void asking.ask({ route: "pairs", text, query: { chosen } });
  }

  /** @param {Choosing} answer */
  function draw({ symbols, chosen: joined, pairs: offered, more, last }) {
    chosen = joined.map((pair) => pair.join("-")).join(",");
    fill(row, ...symbols.map(({ id, text: shown }) => element("bdi", { class: id < 256 ? "symbol" : `symbol tint-${(id - 256) % 4}` }, shown)));
    fill(pairs, ...offered.map(pairButton), more > 0 && element("span", { class: "quiet" }, `and ${plural(more, "other pair")}, less frequent or later`));
    undo.disabled = joined.length === 0;
    fill(says, ...sayVerdict(last, symbols.length, offered));
  }

  /** @param {Listed} offered */
  function pairButton({ pair, left, right, count }) {
    const join = () => {
      refocus(() => pairs.querySelector("button"));
      put(text, [chosen, pair.join("-")].filter(Boolean).join(","));
    };
    return element("button", { type: "button", class: "button pair", click: join }, element("bdi", { class: "mono" }, `${left} + ${right}`), " ", element("b", {}, `${count}×`));
  }

  return {
    node,
    value: () => `${text};${chosen}`,
    show,
    dispose: () => asking.dispose(),
  };
}

/** Say what the rule says of the reader's last choice. @param {Verdict | null} last @param {number} symbols @param {Listed[]} offered @returns {(string | Node)[]} */
export function sayVerdict(last, symbols, offered) {
  const left = `${plural(symbols, "symbol")} now. `;
  if (!last) return [left, offered.length ? "Which pair stands here most often? Count where pairs overlap, too." : "There is no pair to join."];
  const name = `${last.left} + ${last.right}`;
  if (last.count < last.most) return [left, `${name} stands here ${times(last.count)}, but another pair ${times(last.most)}: the rule takes the most frequent. Undo, and look again.`];
  const overlap = last.joined < last.count ? `. Some overlap, so only ${last.joined} of the ${last.count} were joined` : "";
  if (last.most === 1) return [left, `No pair stood twice, so learning ends before ${name}. You may go on: each merge still saves a symbol.`];
  if (last.tied === 1) return [left, `Yes: ${name} stood here ${times(last.count)}, more than any other pair${overlap}.`];
  const others = Object.entries(last.rules).map(([rule, pair]) => `“${RULES[rule]}” takes ${pair.join(" + ")}`);
  return [left, `${name} stood here ${times(last.count)}, and so did ${plural(last.tied - 1, "other pair")}: a tie. ${sentence(listed(others))}.`];
}

/** @param {number} count */
const times = (count) => (count === 1 ? "once" : count === 2 ? "twice" : `${count} times`);

/** @param {string} text */
const sentence = (text) => text[0].toUpperCase() + text.slice(1);
