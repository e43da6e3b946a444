/**
 * Three experiments on the reader's text: a space in front, capitals, another language. Each changes the text and
 * says, once the new text is tokenized, what became of its tokens.
 */

import { button, element, fill } from "../shared/dom/elements.js";
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

const FEW_WORDS =
  "Only a few words can be translated here, such as hello, cat, water or friend. Whole passages are among the examples.";
/** Translations of one of our passages, through which "another language" cycles. */
const PASSAGES = ["prose-hi", "prose-ru", "prose-ar", "prose-ja", "prose-de", "prose-es", "prose-en"];

/**
 * @typedef {object} Parts of the page that experiments need
 * @property {{data: {samples: {name: string, title: string}[]}}} shell
 * @property {Pick<import("../shared/ui/editor.js").Editor, "source" | "reading" | "selection" | "replace" | "select" | "undo">} editor
 * @property {Pick<import("../shared/page/pagetext.js").PageText, "sample" | "loadSample">} pageText
 * @property {Pick<import("./answers.js").Answers, "model" | "current">} answers
 */

/**
 * Create the buttons of the experiments, and the line that describes the effect of the last one.
 *
 * @param {Parts} parts
 */
export function createExperiments(parts) {
  const message = element("p", { class: "says", role: "status" });
  const undo = button("undo", () => experiments.undo(), { hidden: true });
  const outcome = element("div", { class: "row outcome", hidden: true }, message, undo);
  const experiments = new Experiments(parts, (sentence, undoable) => {
    fill(message, sentence);
    outcome.hidden = !sentence;
    undo.hidden = !undoable;
  });
  const node = element(
    "div",
    { class: "row tries", role: "group", "aria-label": "Things to try" },
    element("span", { class: "quiet" }, "Try:"),
    button("a space in front", () => experiments.addSpace()),
    button("capitals", () => experiments.capitalize()),
    button("another language", () => void experiments.translate()),
  );
  return { experiments, node, outcome };
}

export class Experiments {
  /** Describes the last change. @type {(() => void) | null} */
  #describe = null;
  #shell;
  #editor;
  #pageText;
  #answers;
  #say;

  /**
   * @param {Parts} parts
   * @param {(sentence: string, undoable: boolean) => void} say
   */
  constructor({ shell, editor, pageText, answers }, say) {
    this.#shell = shell;
    this.#editor = editor;
    this.#pageText = pageText;
    this.#answers = answers;
    this.#say = say;
  }

  addSpace() {
    this.#change(putSpaceInFront, () => this.#describeFirstSpace());
  }

  capitalize() {
    this.#change(useCapital, () => "No letter here has a capital form.");
  }

  async translate() {
    const place = PASSAGES.indexOf(this.#pageText.sample());
    if (place >= 0) return this.#loadPassage(PASSAGES[(place + 1) % PASSAGES.length]);
    this.#change(writeInAnotherLanguage, () => FEW_WORDS);
  }

  undo() {
    this.#editor.undo();
    this.#say("", false);
  }

  /** Withdraw what was said, for it was about other tokens. */
  tokensOutdated() {
    this.#say("", false);
    this.#describe = null;
  }

  /** Describe the last change, now that its text is tokenized. */
  tokensChanged() {
    this.#describe?.();
    this.#describe = null;
  }

  // Changes

  /**
   * @param {(text: string, selection: [number, number]) => Change | null} makeChange
   * @param {() => string} otherwise the message if there is nothing to change
   */
  #change(makeChange, otherwise) {
    if (!this.#editor.source()) this.#editor.replace(0, 0, "hello");
    const { text, toSource } = this.#editor.reading();
    const change = makeChange(text, this.#selection());
    if (!change) return this.#say(otherwise(), false);
    const before = this.#answers.current;
    this.#editor.replace(toSource(change.start), toSource(change.end), change.replacement);
    this.#editor.select(...afterwards(change), false);
    this.#describe = () => {
      const { model } = this.#answers;
      if (model) this.#say(sentenceOn(change, before, model), true);
    };
  }

  /** @param {string} name */
  async #loadPassage(name) {
    await this.#pageText.loadSample(name);
    if (this.#pageText.sample() !== name) return; // loading failed, which the page reports
    const { title } = this.#shell.data.samples.find((sample) => sample.name === name) ?? { title: "" };
    this.#say(`The same passage: ${title}.`, true);
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
