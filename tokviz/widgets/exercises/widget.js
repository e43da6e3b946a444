/**
 * Exercises for homework, checked by the page with reasons; on paper a worksheet, with the answers on a second sheet.
 */

import { mountFrame } from "../frame/frame.js";
import { filled, marked } from "../room/text.js";
import { button, element, fill } from "../shared/dom/elements.js";
import { Client } from "../shared/net/client.js";
import { withSigns } from "../shared/text/invisibles.js";
import { makeTokenization, writeToken } from "../shared/text/tokenization.js";
import { boundariesOf, earliest, judgeCheaper, judgeCut, judgeMerge, judgeText, nameOf } from "./checks.js";

/**
 * @param {HTMLElement} root
 * @param {any} data see `mountFrame`; `exercises` and `words`: see `tokviz/lesson/exercises.py`
 */
export function mount(root, data) {
  /** @type {{exercises: Asked[], words: import("./checks.js").Words}} */
  const { exercises: shown, words } = data;
  const client = new Client(data.base);
  /** @type {Set<string>} */
  const right = new Set();
  const score = element("p", { class: "quiet score", role: "status" });
  const items = shown.map((asked) => new Exercise(asked, words, client, (isRight) => {
    if (isRight) right.add(asked.id);
    else right.delete(asked.id);
    fill(score, filled(words.score, { right: right.size, count: shown.length }));
  }));
  const answers = shown.flatMap((asked) => answerOf(asked, words)).map((says) => element("li", {}, ...marked(says)));
  const node = element(
    "section",
    { class: "tokviz exercises", "aria-label": words.title },
    element("p", { class: "introduction" }, words.introduction),
    element("ol", {}, ...items.map((item) => item.node)),
    score,
    element("section", { class: "paper answers" }, element("h2", {}, words.answers), element("ol", {}, ...answers)),
  );
  root.append(node);
  const frame = mountFrame(root, data);
  return {
    update() {},
    dispose() {
      frame.dispose();
      node.remove();
    },
  };
}

/** The answer on paper; none where any text may be right. @param {any} asked @param {import("./checks.js").Words} words */
function answerOf(asked, words) {
  if (asked.kind === "cut") return judgeCut(asked, boundariesOf(asked), words).says.join(" ");
  if (asked.kind === "merge") return judgeMerge(asked, asked.pairs.indexOf(earliest(asked)), words).says.join(" ");
  if (asked.kind === "cheaper") return judgeCheaper(asked, 0, words).says.join(" ");
  return [];
}

/** @typedef {import("./checks.js").Judged} Judged */
/** @typedef {import("./checks.js").Words} Words */
/** @typedef {{id: string, kind: "cut" | "merge" | "cheaper" | "write", tokenizer: string, label: string, question: string} & Record<string, any>} Asked as `tokviz/lesson/exercises.py` writes it */

/** Lines to write on, on paper. */
const LINES = 2;

/** An exercise: its question, the means to answer it, and what is said of the answer. On paper, boxes and lines instead. */
export class Exercise {
  #asked;
  #words;
  #client;
  #judged;
  #said = element("div", { class: "said", role: "status" });
  /** Places where the reader cuts, in characters. @type {Set<number>} */
  #cuts = new Set();
  /** Number of the newest answer that is checked. */
  #newest = 0;

  /** @param {Asked} asked @param {Words} words @param {Client} client @param {(isRight: boolean) => void} judged */
  constructor(asked, words, client, judged) {
    this.#asked = asked;
    this.#words = words;
    this.#client = client;
    this.#judged = judged;
    const means = { cut: () => this.#cutting(), merge: () => this.#merging(), cheaper: () => this.#comparing(), write: () => this.#writing() };
    this.node = element("li", { class: "exercise" }, element("h2", {}, asked.question), ...means[asked.kind](), this.#said);
  }

  /** @param {Judged} judged */
  #say({ isRight, says }) {
    this.node.classList.toggle("is-right", isRight);
    const verdict = element("b", {}, isRight ? this.#words.right : this.#words.wrong);
    fill(this.#said, element("p", {}, verdict, " ", ...says.flatMap((sentence) => [...marked(sentence), " "])));
    this.#judged(isRight);
  }

  /** Letters with a place to cut between any two. */
  #cutting() {
    const { text } = this.#asked;
    const letters = [...text].flatMap((letter, k) => [...(k ? [this.#gap(k)] : []), element("span", { class: "letter" }, withSigns(letter))]);
    const check = button(this.#words.check, () => this.#say(judgeCut(/** @type {any} */ (this.#asked), [...this.#cuts].sort((a, b) => a - b), this.#words)));
    return [element("p", { class: "screen" }, this.#words.screen_cut), element("p", { class: "paper" }, this.#words.paper_cut), element("div", { class: "letters mono", dir: "ltr" }, ...letters), check];
  }

  /** @param {number} place in characters */
  #gap(place) {
    const { text } = this.#asked;
    const label = `${withSigns(text[place - 1])} | ${withSigns(text[place])}`;
    const gap = element("button", { type: "button", class: "gap", "aria-pressed": "false", "aria-label": label });
    gap.addEventListener("click", () => {
      const isCut = !this.#cuts.delete(place);
      if (isCut) this.#cuts.add(place);
      gap.setAttribute("aria-pressed", String(isCut));
    });
    return gap;
  }

  #merging() {
    const { text, pairs } = this.#asked;
    const choices = pairs.map((/** @type {{left: string, right: string}} */ pair, /** @type {number} */ k) => this.#choice(nameOf(pair), () => judgeMerge(/** @type {any} */ (this.#asked), k, this.#words)));
    return [element("p", { class: "mono asked" }, withSigns(text)), element("div", { class: "row" }, ...choices)];
  }

  #comparing() {
    const { texts } = this.#asked;
    const choices = texts.map((/** @type {string} */ text, /** @type {number} */ k) => this.#choice(withSigns(text), () => judgeCheaper(/** @type {any} */ (this.#asked), k, this.#words)));
    return [element("div", { class: "row" }, ...choices)];
  }

  /** @param {string} name @param {() => Judged} judge */
  #choice(name, judge) {
    const choice = button(name, () => {
      for (const other of choice.parentElement?.children ?? []) other.setAttribute("aria-pressed", String(other === choice));
      this.#say(judge());
    }, { class: "button mono", "aria-pressed": "false" });
    return choice;
  }

  #writing() {
    const lines = Array.from({ length: LINES }, () => element("div", { class: "paper line" }));
    const field = element("input", { type: "text", class: "mono", "aria-label": this.#words.your_text, maxlength: 200 });
    const check = async () => {
      const newest = ++this.#newest;
      const judged = field.value ? await this.#judgeText(field.value) : { isRight: false, says: [this.#words.write_empty] };
      if (newest !== this.#newest) return;
      if (judged) this.#say(judged);
      else fill(this.#said, element("p", {}, this.#words.not_counted));
    };
    const form = element("form", { class: "row", submit: (/** @type {Event} */ event) => (event.preventDefault(), void check()) }, field, button(this.#words.check, () => void check()));
    return [form, ...lines];
  }

  /** Judge a text; null if it could not be counted. @param {string} text @returns {Promise<Judged | null>} */
  async #judgeText(text) {
    const { tokenizer, count } = this.#asked;
    try {
      const model = makeTokenization(text, await this.#client.tokenize({ text, tokenizer, special: false }, false));
      return judgeText(Array.from({ length: model.n }, (_, i) => writeToken(model, i)), count, this.#words);
    } catch {
      return null;
    }
  }
}
