/**
 * The input of a replay as a line of prose: who reads a text or learns from it, and the text; and a notice if the text is
 * too long.
 */

import { button, element, fill, number, plural } from "../../shared/dom/elements.js";
import { Picker } from "../../shared/ui/picker.js";
import { groupsOf } from "../../shared/ui/presets.js";
import { createTextBox } from "../../shared/ui/textbox.js";
import { canShow, FIRST_TEXT } from "../state/choices.js";
import { beginningOf } from "../model/names.js";
import { CLASSICS, firstOptions } from "./classics.js";
import { bytesIn, firstBytes, mayUseBeginning, questionOf, sayBeginning, textInUse } from "./request.js";
import { Settings } from "./settings.js";

/** @typedef {import("../state/choices.js").Story} Story */

/** What is done with a text. @type {Record<Story, string>} */
const VERBS = { apply: "reads", learn: "learns from" };
/** Names of the text box. @type {Record<Story, string>} */
const BOXES = { apply: "Your text", learn: "Text to learn from" };
/** Texts short enough to be fully visible. */
const SHORT = [FIRST_TEXT, "unbelievable", " unbelievable", "New York", "aaaaaaaa", "مرحبا", "東京"];
const SHORT_PREFIX = "short:";
/** Maximum text that can be edited here, in UTF-16 units; of a longer text only the beginning is shown. */
const MAX_EDITABLE = 120_000;
/** Characters of the training text by which the reader recognizes it. */
const MAX_QUOTED = 24;

export class Source {
  #state;
  #limits;
  #on;
  #offers;
  /** True once learning was watched. */
  #hasLearned = false;
  /** True to replay the beginning of a text of all pages that is too long as a whole. */
  #onlyBeginning = false;
  /** The tokenizer, unless one is being learned. */
  picker = new Picker((tokenizer) => this.#useOffered(tokenizer));
  /** Who reads or learns, where that is no tokenizer of the menu. */
  #subject = element("span", { class: "subject" });
  #verb = element(
    "select",
    { "aria-label": "What to watch", change: () => this.#watch() },
    ...Object.entries(VERBS).map(([value, verb]) => element("option", { value }, verb)),
  );
  /** The verb in print, which has no menus. */
  #printed = element("span", { class: "printed", "aria-hidden": "true" });
  #text = createTextBox(
    { placeholder: "Type or paste a text", rows: 1, autocorrect: "off" },
    (text) => this.useText(text),
    MAX_EDITABLE,
  );
  #keep = button("Keep this one", () => this.#on.keep(), { class: "button keep", hidden: true, title: "Compare these merges with those of what you type next" });
  #publish = button("Use a published tokenizer", () => this.#choose({ tried: null }), { hidden: true });
  /** The examples of both stories. */
  #examples = element("select", { "aria-label": "Examples", change: () => this.#useExample(this.#examples.value) });
  #about = element("p", { class: "quiet about-example" });
  #limit = element("div", { class: "notice limit", role: "status" });

