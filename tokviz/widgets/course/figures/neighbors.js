/**
 * The rows of the small embedding that are most similar to a token's.
 */

import { element, fill, number } from "../../shared/dom/elements.js";
import { createAsking } from "../asking.js";
import { createField } from "../field.js";
import { rowNode, stripKey } from "../strip.js";

/** @typedef {import("../strip.js").Row} Row */
/** @typedef {{token: Row | null, rows: (Row & {cosine: number})[], least: number}} Similar */

/** @param {import("../figures.js").Context} context @returns {import("../figures.js").Figure} */
export function create(context) {
  let value = "";
  const field = createField({ label: "A word or a token", most: 40, kind: "mono wide-field" }, (text) => (show(text), context.changed()));
  const chosen = element("ol", { class: "rows-of" });
  const list = element("ol", { class: "rows-of" });
  const says = element("p", { class: "says", role: "status" });
  const key = stripKey();
  const asking = createAsking(context, (answer) => draw(answer));
  const node = element("div", {}, field.node, chosen, says, list, key, asking.problem);

  /** @param {string} text */
  function show(text) {
    value = text;
    field.show(text);
    void asking.ask({ route: "similar", text });
  }

  /** @param {Similar} similar */
  function draw({ token, rows, least }) {
    fill(chosen, ...(token ? [rowNode(token)] : []));
    fill(says, saySimilar(token, least));
    key.hidden = !token;
    fill(list, ...rows.map((row) => rowNode(row, cosineNode(row.cosine))));
  }

  return { node, value: () => value, show, dispose: () => asking.dispose() };
}

/** @param {Row | null} token @param {number} least times that the training text has those that are listed */
function saySimilar(token, least) {
  if (!token) return "Type a word.";
  if (!token.count) return "The training text never has this token. Its row is still random, so there is nothing to compare.";
  return `The training text has this token ${token.count === 1 ? "once" : `${number(token.count)} times`}. The most similar of those that it has at least ${least} times:`;
}

/** @param {number} cosine */
function cosineNode(cosine) {
  const bar = element("i", { class: "bar" });
  bar.style.width = `${100 * Math.max(0, cosine)}%`;
  return element("span", { class: "cosine" }, element("b", {}, cosine.toFixed(2)), bar);
}
