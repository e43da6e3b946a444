/**
 * What the prompt is made of: tokens by message and by origin, and what is not as one would think.
 */

import { button, element, fill, listed, number, plural, rounded, term } from "../shared/dom/elements.js";
import { KINDS } from "./origins.js";

/** @typedef {import("./origins.js").Reading} Reading */

export class Counts {
  #figure = element("dd", { "data-count": "tokens" }, "–");
  #bar = element("div", { class: "shares", role: "img" });
  #cost = element("p", {});
  #notes = element("ul", { class: "notes" });

  #use;

  /** @param {(tokenizer: string) => void} use called when the template's own tokenizer is wanted */
  constructor(use) {
    this.#use = use;
    /** The number of tokens. */
    this.total = element("dl", { class: "counts" }, element("div", { class: "main" }, element("dt", {}, term("tokens")), this.#figure));
    this.node = element("section", { class: "made-of", "aria-label": "What the prompt is made of" }, this.#bar, this.#cost, this.#notes);
  }

  /** @param {Reading} reading @param {string} tokenizer its name for people @param {string | null} own the template's own, if it is another that is here */
  show(reading, tokenizer, own) {
    const { model } = reading;
    const { kinds } = reading.totals();
    fill(this.#figure, number(model.n));
    const shown = KINDS.filter(([kind]) => kinds.get(kind));
    const of = (/** @type {import("./origins.js").Kind} */ kind) => kinds.get(kind) ?? 0;
    fill(this.#bar, ...shown.map(([kind]) => share(kind, of(kind), model.n)));
    this.#bar.setAttribute("aria-label", shown.map(([kind, name]) => `${name}: ${plural(of(kind), "token")}`).join(", "));
    const around = model.n - of("words");
    const percent = model.n ? rounded((100 * around) / model.n, 0) : "0";
    fill(this.#cost, `${plural(of("words"), "token")} are what was said; ${number(around)} are around it: ${percent} % of the prompt.`);
    const offer = reading.meta.unread.length && own ? [" ", button("Use its own vocabulary", () => this.#use(own))] : [];
    fill(this.#notes, ...notesOf(reading, tokenizer).map((note, i) => element("li", {}, note, ...(i ? [] : offer))));
  }
}

/** @param {string} kind @param {number} tokens @param {number} all */
function share(kind, tokens, all) {
  const part = element("span", { class: `lane ${kind}` });
  part.style.flexGrow = String(tokens / all);
  return part;
}

/** What is not as one would think. @param {Reading} reading @param {string} tokenizer @returns {string[]} */
export function notesOf({ meta, changed, origins, spanOrigins }, tokenizer) {
  const notes = [];
  if (meta.unread.length) notes.push(`${tokenizer} has no ${listed(meta.unread)}: the model reads ${meta.unread.length > 1 ? "them" : "it"} as plain text.`);
  for (const [message, key, text, length] of meta.omissions.slice(0, 3)) notes.push(omission(message, key, text, length));
  if (meta.omissions.length > 3) notes.push(`${number(meta.omissions.length - 3)} more stretches are left out.`);
  const rewritten = new Set(Array.from(changed, (is, span) => (is ? origins[spanOrigins[span]] : null)).filter((origin) => Array.isArray(origin) && origin[1] !== "tool_calls").map((origin) => /** @type {any} */ (origin)[0]));
  if (rewritten.size) notes.push(`The template changed some characters of ${listed([...rewritten].map((message) => `message ${message + 1}`))}.`);
  return notes;
}

/** @param {number} message @param {string} key @param {string} text @param {number} length */
function omission(message, key, text, length) {
  const where = message < 0 ? key : `message ${message + 1}`;
  if (!text.trim()) return `The template cut ${plural(length, "character")} of white space from ${where}.`;
  const shown = text.length > 60 || length > text.length ? `${text.slice(0, 60)}…` : text;
  return `The template left out of ${where}: “${shown.trim()}”.`;
}
