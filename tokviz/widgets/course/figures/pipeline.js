/**
 * The reader's text on its way through a small model: tokens, rows of the table, a vector, chances, and the next token.
 */

import { element, fill, number, plural } from "../../shared/dom/elements.js";
import { createOwnFigure } from "../ownfigure.js";
import { createRefocus } from "../focus.js";
import { rowNode, stripKey, stripOf } from "../strip.js";

/** @typedef {import("../strip.js").Row} Row */
/** @typedef {{id: number, text: string, chance: number}} Chance */
/** @typedef {{tokens: Row[], written: number[], before: boolean, chances: Chance[], merges: number, vocabulary: number, width: number}} Reading */

/** Ids that the model has written. */
const WRITTEN = /^\d+(?:,\d+)*$/;

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  /** @type {number[]} */
  let written = [];
  const tokens = element("p", { class: "row chips" });
  const table = element("ol", { class: "rows-of" });
  const vector = element("p", { class: "row" });
  const chances = element("div", { class: "row chances", role: "group", "aria-label": "The next token" });
  const says = element("p", { class: "says", role: "status" });
  const about = { tokenizer: element("span", {}), table: element("span", {}) };
  const undo = element("button", { type: "button", class: "button", click: () => write(written.slice(0, -1)) }, "Undo");
  const refocus = createRefocus(chances);
  const stages = element(
    "ol",
    { class: "stages-of" },
    stage("Tokenizer", about.tokenizer, tokens),
    stage("Table", about.table, table, stripKey()),
    stage("Model", "This one takes the last row as it is. A large one has its layers here, and uses all rows.", vector),
    stage("Table of the output, and softmax", "A score for each token, and from it a chance. Choose, and the token is written.", chances, says),
  );
  const figure = createOwnFigure(context, { route: "pipeline", parts: [stages], draw, query: () => ({ written }) });

  /** @param {number[]} ids */
  function write(ids) {
    written = ids;
    figure.ask();
    context.changed();
  }

  /** @param {Reading} reading */
  function draw(reading) {
    written = reading.written;
    const last = reading.tokens.at(-1);
    const first = reading.tokens.length - written.length;
    fill(tokens, reading.before && element("span", { class: "quiet" }, "…"), ...reading.tokens.map(({ id, text }, i) => element("bdi", { class: i < first ? `chip tint-${i % 4}` : "chip new" }, text, element("small", {}, String(id)))), written.length > 0 && undo);
    fill(about.tokenizer, `The first ${number(reading.merges)} merges of GPT-2, learned from pages of the web.`);
    fill(about.table, `${number(reading.vocabulary)} rows of ${reading.width} numbers, learned from Python’s documentation. These are your text’s.`);
    fill(table, ...excerptOf(reading));
    fill(vector, ...(last ? [element("bdi", { class: "mono" }, last.text), stripOf(last.row)] : []));
    fill(chances, ...reading.chances.map(({ id, text, chance }) => chanceButton(id, text, chance, reading.chances[0].chance)));
    fill(says, sayRest(reading));
  }

  /** @param {number} id @param {string} text @param {number} chance @param {number} most the greatest of all */
  function chanceButton(id, text, chance, most) {
    const choose = () => {
      refocus(() => chances.querySelector("button"));
      write([...written, id]);
    };
    const share = element("i", { class: "bar" });
    share.style.width = `${(100 * chance) / most}%`;
    return element("button", { type: "button", class: "button chance", click: choose }, element("bdi", { class: "mono" }, text), element("b", {}, `${(100 * chance).toFixed(1)} %`), share);
  }

  return {
    ...figure,
    value: () => written.join(","),
    show(value) {
      written = WRITTEN.test(value) ? value.split(",").map(Number) : [];
      if (WRITTEN.test(value)) figure.ask();
      else figure.show(value);
    },
  };
}

/** @param {string} title @param {Node | string} about @param {...HTMLElement} inside */
const stage = (title, about, ...inside) => element("li", {}, element("h3", {}, title), element("p", { class: "quiet" }, about), ...inside);

/** The rows of the tokens, in the order of the table, and how many lie between. @param {Reading} reading */
function excerptOf({ tokens, vocabulary }) {
  const rows = [...new Map(tokens.map((row) => [row.id, row])).values()].sort((a, b) => a.id - b.id);
  const gap = (/** @type {number} */ between) => between > 0 && element("li", { class: "quiet gap" }, `⋮ ${plural(between, "row")}`);
  return [
    ...rows.flatMap((row, i) => [gap(row.id - (i ? rows[i - 1].id + 1 : 0)), rowNode(row)]),
    gap(vocabulary - 1 - (rows.at(-1)?.id ?? -1)),
  ];
}

/** @param {Reading} reading */
export function sayRest({ chances, vocabulary, tokens }) {
  if (!chances.length) return "Type a text to begin.";
  const rest = 1 - chances.reduce((sum, { chance }) => sum + chance, 0);
  const seen = tokens[tokens.length - 1].count;
  const never = seen ? "" : "The model’s training text never had the last token. Its row is still random, so this list says little more than which tokens are frequent. ";
  return `${never}All other ${number(vocabulary - chances.length)} tokens together: ${(100 * rest).toFixed(1)} %.`;
}
