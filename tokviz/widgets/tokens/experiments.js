/**
 * Three experiments on the reader's text: a space in front, capitals, another language. Each is a switch that changes the
 * text and, once the new text is tokenized, says what became of its tokens; switched off, it takes that back.
 */

import { element, fill, toggle } from "../shared/dom/elements.js";
import { withSigns } from "../shared/text/invisibles.js";
import {
  afterwards,
  describeChange,
  describeSpace,
  describeWord,
  putSpaceInFront,
  tokensAround,
  tokensOf,
  useCapital,
  writeInAnotherLanguage,
} from "./textchanges.js";

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {import("./textchanges.js").Change} Change */
/** @typedef {"space" | "capitals" | "language"} Try */
/** @typedef {{name: Try, source: string, selection: [number, number], passage: string}} Made what a switch has changed: the source and its selection, or the passage, before that */

const FEW_WORDS =
  "Only a few words can be translated here, such as hello, cat, water or friend. Whole passages are among the examples.";
/** Translations of one of our passages, of which each is followed by another. */
const PASSAGES = ["prose-hi", "prose-ru", "prose-ar", "prose-ja", "prose-de", "prose-es", "prose-en"];
/** @type {[Try, label: string, title: string][]} */
const LABELS = [
  ["space", "A space", "Put a space in front of the first word, or of what is selected"],
  ["capitals", "Capitals", "Write the first word, or what is selected, with a capital"],
  ["language", "Translate", "Write a word that is known here, or the whole passage, in another language"],
];
/** @type {Record<Try, (text: string, selection: [number, number]) => Change | null>} */
const CHANGES = { space: putSpaceInFront, capitals: useCapital, language: writeInAnotherLanguage };

/**
 * @typedef {object} Parts of the page that experiments need
 * @property {{data: {samples: {name: string, title: string}[]}}} shell
 * @property {Pick<import("../shared/ui/editor.js").Editor, "source" | "reading" | "selection" | "replace" | "select">} editor
 * @property {Pick<import("../shared/page/pagetext.js").PageText, "sample" | "loadSample">} pageText
 * @property {Pick<import("./answers.js").Answers, "model" | "current">} answers
 */

/**
 * Create the switches of the experiments, and the line that describes the effect of the last one.
 *
 * @param {Parts} parts
 */
export function createExperiments(parts) {
  const outcome = element("p", { class: "outcome", role: "status", hidden: true });
  const switches = LABELS.map(([name, label, title]) => ({ name, ...toggle(label, false, () => void experiments.flip(name), title) }));
  const experiments = new Experiments(parts, {
    say(sentence) {
      fill(outcome, sentence);
      outcome.hidden = !sentence;
    },
    show: (made) => switches.forEach(({ name, input }) => (input.checked = made.includes(name))),
  });
  const node = element("div", { class: "row tries", role: "group", "aria-label": "Things to try" }, element("span", { class: "quiet" }, "Try"), ...switches.map(({ node }) => node));
  return { experiments, node, outcome };
}

export class Experiments {
  /** The changes that are switched on, in the order in which they were. @type {Made[]} */
  #made = [];
  /** The source with all that is switched on. */
  #source = "";
  #isChanging = false;
  /** Describes the last change. @type {(() => void) | null} */
  #describe = null;
  #shell;
  #editor;
  #pageText;
  #answers;
  #on;

  /**
   * @param {Parts} parts
   * @param {object} on
   * @param {(sentence: string) => void} on.say
   * @param {(made: Try[]) => void} on.show which are switched on
   */
  constructor({ shell, editor, pageText, answers }, on) {
    this.#shell = shell;
    this.#editor = editor;
    this.#pageText = pageText;
    this.#answers = answers;
    this.#on = on;
  }

