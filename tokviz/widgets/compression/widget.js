/**
 * The Compression page: questions about a text and tokenizers, of which the chosen one is answered in a line and with charts.
 *
 * Data flows one way: the editor's text and the choices make a question, and the server's answer is shown.
 */

import { debounce, element, fill, plural, toggle } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";
import { Latest } from "../shared/net/latest.js";
import { readSample } from "../shared/net/links.js";
import { ownOf, withNewest } from "../shared/net/madetokenizers.js";
import { Adding } from "../shared/page/adding.js";
import { createMemory, recall } from "../shared/page/memory.js";
import { PageText } from "../shared/page/pagetext.js";
import { fitToPaper, loadPlotly } from "./plotly.js";
import { screenScale, takeKeys } from "../shared/page/presenter.js";
import { PageShell } from "../shared/page/shell.js";
import { door, waysOn } from "../shared/ui/doors.js";
import { Editor } from "../shared/ui/editor.js";
import { createTokenizerList } from "../shared/ui/tokenizerlist.js";
import { createQuestions } from "./controls.js";
import { askedOf, choicesOf, linkContent, queryOf, sayMissing, shortLabel } from "./link.js";
import { Section } from "./section.js";

/** Pause in typing after which the text is asked about. */
const PAUSE_MS = 200;
/** Characters of the text that are printed. */
const ON_PAPER = 200;
/** Time for an answer, since charts take longer than tokens. */
const PATIENCE_MS = 4000;
/** The question that can be asked about other texts than the page's. */
const LANGUAGES = "Languages";
/** The section with the curve of tokens against merges. */
const CURVES = "merges";
/** Charts that share a screen while they are presented. */
const PAIRS = [["lengths", "ranks"], ["code", "digits"]];
/** The tokenizer that learns from each text anew. */
const WORDS = "words";

/** @typedef {{text: string, query: Record<string, any>}} Asked */

/**
 * @typedef {object} Answer
 * @property {string} line the answer in a line
 * @property {string[]} notes on the tokenizers that are left out, and on unknown tokens
 * @property {string} hint what is missing, or wrong; ""
 * @property {Record<string, string>} colors of the tokenizers in the charts, by name
 * @property {import("./section.js").SectionData[]} sections
 */

/**
 * @param {HTMLElement} root
 * @param {any} data `base`, `tokenizers`, `kinds`, `presenting`: as for all pages; `start`, `given`,
 *   `samples`: see `PageText`; `questions`: with their titles, in their order, and whether they are about the text
 * @param {import("../shared/page/shell.js").Host} host
 */
export const mount = (root, data, host) => new CompressionPage(new PageShell(root, data, { name: "compression", late: "the charts", host }));

class CompressionPage {
  #shell;
  #settings;
  #missing;
  #editor;
  #memory;
  #text;
  #questions;
  #adding;
  #tokenizers;
  #answering;
  /** Texts of the reader's own, which are compared instead of the passages, after the names of their files, in the order of opening. @type {[name: string, text: string][]} */
  #ownTexts = [];
  #isAsked = false;
  /** Size of a presented screen in % of the smallest; 0 without one. */
  #scale = 0;
  /** @type {Map<string, Section>} */
  #sections = new Map();
  /** Colors of the tokenizers in the charts, by name. @type {Record<string, string>} */
  #colors = {};
  /** The slider beneath the curve, and its place on it. @type {{handle: import("./mergehandle.js").MergeHandle, place: import("./curveplace.js").CurvePlace} | null} */
  #merges = null;
  #later = debounce(() => void this.#ask(), PAUSE_MS);
  #says = element("span", { class: "quiet says" });
  /** How long the text is, of which a line is seen. */
  #size = element("span", { class: "quiet size", "aria-hidden": "true" });
  /** The text on paper. */
  #paper = element("p", { class: "paper" });
  #warning = element("p", { class: "problem", role: "alert" });
  #around = element("p", { class: "quiet" });
  #notes = element("div", { class: "quiet notes" });
  #hint = element("p", { class: "problem", role: "status" });
  /** The text, unless the question is about others. */
  #asked = element("div", { class: "text" });
  /** What the answer says in a line, on a way on. */
  #teasers = { compare: element("span"), course: element("span") };
  #own;
  #answer;

