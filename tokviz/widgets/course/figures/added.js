/**
 * GPT-2 with one more token: a text's tokens before and after, and the end of the table with the new row.
 */

import { disposeOf, element, fill, number, plural } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";
import { createTokens } from "../tokens.js";

/** @typedef {import("../tokens.js").Tokens} Tokens */
/** @typedef {{before: Tokens, after: Tokens, sizes: [number, number], rows: [id: number, text: string][], width: number}} Added */

const TOKENIZER = "gpt2";

/** @param {string} value a token, a semicolon and a text @returns {{name: string, text: string}} */
export function readValue(value) {
  const at = value.indexOf(";");
  return at < 0 ? { name: "", text: value } : { name: value.slice(0, at), text: value.slice(at + 1) };
}

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let { name, text } = readValue("");
  const nameField = createField({ label: "A new token", most: 40, kind: "mono wide-field" }, (typed) => put(typed.replaceAll(";", ""), text));
  const textField = createField({ label: "A text with it", most: 200, kind: "mono full-field" }, (typed) => put(name, typed));
  const sides = ["Tokens before", "Tokens after"].map((label) => createTokens(context, label));
  const rows = element("ol", { class: "rows-of named" });
  const says = element("p", { class: "says", role: "status" });
  const asking = createAsking(context, (answer) => draw(answer));
  const side = (/** @type {string} */ title, /** @type {{node: HTMLElement}} */ tokens) => element("section", { "aria-label": title }, element("h3", {}, title), tokens.node);
  const node = element("div", {}, nameField.node, textField.node, element("div", { class: "two" }, side("Before", sides[0]), side("After", sides[1])), rows, says, asking.problem);

  /** @param {string} newName @param {string} newText */
  function put(newName, newText) {
    show(`${newName};${newText}`);
    context.changed();
  }

  /** @param {string} value */
  function show(value) {
    ({ name, text } = readValue(value));
    nameField.show(name);
    textField.show(text);
    void asking.ask({ route: "added", text, query: { name } });
  }

  /** @param {Added} added */
  function draw({ before, after, sizes, rows: last, width }) {
    sides[0].show(before, TOKENIZER, { view: "both" });
    sides[1].show(after, TOKENIZER, { view: "both" });
    const isNew = (/** @type {number} */ id) => id >= sizes[0];
    fill(rows, ...last.map(([id, spelled]) => element("li", { class: isNew(id) ? "new" : null }, element("span", { class: "quiet number" }, String(id)), element("bdi", { class: "mono" }, spelled), `${number(width)} ${isNew(id) ? "new" : "learned"} numbers`)));
    fill(says, sayAdded(before.ids.length, after.ids.length, sizes));
  }

  return {
    node,
    value: () => `${name};${text}`,
    show,
    dispose: disposeOf(asking, ...sides),
  };
}

/** @param {number} before @param {number} after tokens @param {[number, number]} sizes */
export function sayAdded(before, after, [from, to]) {
  const rows = from === to ? "GPT-2 has this token already." : `The vocabulary grows from ${number(from)} to ${number(to)}.`;
  return `${plural(before, "token")} before, ${number(after)} after. ${rows}`;
}