  /**
   * @param {{samples: any[], kinds: Record<string, string>, limits: {bytes: number, merges: number}}} data
   * @param {import("../state/state.js").PageState} state its story, order, training options and new word are changed here
   * @param {object} on
   * @param {(what: "text" | "options" | "story") => void} on.change
   * @param {() => void} on.keep
   * @param {(name: string) => void} on.sample
   * @param {(classic: import("./classics.js").Classic) => void} on.classic
   */
  constructor({ samples, kinds, limits }, state, on) {
    this.#state = state;
    this.#limits = limits;
    this.#on = on;
    const short = SHORT.map((text) => ({ name: SHORT_PREFIX + text, title: text.replaceAll(" ", "·"), kind: "short" }));
    const classics = CLASSICS.map(({ title }, i) => ({ name: String(i), title, kind: "classic" }));
    this.#offers = {
      apply: groupsOf([...short, ...samples], { short: "A word or two", ...kinds }),
      learn: groupsOf(classics, { classic: "To learn from" }),
    };
    /** Belongs where the player's settings are. */
    this.settings = new Settings(state, limits.merges, () => this.#on.change("options"), this.picker.notes);
    const verb = element("span", { class: "verb" }, this.#verb, this.#printed);
    const prose = element("div", { class: "prose" }, this.picker.node, this.#subject, verb, this.#text.node, this.#examples, this.#keep, this.#publish, this.#about);
    this.node = element("div", { class: "source" }, prose, this.#text.note, this.#limit);
  }

  /** The request for the replay of the text in use; null if there is no text to send, or too much. */
  question() {
    const { choices, shared } = this.#state;
    return questionOf(choices, shared, { maxBytes: this.#limits.bytes, onlyBeginning: this.#onlyBeginning });
  }

  /** Show the story, its text and its settings. */
  show() {
    const { story, tried, learn } = this.#state.choices;
    const isPublished = story === "apply" && !tried;
    this.picker.node.hidden = !isPublished;
    this.#subject.hidden = isPublished;
    this.#keep.hidden = story !== "learn";
    this.#publish.hidden = !(tried && story === "apply");
    const merges = tried && plural(tried.merges, "merge");
    fill(this.#subject, story === "learn" ? "A tokenizer" : `A tokenizer with the first ${merges} of “${beginningOf(learn.text, MAX_QUOTED)}”`);
    this.#verb.value = story;
    fill(this.#printed, VERBS[story]);
    this.#text.node.setAttribute("aria-label", BOXES[story]);
    this.#showExamples(story);
    this.settings.show();
    this.#showText();
  }

  /** Replay another text, and put it into the box. @param {string} text @param {string} [example] its name, if it is one */
  useText(text, example = "") {
    const { story, tried } = this.#state.choices;
    this.#onlyBeginning = false;
    if (tried && story === "apply") this.#state.choose({ tried: { ...tried, word: text } });
    else this.beginWith(text);
    this.#showText();
    this.showSample(example);
    this.#on.change("text");
  }

  /** Take the text of a link: to learn from, or that of all pages. @param {string} text */
  beginWith(text) {
    const { story, tried, learn } = this.#state.choices;
    if (story === "learn" || tried) learn.text = text;
    else this.#state.setText(text);
  }

  /** Say how many merges were learned, if fewer than are asked for, and show how the text is cut. @param {import("../model/replay.js").Replay} replay on screen */
  showLearned(replay) {
    if (replay.meta.story !== "learn") return;
    this.settings.showLearned(replay.steps);
    this.settings.showCut(replay);
  }

  /** Name the example that is shown. @param {string} name "" if it is none */
  showSample(name) {
    this.#examples.value = name;
    fill(this.#about, this.#state.choices.story === "learn" && name ? CLASSICS[Number(name)].about : "");
  }

  /** Try the first learned merges on a word: the latest one, or the last of the text, which is there to be replaced. @param {number} merges */
  tryMerges(merges) {
    const { tried, learn } = this.#state.choices;
    const last = learn.text.trim().split(/\s+/).at(-1) ?? "";
    this.#choose({ story: "apply", tried: { merges, word: tried?.word || Array.from(last).slice(0, MAX_QUOTED).join("") } });
    this.#text.node.focus();
    this.#text.node.select();
  }

  /** Watch the other story, not played. What the reader wrote is learned from, unless there is another text by then. */
  #watch() {
    const story = /** @type {Story} */ (this.#verb.value);
    const { choices, shared } = this.#state;
    const isFresh = !this.#hasLearned && choices.learn.text === firstOptions().text;
    if (story === "learn" && isFresh && shared.text && shared.text !== FIRST_TEXT && bytesIn(shared.text) <= this.#limits.bytes) choices.learn.text = shared.text;
    this.#hasLearned ||= story === "learn";
    this.#choose({ story, predict: false });
  }

  /** @param {any[]} tokenizers */
  updateTokenizers(tokenizers) {
    this.picker.update(tokenizers.filter(canShow), this.#state.shared.tokenizer);
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

  /** @param {string} tokenizer */
  #useOffered(tokenizer) {
    this.#state.share({ tokenizer });
    this.#on.change("options");
  }

  /** @param {string} name */
  #useExample(name) {
    if (!name) return;
    const { story, learn } = this.#state.choices;
    if (story === "apply") return name.startsWith(SHORT_PREFIX) ? this.useText(name.slice(SHORT_PREFIX.length), name) : this.#on.sample(name);
    const { title: _, about: __, writing: ___, ...options } = CLASSICS[Number(name)];
    Object.assign(learn, options);
    this.show();
    this.showSample(name);
    this.#on.classic(CLASSICS[Number(name)]);
  }

  /** @param {Story} story */
  #showExamples(story) {
    const groups = this.#offers[story];
    if (groups[0].parentNode === this.#examples) return;
    fill(this.#examples, element("option", { value: "" }, "Texts"), ...groups);
    fill(this.#about);
  }

  #showText() {
    const text = textInUse(this.#state.choices, this.#state.shared);
    this.#text.show(text);
    const most = this.#limits.bytes;
    const size = bytesIn(text);
    if (!size) this.settings.showLearned(null);
    if (size <= most) return fill(this.#limit);
    if (mayUseBeginning(this.#state.choices, this.#onlyBeginning)) return fill(this.#limit, sayBeginning(text, most));
    const notice = `This text has ${number(size)} bytes; a replay shows ${number(most)} at most.`;
    fill(this.#limit, element("span", {}, notice), button("Use its beginning", () => this.#useBeginning()));
  }

  /** Use only the beginning of the text. A training text is cut; the text shared by all pages is kept whole. */
  #useBeginning() {
    const { story, learn } = this.#state.choices;
    if (story === "learn") learn.text = firstBytes(learn.text, this.#limits.bytes);
    else this.#onlyBeginning = true;
    this.show();
    this.#on.change("text");
  }
}