  /** @param {PageShell} shell */
  constructor(shell) {
    const { client, data, link, store } = shell;
    this.#shell = shell;
    const stored = store.read();
    const { choices, missing } = choicesOf({ search: location.search, fields: link }, stored?.compression, { ...data, tokenizers: this.#offers });
    const settings = recall(stored, this.#offers);
    this.#settings = { ...settings, compression: withNewest({ ...choices, newest: stored?.compression?.newest }, settings.tokenizer, this.#offers, link !== null || new URLSearchParams(location.search).has("tokenizers")) };
    this.#missing = missing;
    this.#editor = new Editor(
      { change: () => this.#changed(), tooLong: () => this.#text.tooLong() },
      { label: "Text", partHint: "" },
    );
    this.#memory = shell.ownMemory(createMemory(this.#settings, store));
    this.#text = new PageText(shell, this.#settings, { editor: this.#editor, memory: this.#memory }, { ask: () => this.#textShown() });
    this.#adding = this.#createAdding();
    this.#tokenizers = this.#createTokenizers();
    this.#questions = createQuestions(data.questions, choices.question, (question) => this.#choose({ question }));
    const connection = shell.showConnection;
    this.#answering = shell.own(new Latest(
      (/** @type {Asked} */ { text, query }, signal) => client.json("compression", query, text, signal),
      { refusal: (message) => this.#refuse(message), connection },
      PATIENCE_MS,
    ));
    this.#own = this.#createOwn();
    this.#answer = element("div", { class: "answers", "aria-busy": "true" }, this.#notes, this.#hint, this.#own);
    shell.listen(window, "beforeprint", () => fitToPaper(shell.node));
    this.#build();
    this.update(data);
    void this.#begin();
  }

  /** @param {any} newer */
  update(newer) {
    this.#shell.data = newer;
    this.#showChoices();
  }

  dispose() {
    this.#later.cancel();
    this.#dropHandle();
    for (const section of this.#sections.values()) section.dispose();
    this.#shell.dispose();
  }

  /** The tokenizers that can be chosen. @returns {import("./link.js").PageOffer[]} */
  get #offers() {
    return this.#shell.data.tokenizers.filter((/** @type {{name: string}} */ { name }) => name !== WORDS);
  }

  get #choices() {
    return this.#settings.compression;
  }

  #createAdding() {
    return new Adding(this.#shell, {
      offered: () => this.#showChoices(),
      choose: (name) => this.#choose({ tokenizers: [...this.#choices.tokenizers, name] }),
    });
  }

  /** The tokenizers as words, each in its color in the charts. */
  #createTokenizers() {
    const connect = this.#adding.connect.bind(this.#adding);
    /** @param {{offer: import("./link.js").PageOffer}} one */
    const draw = ({ offer }) => {
      const word = element("b", { "data-name": offer.name }, shortLabel(offer));
      this.#color([word]);
      return [word];
    };
    return createTokenizerList({ draw, nameOf: shortLabel, connect, choose: (tokenizers) => this.#choose({ tokenizers }) });
  }

  /** @param {Iterable<HTMLElement>} words */
  #color(words) {
    for (const word of words) word.style.setProperty("--own", this.#colors[word.dataset.name ?? ""] ?? "");
  }

  #createOwn() {
    const files = element("input", { type: "file", multiple: true, accept: ".txt,text/plain", "aria-label": "Text files", change: () => void this.#readFiles(files.files) });
    const says = "Text files in UTF-8. Line n must mean the same in each. The others are compared with the first.";
    const beside = toggle("Beside the passages (a translation of their six lines)", false, (isOn) => this.#set("beside", isOn));
    return element("details", { class: "own" }, element("summary", {}, "Compare texts of your own"), element("p", { class: "quiet" }, says), files, beside.node);
  }

  #build() {
    const shell = this.#shell;
    const share = shell.addShare(() => linkContent(this.#choices, this.#offers, this.#sampleInLink(), this.#editor.reading().text), () => this.#picture());
    const opening = shell.addOpening({ use: (text) => this.#text.replace(text), useTokenizer: (...opened) => void this.#adding.open(...opened) });
    shell.addAsking("compression", () => askedOf(this.#choices, this.#isOfText ? this.#editor.reading().text : null));
    const present = shell.addPresenter(shell.node, (isPresented) => this.#present(isPresented), shell.createPreparing("Question, tokenizers"));
    const { node: editing, box } = this.#editor;
    editing.tabIndex = -1; // pressing one of its buttons keeps the focus in it where buttons don't get the focus
    box.addEventListener("blur", () => (box.scrollTop = 0)); // its first line is in sight
    this.#asked.append(this.#text.presets, editing, element("div", { class: "row" }, this.#says, this.#size), this.#text.escapes, this.#paper);
    shell.node.append(
      element("div", { class: "row tools" }, opening, share, present),
      element("div", { class: "controls", role: "group", "aria-label": "Tokenizers" }, ...this.#tokenizers.nodes),
      ...[this.#text.note, this.#around, this.#warning],
      element("div", { class: "asked" }, element("div", { class: "asking" }, this.#questions.node, this.#asked), this.#answer),
      waysOn(door("compare", this.#teasers.compare), door("course#chapter=trouble", this.#teasers.course)),
    );
  }

  async #begin() {
    const { link, data } = this.#shell;
    fill(this.#warning, sayMissing(this.#missing));
    void loadPlotly(data.base).catch(() => {}); // meanwhile; `Drawing` says what went wrong
    const understood = link && readSample(link, data.samples);
    await this.#text.begin(understood);
    if (this.#shell.isDisposed) return;
    // The link is no longer in the address, so that a reload needs what it brought.
    if (understood?.sample && this.#text.sample() === understood.sample) this.#text.remember();
    this.#keepInAddress();
    if (!this.#isAsked) await this.#ask(); // the example of a link was not found
  }

  // What is asked

  #changed() {
    this.#shell.report("");
    this.#text.remember();
    this.#sayText();
    this.#later.later();
  }

  /** A whole text was loaded. */
  #textShown() {
    this.#sayText();
    void this.#ask();
  }

  /** @param {Partial<import("./link.js").Choices>} change */
  #choose(change) {
    Object.assign(this.#choices, change);
    if (change.tokenizers) fill(this.#warning);
    this.#memory.save();
    this.#showChoices();
    this.#keepInAddress();
    void this.#ask();
  }

  /** @param {string} name @param {any} value */
  #set(name, value) {
    this.#choose({ options: { ...this.#choices.options, [name]: value } });
  }

  /** @param {FileList} files */
  async #readFiles(files) {
    try {
      const { readUtf8 } = await import("../shared/ui/reading.js");
      this.#ownTexts = await Promise.all(Array.from(files, async (file) => [file.name, await readUtf8(file)]));
      await this.#ask();
    } catch (error) {
      fill(this.#hint, sentenceOf(error));
    }
  }

  /** @returns {Asked} */
  #question() {
    const { question, tokenizers, options } = this.#choices;
    const hasTexts = question === LANGUAGES && this.#ownTexts.length > 0;
    const query = { question, tokenizers, settings: JSON.stringify(options), scale: this.#scale, texts: hasTexts };
    return { text: hasTexts ? JSON.stringify({ texts: this.#ownTexts }) : this.#editor.reading().text, query };
  }

  async #ask() {
    this.#later.cancel();
    this.#isAsked = true;
    this.#answer.ariaBusy = "true";
    const answer = await this.#answering.ask(this.#question());
    if (!answer || this.#shell.isDisposed) return;
    if (this.#shell.isStale) this.#shell.accept();
    this.#show(answer);
    this.#answer.ariaBusy = "false";
  }

  /** @param {string} message */
  #refuse(message) {
    this.#shell.refuse(message);
    this.#answer.ariaBusy = "false";
  }

  // What is shown

  #showChoices() {
    const { tokenizers } = this.#choices;
    this.#tokenizers.update(this.#offers, tokenizers);
    const surrounded = ownOf(tokenizers, this.#offers).filter(hasSurrounding).map(({ label }) => label);
    const note = `A model also gets special tokens around a text with these tokenizers: ${surrounded.join(", ")}. They are not counted here.`;
    fill(this.#around, surrounded.length > 0 && note);
    this.#own.hidden = this.#choices.question !== LANGUAGES;
    this.#asked.hidden = !this.#isOfText;
  }

  /** True if the question is about the text. */
  get #isOfText() {
    return this.#shell.data.questions.every((/** @type {{name: string, isOfText: boolean}} */ { name, isOfText }) => name !== this.#choices.question || isOfText);
  }

  /** @param {Answer} answer */
  #show({ line, notes, hint, colors, sections }) {
    this.#questions.say(line);
    fill(this.#teasers.course, `${line} Read on`);
    fill(this.#teasers.compare, `${plural(Object.keys(colors).length, "tokenizer")}, one text: where do they differ, and why?`);
    this.#shell.showTitle(this.#questions.chosen);
    this.#colors = colors;
    this.#color(this.#tokenizers.nodes[0].querySelectorAll("b"));
    fill(this.#notes, ...notes.map((note) => element("p", {}, note)));
    fill(this.#hint, hint);
    for (const [name, section] of this.#sections) {
      if (sections.some((data) => data.name === name)) continue;
      if (name === CURVES) this.#dropHandle();
      section.dispose();
      this.#sections.delete(name);
    }
    const drawn = sections.filter(({ figure }) => figure).map(({ name }) => name);
    const pairs = PAIRS.filter((pair) => pair.every((name) => drawn.includes(name)));
    for (const data of sections) {
      const section = this.#sections.get(data.name) ?? this.#addSection(data.name);
      section.show(data);
      section.node.classList.toggle("repeats", data.title === this.#questions.chosen);
      section.node.classList.toggle("half", pairs.flat().includes(data.name));
    }
    this.#showHandle();
  }

  #showHandle() {
    this.#merges?.handle.show(this.#editor.reading().text, this.#offers.filter(({ name }) => name in this.#colors), this.#colors);
  }

  /** Make the curve a handle, whose modules no other question needs. @param {Section} section */
  async #addHandle(section) {
    const { client, data } = this.#shell;
    const [{ MergeHandle }, { CurvePlace }] = await Promise.all([import("./mergehandle.js"), import("./curveplace.js")]);
    if (this.#sections.get(CURVES) !== section || this.#shell.isDisposed) return;
    const handle = new MergeHandle(client, data.limits.bytes, this.#choices, {
      chosen: () => this.#memory.save(),
      place: (at) => {
        place.show(at);
        section.node.classList.toggle("moves", at !== null);
      },
    });
    const place = new CurvePlace(section.chart, { seek: (merges) => handle.seek(merges), drawn: (axis) => handle.align(axis) });
    section.chart.after(handle.node);
    this.#merges = { handle, place };
    this.#showHandle();
  }

  #dropHandle() {
    for (const part of Object.values(this.#merges ?? {})) part.dispose();
    this.#merges = null;
  }

  /** @param {string} name */
  #addSection(name) {
    const { client, data } = this.#shell;
    const section = new Section(data.base, {
      set: (setting, value) => this.#set(setting, value),
      file: (file, isPicture) => {
        const { text, query } = this.#question();
        return client.blob("compression/file", { ...query, section: file, picture: isPicture }, text);
      },
      drawn: () => name === CURVES && this.#merges?.place.draw(),
    });
    this.#sections.set(name, section);
    if (name === CURVES) void this.#addHandle(section);
    this.#own.before(section.node);
    return section;
  }

  /** Say what the text is. */
  #sayText() {
    const { text } = this.#editor.reading();
    const size = plural(countCodePoints(text), "code point");
    fill(this.#says, this.#text.sample() ? "an example: change it, or paste your own" : text && size);
    fill(this.#size, text && plural(new TextEncoder().encode(text).length, "byte"));
    const beginning = text.length > ON_PAPER ? `${text.slice(0, ON_PAPER).toWellFormed()}…` : text;
    fill(this.#paper, text && `The text, ${size}: “${beginning}”`);
  }

  /** @param {boolean} isPresented */
  #present(isPresented) {
    const scale = isPresented ? Math.round(100 * screenScale()) : 0;
    if (isPresented) takeKeys();
    if (isPresented && !this.#scale) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
    if (scale === this.#scale) return;
    this.#scale = scale;
    if (this.#isAsked) void this.#ask();
  }

  /** The first chart as a picture. */
  #picture() {
    return Array.from(this.#sections.values(), ({ picture }) => picture).find((picture) => picture) ?? null;
  }

  #sampleInLink() {
    const sample = this.#text.sample();
    return sample === this.#shell.data.start ? "" : sample;
  }

  #keepInAddress() {
    const query = queryOf(location.search, this.#choices, this.#offers);
    if (query !== location.search) history.replaceState(history.state, "", `${location.pathname}${query}${location.hash}`);
  }
}

/** Whether a tokenizer's file puts special tokens around a text. @param {any} offer */
const hasSurrounding = ({ before, after }) => before.texts.length + after.texts.length > 0;

/** @param {string} text well-formed, and perhaps long @returns {number} */
const countCodePoints = (text) => text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);