  /** Switch one on or off, unless another one still waits for its passage. @param {Try} name */
  async flip(name) {
    if (this.#isChanging) return;
    const place = this.#made.findIndex((each) => each.name === name);
    this.#isChanging = true;
    try {
      if (place < 0) await this.#make(name);
      else await this.#takeBack(place);
    } finally {
      this.#isChanging = false;
      this.#on.show(this.#made.map((each) => each.name));
    }
  }

  /** Withdraw what was said, for it was about other tokens; of another text, nothing is switched on. */
  tokensOutdated() {
    this.#on.say("");
    if (this.#isChanging) return;
    this.#describe = null;
    if (this.#made.length && this.#editor.source() === this.#source) return;
    this.#made = [];
    this.#on.show([]);
  }

  /** Describe the last change, now that its text is tokenized. */
  tokensChanged() {
    this.#describe?.();
    this.#describe = null;
  }

  // Changes

  /** @param {Try} name */
  async #make(name) {
    if (!this.#editor.source()) this.#editor.replace(0, 0, "hello");
    const before = { name, source: this.#editor.source(), selection: this.#selection(), passage: this.#pageText.sample() };
    const passage = name === "language" ? PASSAGES.indexOf(before.passage) : -1;
    if (!(passage < 0 ? this.#change(name) : await this.#loadPassage(PASSAGES[(passage + 1) % PASSAGES.length]))) return;
    this.#made.push(before);
    this.#source = this.#editor.source();
  }

  /** Take back a change, and what was changed after it, which is made again. @param {number} place */
  async #takeBack(place) {
    const { name, source, selection, passage } = this.#made[place];
    if (name === "language" && PASSAGES.includes(passage)) {
      await this.#pageText.loadSample(passage);
      if (this.#pageText.sample() !== passage) return; // it can't be loaded, which the page reports
    } else {
      this.#restore(source);
      this.#editor.select(...selection, false);
    }
    const [, ...later] = this.#made.splice(place);
    this.#source = this.#editor.source();
    for (const { name } of later) await this.#make(name);
  }

  /** Replace what differs from a source. @param {string} source */
  #restore(source) {
    const now = this.#editor.source();
    const shorter = Math.min(now.length, source.length);
    let [head, tail] = [0, 0];
    while (head < shorter && now[head] === source[head]) head++;
    while (head + tail < shorter && now.at(-1 - tail) === source.at(-1 - tail)) tail++;
    this.#editor.replace(head, now.length - tail, source.slice(head, source.length - tail));
  }

  /** @param {Try} name @returns {boolean} whether there was something to change */
  #change(name) {
    const { text, toSource } = this.#editor.reading();
    const change = CHANGES[name](text, this.#selection());
    if (!change) {
      this.#on.say(this.#sayWhyNot(name));
      return false;
    }
    const before = this.#answers.current;
    this.#editor.replace(toSource(change.start), toSource(change.end), change.replacement);
    this.#editor.select(...afterwards(change), false);
    this.#describe = () => {
      const { model } = this.#answers;
      if (model) this.#on.say(sentenceOn(change, before, model));
    };
    return true;
  }

  /** @param {Try} name */
  #sayWhyNot(name) {
    if (name === "space") return this.#describeFirstSpace();
    return name === "capitals" ? "No letter here has a capital form." : FEW_WORDS;
  }

  /** @param {string} name @returns {Promise<boolean>} false if it can't be loaded, which the page reports */
  async #loadPassage(name) {
    await this.#pageText.loadSample(name);
    if (this.#pageText.sample() !== name) return false;
    const { title } = this.#shell.data.samples.find((sample) => sample.name === name) ?? { title: "" };
    this.#describe = () => this.#on.say(`The same passage: ${title}.`);
    return true;
  }

  /** The editor's selection as a range of the text. @returns {[number, number]} */
  #selection() {
    const { toText } = this.#editor.reading();
    const [start, end] = this.#editor.selection();
    return [toText(start), toText(end)];
  }

  /** Describe the selection that already starts with a space. */
  #describeFirstSpace() {
    const model = this.#answers.current;
    if (!model) return "";
    const { text, ids } = tokensOf(model, this.#selection());
    return describeSpace(withSigns(text), ids);
  }
}

/** @param {Change} change @param {Model | null} before null if the text was not tokenized yet @param {Model} after */
function sentenceOn(change, before, after) {
  if (before) {
    const tokens = tokensAround(before, after, change);
    return describeChange(withSigns(tokens.text), tokens.before, tokens.after, change.how);
  }
  const { text, ids } = tokensOf(after, [change.word[0], afterwards(change)[1]]);
  return describeWord(withSigns(text), ids);
}
