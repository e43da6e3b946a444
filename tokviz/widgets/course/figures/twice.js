/**
 * Two texts that say the same, or of which one goes on where the other ends, under several tokenizers.
 */

import { debounce, disposeOf, element, fill, headOf, number, plural, rowOf } from "../../shared/dom/elements.js";
import { createSegments } from "../../shared/ui/segments.js";
import { createAsking } from "../asking.js";
import { tokenChips } from "../chips.js";
import { createField } from "../field.js";
import { createRefocus } from "../focus.js";

/** @typedef {{name: string, counts: [number, number], unknown: [number, number], does: boolean | null}} Counts `unknown`: how many of the tokens say only that; `does`: null if these have no price */
/** @typedef {{texts: [string, string], rows: Counts[], says: string, tokens: [import("../chips.js").Row, import("../chips.js").Row]}} Twice `tokens` of the chosen tokenizer */
/** @typedef {{kind: string, texts: [string, string] | null}} State `kind`: one of KINDS, languages with the tag of one; `texts`: null for its own */

/** For each kind: its label, and what its texts are. @type {Record<string, {label: string, names: [string, string]}>} */
const KINDS = {
  languages: { label: "languages", names: ["in English", "in another language"] },
  indents: { label: "indents", names: ["without indents", "with them"] },
  ending: { label: "last space", names: ["the beginning", "all of it"] },
  formats: { label: "JSON", names: ["YAML", "JSON"] },
};
const MOST = 1_000;
const PAUSE_MS = 150;

/** @param {string} value @returns {State} */
export function readValue(value) {
  const [, named = "", given = ""] = /^([a-z-]+)(?:;(.*))?$/su.exec(value) ?? [];
  const kind = Object.hasOwn(KINDS, group(named)) ? named : "languages-hi";
  try {
    const [first, second] = JSON.parse(given);
    return { kind, texts: typeof first === "string" && typeof second === "string" ? [first, second] : null };
  } catch {
    return { kind, texts: null };
  }
}

/** The kind without its language. @param {string} kind */
const group = (kind) => kind.split("-")[0];

/** @param {State} state */
export const writeValue = ({ kind, texts }) => (texts ? `${kind};${JSON.stringify(texts)}` : kind);

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let state = readValue("");
  let chosen = "cl100k";
  /** @type {Twice | null} */
  let shown = null;
  const kinds = createSegments("What is compared", Object.entries(KINDS).map(([kind, { label }]) => [kind, label]), group(state.kind), (kind) => (show(kind === "languages" ? "languages-hi" : kind), context.changed()));
  const fields = [0, 1].map((i) => createField({ label: `Text ${i + 1}`, most: MOST, kind: "mono full-field", lines: 3 }, (typed) => change(i, typed)));
  const titles = [0, 1].map(() => element("span", { class: "quiet" }));
  const boxes = fields.map((field, i) => element("label", { class: "side-text" }, titles[i], field.node));
  const says = element("p", { class: "says", role: "status" });
  const table = element("table", { class: "twice-table" });
  const tokens = element("div", { class: "two" });
  const asking = createAsking(context, (/** @type {Twice} */ answer) => draw(answer));
  const node = element("div", { class: "twice" }, kinds.node, element("div", { class: "two" }, ...boxes), says, asking.problem, element("div", { class: "wide" }, table), tokens);
  const ask = () => void asking.ask({ route: "twice", text: state.texts ? JSON.stringify(state.texts) : "", query: { kind: state.kind, tokenizer: chosen } });
  const later = debounce(ask, PAUSE_MS);

  /** @param {number} i @param {string} typed */
  function change(i, typed) {
    const texts = /** @type {[string, string]} */ (state.texts ?? shown?.texts ?? ["", ""]);
    state = { ...state, texts: i ? [texts[0], typed] : [typed, texts[1]] };
    later.later();
    context.changed();
  }

  /** @param {string} value */
  function show(value) {
    state = readValue(value);
    kinds.show(group(state.kind));
    later.cancel();
    ask();
  }

  /** @param {Twice} answer */
  function draw(answer) {
    shown = answer;
    const { names } = KINDS[group(state.kind)];
    fields.forEach((field, i) => field.show((state.texts ?? answer.texts)[i]));
    const isEnding = group(state.kind) === "ending";
    titles.forEach((title, i) => fill(title, names[i], isEnding && /\s$/u.test(answer.texts[i]) && ", which ends in a space"));
    fill(says, answer.says);
    fill(tokens, ...answer.tokens.map((row, i) => tokensNode(context, row, names[i])));
    fill(table, element("caption", { class: "unseen" }, "Tokens of both texts"), headOf(["tokenizer", ...names, ...(isEnding ? [] : ["times"])]), element("tbody", {}, ...answer.rows.map(tableRow)));
  }

  /** @param {Counts} row */
  function tableRow({ name, counts: [left, right], does }) {
    const choose = element("button", { type: "button", "aria-pressed": String(name === chosen), click: () => choosing(name) }, name);
    const times = group(state.kind) === "ending" ? [] : [left && does !== null ? (right / left).toFixed(2) : "–"];
    const cells = [number(left), number(right), ...times];
    return rowOf(choose, ...cells.map((text) => element("td", { class: "number" }, text)));
  }

  /** @param {string} name */
  function choosing(name) {
    refocus(() => table.querySelector('[aria-pressed="true"]'));
    chosen = name;
    ask();
  }

  const refocus = createRefocus(table);

  return {
    node,
    value: () => writeValue(state),
    show,
    dispose: disposeOf(later, asking),
  };
}

/** @param {import("../figures.js").Context} context @param {import("../chips.js").Row} row @param {string} text what the text is */
function tokensNode(context, row, text) {
  const { name, count, unknown } = row;
  const title = element("h3", {}, `${name}: ${plural(count, "token")}`, unknown > 0 && `, ${number(unknown)} of them unknown`);
  return element("section", {}, title, tokenChips(context, { ...row, name: `${name}, ${text}` }));
}
