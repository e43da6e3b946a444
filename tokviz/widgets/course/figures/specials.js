/**
 * All special tokens of a tokenizer; the chosen one as text and as control.
 */

import { disposeOf, element, fill, menu, number, plural } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { createBothWays } from "../bothways.js";
import { createRefocus } from "../focus.js";

/** @typedef {{text: string, id: number, more: number, last: number, purpose: string}} Entry `more` like it, up to the id `last` */
/** @typedef {{names: [name: string, label: string][], tokens: Entry[], count: number, vocabulary: number}} Listed */

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  /** A tokenizer, and the token that is shown in both ways. */
  let [tokenizer, token] = ["", ""];
  const choice = element("div", { class: "row" });
  const list = element("div", { class: "row chips specials-list", role: "group", "aria-label": "Special tokens" });
  const says = element("p", { class: "says", role: "status" });
  const both = createBothWays(context, "of a special token");
  const asking = createAsking(context, (answer) => draw(answer));
  const purpose = element("p", { role: "status" });
  const refocus = createRefocus(list);
  const node = element("div", {}, choice, says, list, purpose, both.node, asking.problem, both.problem);

  /** @param {string} newTokenizer @param {string} newToken */
  function put(newTokenizer, newToken) {
    show(`${newTokenizer};${newToken}`);
    context.changed();
  }

  /** @param {string} value a tokenizer, and a token after a semicolon */
  function show(value) {
    [tokenizer, token = ""] = value.split(";");
    void asking.ask({ route: "specials", text: "", query: { tokenizer } });
  }

  /** @param {Listed} listed */
  function draw({ names, tokens, count, vocabulary }) {
    if (!choice.firstChild) choice.append(menu("Tokenizer", names, tokenizer, (name) => put(name, "")).node);
    /** @type {HTMLSelectElement} */ (choice.querySelector("select")).value = tokenizer;
    token = tokens.some(({ text }) => text === token) ? token : (tokens[0]?.text ?? "");
    fill(says, `${names.find(([name]) => name === tokenizer)?.[1] ?? tokenizer} has ${plural(count, "special token")}, of ${number(vocabulary)} tokens in all.`);
    fill(list, ...tokens.map(entryNode));
    const use = tokens.find(({ text }) => text === token)?.purpose;
    fill(purpose, element("code", {}, token), use ? `: ${use}.` : ": its maker doesn’t say what it is for.");
    both.ask(token, tokenizer);
  }

  /** @param {Entry} entry */
  function entryNode({ text, id, more, last }) {
    const choose = () => {
      refocus(() => list.querySelector('[aria-pressed="true"]'));
      put(tokenizer, text);
    };
    return element(
      "button",
      { type: "button", class: "chip", "aria-pressed": String(text === token), click: choose },
      text,
      element("small", {}, more ? `${id} … ${last}: ${plural(more + 1, "token")}` : String(id)),
    );
  }

  return {
    node,
    value: () => `${tokenizer};${token}`,
    show,
    dispose: disposeOf(asking, both),
  };
}
