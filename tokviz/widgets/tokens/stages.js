/**
 * How the text becomes tokens, stage by stage, on demand: what each stage changes in it, and its pieces.
 */

import { debounce, element, fill, listed, number, plural } from "../shared/dom/elements.js";
import { Latest } from "../shared/net/latest.js";
import { withSigns } from "../shared/text/invisibles.js";
import { TINTS } from "../shared/text/tokenization.js";

/** @typedef {import("../shared/net/client.js").Question} Question */
/** @typedef {"normalized" | "pre-tokens" | "tokens" | "special tokens"} StageName */

/**
 * @typedef {object} Stage
 * @property {StageName} name
 * @property {number} count of its pieces
 * @property {string[]} pieces the first of them, with signs for what is invisible
 * @property {string[]} changes what it does to this text, such as "makes all letters lower case"
 */

/**
 * @typedef {object} StagesData
 * @property {Stage[]} stages
 * @property {[old: string, changed: string, times: number][]} edits the first of the normalization's
 * @property {number} different number of different edits
 */

/** Maximum characters of a text whose stages are shown. */
const MAX_CHARACTERS = 10_000;
/** Maximum characters shown of the text itself, as of the normalized one. */
const MAX_SHOWN = 300;
const ASK_AFTER_MS = 150;

/** @type {Record<StageName, string>} */
const TITLES = {
  normalized: "Normalized",
  "pre-tokens": "Cut into pre-tokens",
  tokens: "Tokens",
  "special tokens": "As a model gets it",
};

export class Stages {
  #question;
  #answers;
  #hasStages;
  #list = element("ol", {});
  #note = element("p", { class: "quiet", role: "status" });
  #askLater = debounce(() => void this.#ask(), ASK_AFTER_MS);
  #outdated = true;

  /**
   * @param {Pick<import("../shared/net/client.js").Client, "json">} client
   * @param {() => Question} question about the editor's text
   * @param {(tokenizer: string) => boolean} hasStages whether a tokenizer makes tokens in stages
   */
  constructor(client, question, hasStages) {
    this.#question = question;
    this.#hasStages = hasStages;
    const ask = (/** @type {Question} */ { text, tokenizer, special }, /** @type {AbortSignal} */ signal) => client.json("stages", { tokenizer, special }, text, signal);
    this.#answers = new Latest(ask, { refusal: (message) => this.#refuse(message) });
    this.node = element(
      "details",
      { class: "stages", toggle: () => this.#outdated && void this.#ask() },
      element("summary", {}, "How does the text become tokens?"),
      this.#note,
      this.#list,
    );
  }

  /** The text has new tokens, or another tokenizer is chosen. */
  tokensChanged() {
    this.node.hidden = !this.#hasStages(this.#question().tokenizer);
    this.#outdated = true;
    if (this.node.open) this.#askLater.later();
  }

  async #ask() {
    const question = this.#question();
    if (!this.node.open || this.node.hidden) return;
    const text = beginning(question.text, MAX_CHARACTERS);
    this.#outdated = false;
    const data = await this.#answers.ask({ ...question, text });
    if (data) this.#show(data, text, text.length < question.text.length);
  }

  /** @param {string} message */
  #refuse(message) {
    fill(this.#note, message);
    fill(this.#list);
  }

  /** @param {StagesData} data @param {string} text @param {boolean} isPart */
  #show(data, text, isPart) {
    fill(this.#note, isPart && `These are the stages of the first ${number(MAX_CHARACTERS)} characters.`);
    const rows = data.stages.map((stage) => stageRow(stage, sayOf(stage, data), stage.name === "normalized" ? data : null));
    fill(this.#list, textRow(text, sayFirst(data)), ...rows.filter((row) => row !== null));
  }

  dispose() {
    this.#askLater.cancel();
    this.#answers.dispose();
  }
}

/** The beginning of a text, without a half of a surrogate pair at its end. @param {string} text @param {number} most */
const beginning = (text, most) => text.slice(0, most).replace(/[\ud800-\udbff]$/, "");

/** Say what is done to the text before all else. @param {StagesData} data */
export function sayFirst({ stages }) {
  const names = stages.map(({ name }) => name);
  if (names.includes("normalized")) return "";
  return names.includes("pre-tokens") ? "Nothing is changed before the text is cut." : "The text is neither changed nor cut first.";
}

/**
 * Say what a stage does to this text; null for a stage that there is nothing to show of.
 *
 * @param {Stage} stage @param {StagesData} data
 */
export function sayOf({ name, count, changes }, { stages }) {
  const done = changes.length ? `It ${listed(changes)}` : "";
  if (name === "normalized") return done ? `${done}.` : "Nothing changes in this text.";
  if (name === "pre-tokens") return `${done ? `${done}. ` : ""}No token crosses these cuts.`;
  if (name === "tokens") return done && `${done}.`;
  const more = count - (stages.find((stage) => stage.name === "tokens")?.count ?? 0);
  return more ? `It ${listed(changes)}. The count at the top leaves ${more === 1 ? "that" : "these"} out.` : null;
}

/** @param {string} title @param {string} count */
const heading = (title, count) => element("h2", {}, title, element("span", { class: "quiet" }, ` ${count}`));

/** @param {string} text @param {string} says */
function textRow(text, says) {
  const shown = withSigns(beginning(text, MAX_SHOWN)) + (text.length > MAX_SHOWN ? "…" : "");
  return element("li", {}, heading("The text", ""), element("p", { class: "mono", dir: "auto" }, shown), says && element("p", {}, says));
}

/** @param {Stage} stage @param {string | null} says @param {StagesData | null} edited for the normalization */
function stageRow(stage, says, edited) {
  if (says === null) return null;
  const count = { normalized: "", "pre-tokens": plural(stage.count, "piece"), tokens: plural(stage.count, "token"), "special tokens": plural(stage.count, "token") };
  return element(
    "li",
    {},
    heading(TITLES[stage.name], count[stage.name]),
    says && element("p", {}, says),
    edited && edited.edits.length > 0 && editList(edited),
    stage.name === "normalized" ? element("p", { class: "mono", dir: "auto" }, ...stage.pieces) : chips(stage),
  );
}

/** Say what a change does: the first and the last are texts. @param {string} old @param {string} changed */
export function sayEdit(old, changed) {
  if (!old) return [changed, "is added"];
  return changed ? [old, "becomes", changed] : [old, "is removed"];
}

/** @param {StagesData} data */
function editList({ edits, different }) {
  const more = different - edits.length;
  const hasSpaces = edits.some(([old, changed]) => `${old}${changed}`.includes("·"));
  return element(
    "ul",
    { class: "edits" },
    ...edits.map(([old, changed, times]) =>
      element(
        "li",
        {},
        ...sayEdit(old, changed).map((part, k) => (k % 2 ? element("span", { class: "quiet" }, ` ${part} `) : element("bdi", { class: "mono" }, part))),
        times > 1 && element("span", { class: "quiet" }, ` × ${number(times)}`),
      ),
    ),
    more > 0 && element("li", { class: "quiet" }, `and ${number(more)} other changes`),
    hasSpaces && element("li", { class: "quiet" }, "(· stands for a space)"),
  );
}

/** @param {Stage} stage */
function chips({ pieces, count }) {
  const more = count - pieces.length;
  const spans = pieces.map((piece, i) => element("bdi", { class: `chip tint-${i % TINTS}` }, piece || "no text"));
  return element("p", { class: "chips mono", dir: "auto" }, ...spans, more > 0 && element("span", { class: "quiet" }, ` and ${number(more)} more`));
}
