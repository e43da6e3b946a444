/**
 * A text read twice, side by side: special tokens in it as text, and as control tokens.
 */

import { disposeOf, element, fill, plural } from "../shared/dom/elements.js";
import { createAsking } from "./asking.js";
import { createTokens } from "./tokens.js";

/** @param {import("./figures.js").Context} context @param {string} figure its name, for labels that are unique on the page */
export function createBothWays(context, figure) {
  const sides = /** @type {const} */ ([["text", "Read as text"], ["control", "Read as control"]]).map(([way, title]) => {
    const tokens = createTokens(context, `${title}, ${figure}`);
    const count = element("span", { class: "quiet" });
    return { way, tokens, count, node: element("section", {}, element("h3", {}, title, " ", count), tokens.node) };
  });
  const asking = createAsking(context, (/** @type {Record<"text" | "control", import("./tokens.js").Tokens>} */ answer, asked) => {
    for (const { way, tokens, count } of sides) {
      tokens.show(answer[way], asked.query?.tokenizer, { view: "both" });
      fill(count, plural(answer[way].ids.length, "token"));
    }
  });
  return {
    node: element("div", { class: "two" }, ...sides.map(({ node }) => node)),
    problem: asking.problem,
    /** @param {string} text @param {string} tokenizer */
    ask: (text, tokenizer) => void asking.ask({ route: "control", text, query: { tokenizer } }),
    dispose: disposeOf(asking, ...sides.map(({ tokens }) => tokens)),
  };
}
