/**
 * The input of a replay: which story is watched, its form, and a notice if its text is too long.
 */

import { button, element, fill, number } from "../../shared/dom/elements.js";
import { ApplyForm } from "./applyform.js";
import { LearnForm } from "./learnform.js";
import { bytesIn, firstBytes, mayUseBeginning, questionOf, sayBeginning, textInUse } from "./request.js";

/** @typedef {import("../state/choices.js").Story} Story */

/** @type {[Story, string, string][]} */
const STORIES = [
  ["apply", "Apply", ": how a tokenizer reads a text"],
  ["learn", "Learn", ": how its merges were found"],
];

export class Source {
  #state;
  #limits;
  #on;
  /** True to replay the beginning of a text of all pages that is too long as a whole. */
  #onlyBeginning = false;
  #stories = STORIES.map(([story, name, rest]) => {
    const input = element("input", { type: "radio", name: "story", value: story, change: () => this.#choose({ story }) });
    return { story, input, node: element("label", { class: "story" }, input, element("span", {}, name, element("span", { class: "rest" }, rest))) };
  });
  #apply;
  #learn;
  #limit = element("div", { class: "notice limit", role: "status" });

  /**
   * @param {{samples: any[], kinds: Record<string, string>, limits: {bytes: number, merges: number}}} data
   * @param {import("../state/state.js").PageState} state its story, order, training options and new word are changed here
   * @param {object} on
   * @param {(what: "text" | "options" | "story") => void} on.change
   * @param {(name: string) => void} on.sample
   * @param {(classic: import("./classics.js").Classic) => void} on.classic
   */
  constructor(data, state, on) {
    this.#state = state;
    this.#limits = data.limits;
    this.#on = on;
    this.#apply = this.#createApply(data);
    this.#learn = this.#createLearn();
    const watch = element(
      "div",
      { class: "row stories", role: "radiogroup", "aria-label": "What to watch" },
      ...this.#stories.map(({ node }) => node),
    );
    const top = element("div", { class: "row top" }, watch, this.#apply.examples, this.#learn.examples);
    this.node = element("div", { class: "source" }, top, this.#apply.node, this.#learn.node, this.#limit);
  }

  /** @param {{samples: any[], kinds: Record<string, string>}} samples */
  #createApply(samples) {
    const { choices, shared, memory } = this.#state;
    return new ApplyForm(samples, { order: choices.order, special: shared.special }, {
      text: (text) => this.useText(text),
      sample: (name) => this.#on.sample(name),
      tokenizer: (tokenizer) => this.#share({ tokenizer }),
      special: (special) => this.#share({ special }),
      order: (order) => this.#setOrder(order),
      relearn: () => this.#choose({ story: "learn" }),
      publish: () => this.#choose({ tried: null }),
      leave: () => memory.leave(),
    });
  }

  #createLearn() {
    return new LearnForm(this.#state.choices.learn, this.#limits.merges, {
      change: (isText) => this.#changeLearning(isText),
      classic: (classic) => this.#on.classic(classic),
    });
  }

  /** The request for the replay of the text in use; null if there is no text to send, or too much. */
  question() {
    const { choices, shared } = this.#state;
    return questionOf(choices, shared, { maxBytes: this.#limits.bytes, onlyBeginning: this.#onlyBeginning });
  }

  show() {
    const { choices } = this.#state;
    for (const { story, input } of this.#stories) input.checked = story === choices.story;
    this.#apply.node.hidden = choices.story !== "apply";
    this.#apply.examples.hidden = choices.story !== "apply" || choices.tried !== null;
    this.#learn.node.hidden = this.#learn.examples.hidden = choices.story !== "learn";
    this.#learn.show();
    this.#apply.show(choices);
    this.#showText();
  }

  /** Replay another text, and put it into the box in use. @param {string} text */
  useText(text) {
    const { story, tried } = this.#state.choices;
    this.#onlyBeginning = false;
    if (story === "learn") return this.#learn.useText(text);
    if (tried) this.#state.choose({ tried: { ...tried, word: text } });
    else this.#state.setText(text);
    this.#showText();
    this.#on.change("text");
  }

  /** Put the text of a link into the form that the link belongs to. @param {string} text */
  beginWith(text) {
    const { story, tried } = this.#state.choices;
    if (story === "learn" || tried) this.#learn.setText(text);
    else this.#state.setText(text);
  }

  /** Say how many merges were learned, if fewer than are asked for. @param {import("../model/replay.js").Replay} replay on screen */
  showLearned({ meta, steps }) {
    if (meta.story === "learn") this.#learn.showLearned(steps);
  }

  /** Name the sample that is shown. @param {string} name */
  showSample(name) {
    this.#apply.showSample(name);
  }

  /** Try the first learned merges on a new word. @param {number} merges */
  tryMerges(merges) {
    const word = this.#state.choices.tried?.word ?? "";
    this.#state.choose({ story: "apply", tried: { merges, word } });
    this.show();
    this.#apply.focus();
    this.#on.change("story");
  }

  /** @param {any[]} tokenizers */
  updateTokenizers(tokenizers) {
    this.#apply.updateTokenizers(tokenizers, this.#state.shared.tokenizer);
  }

  get picker() {
    return this.#apply.picker;
  }

  /** Apply a tokenizer, whatever is watched now. @param {string} tokenizer */
  useTokenizer(tokenizer) {
    this.#state.share({ tokenizer });
    this.#choose({ story: "apply", tried: null });
  }

  /** @param {Partial<import("../state/choices.js").Choices>} change of what is watched */
  #choose(change) {
    this.#state.choose(change);
    this.show();
    this.#on.change("story");
  }

  /** @param {{tokenizer?: string, special?: boolean}} change */
  #share(change) {
    this.#state.share(change);
    this.#on.change("options");
  }

  /** @param {"rank" | "pretoken"} order */
  #setOrder(order) {
    this.#state.choose({ order });
    this.#on.change("options");
  }

  /** @param {boolean} isText */
  #changeLearning(isText) {
    this.#showLimit();
    this.#on.change(isText ? "text" : "options");
  }

  #showText() {
    const { choices, shared } = this.#state;
    if (choices.story === "apply") this.#apply.showText(textInUse(choices, shared));
    this.#showLimit();
  }

  #showLimit() {
    const text = textInUse(this.#state.choices, this.#state.shared);
    const most = this.#limits.bytes;
    const size = bytesIn(text);
    if (!size) this.#learn.showLearned(null);
    if (size <= most) return fill(this.#limit);
    if (mayUseBeginning(this.#state.choices, this.#onlyBeginning)) return fill(this.#limit, sayBeginning(text, most));
    const notice = `This text has ${number(size)} bytes; a replay shows ${number(most)} at most.`;
    fill(this.#limit, element("span", {}, notice), button("use its beginning", () => this.#useBeginning()));
  }

  /** Use only the beginning of the text. A training text is cut; the text shared by all pages is kept whole. */
  #useBeginning() {
    const { story, learn } = this.#state.choices;
    if (story === "learn") this.#learn.setText(firstBytes(learn.text, this.#limits.bytes));
    else this.#onlyBeginning = true;
    this.show();
    this.#on.change("text");
  }
}
