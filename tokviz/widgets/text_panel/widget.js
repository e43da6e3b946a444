/**
 * The text of all pages, on a page whose other parts are drawn by the session: the editor, with its examples, files,
 * Share and Present.
 *
 * The session needs the text to draw anything, so it gets what the tab remembers or a link brings at once, and what is
 * typed at pauses.
 */

import { element, fill, plural } from "../shared/dom/elements.js";
import { Latest } from "../shared/net/latest.js";
import { chosenIn } from "../shared/net/recipes.js";
import { createMemory, recall } from "../shared/page/memory.js";
import { PageText } from "../shared/page/pagetext.js";
import { fitCharts } from "../shared/page/paper.js";
import { screenScale, takeKeys } from "../shared/page/presenter.js";
import { PageShell } from "../shared/page/shell.js";
import { Editor } from "../shared/ui/editor.js";
import { linkContent } from "./link.js";

/** Characters of the text that are printed. */
const ON_PAPER = 200;

/**
 * @typedef {object} Callbacks
 * @property {(text: string) => boolean | void} text returns false if nothing was sent
 * @property {(view: {presenting: number}) => void} state the scale of a presented screen; 0 without one
 * @property {(names: string[]) => void} chosen a link chooses these tokenizers
 */

/**
 * @param {HTMLElement} root
 * @param {any} data `base`, `state`, `tokenizers`, `samples`, `kinds`, `presenting`: as for all pages; `isNew`: whether
 *   the session has no text; `start`: the name of the example that it begins with; `given`: that example; `sample`: the
 *   name of the example that the session's text is, or ""; `chosen`: the names of the page's tokenizers;
 *   `presentedScale`: as last sent to the session
 * @param {Callbacks} on
 */
export function mount(root, data, on) {
  const panel = new TextPanel(new PageShell(root, data, { name: "text-panel", late: "the charts" }), on);
  return {
    /** @param {any} newer */
    update: (newer) => panel.update(newer),
    dispose: () => panel.dispose(),
  };
}

class TextPanel {
  #shell;
  #on;
  #settings;
  #editor;
  #memory;
  #text;
  #connection;
  #presented;
  #says = element("span", { class: "quiet says" });
  /** The text on paper. */
  #paper = element("p", { class: "paper" });

  /** @param {PageShell} shell @param {Callbacks} on */
  constructor(shell, on) {
    const { client, data, store } = shell;
    this.#shell = shell;
    this.#on = on;
    this.#presented = data.presentedScale;
    this.#settings = recall(data.state, store.read(), data.tokenizers.map((/** @type {any} */ { name }) => name));
    this.#editor = new Editor(
      { change: () => this.#changed(), caret: () => {}, leave: () => this.#memory.leave(), tooLong: () => this.#text.tooLong() },
      { label: "Text", partHint: "" },
    );
    // Only the session answers what is typed here, so the server is asked whether it is still there.
    this.#connection = shell.own(new Latest(() => client.address(), { refusal: () => {}, connection: shell.showConnection }));
    this.#memory = shell.ownMemory(createMemory(this.#settings, () => this.#editor.reading().text, store, this.#session()));
    this.#text = this.#createText();
    shell.own(fitCharts());
    this.#build();
    void this.#begin();
  }

  /** @param {any} newer */
  update(newer) {
    const { isNew } = this.#shell.data;
    this.#shell.data = newer;
    if (newer.isNew && !isNew) this.#sendAgain();
  }

  dispose() {
    this.#shell.dispose();
  }

  #createText() {
    /** @type {PageText} */
    const text = new PageText(this.#shell, this.#settings, { editor: this.#editor, memory: this.#memory }, {
      ask: () => this.#say(),
      escaped: () => void (text.escapes.hidden = false),
    });
    text.escapes.hidden = !this.#settings.escapes;
    return text;
  }

  #build() {
    const shell = this.#shell;
    const share = shell.addShare(() => this.#linkContent());
    const opening = shell.addOpening({ use: (text) => this.#text.replace(text, "") });
    const present = shell.addPresenter(shell.node, (isPresented) => this.#present(isPresented));
    shell.node.append(
      element("div", { class: "row top" }, element("h2", {}, "Text"), this.#says, this.#text.presets, this.#text.escapes),
      element("div", { class: "row tools" }, opening, share, present),
      ...[this.#text.note, shell.connection, shell.problem, this.#editor.node, this.#paper],
    );
  }

  async #begin() {
    const { link, data } = this.#shell;
    const chosen = link && chosenIn(link);
    if (chosen) this.#on.chosen(chosen);
    const understood = link && exampleOf(link, data.samples);
    await this.#text.begin(understood);
    if (this.#shell.isDisposed) return;
    // Other pages don't keep an example that a link brings; the session has to draw it.
    if (understood?.sample && this.#text.sample() === understood.sample) this.#text.remember();
    this.#memory.leave();
    this.#say();
  }

  /** Send the text to a session that has lost it. */
  #sendAgain() {
    if (this.#settings.source === null) return;
    this.#memory.textChanged();
    this.#memory.leave();
  }

  /** What the session is told. */
  #session() {
    return {
      text: (/** @type {string} */ text) => {
        void this.#connection.ask({ text: "" });
        return this.#on.text(text);
      },
      state: () => {}, // this page has no settings of the view
    };
  }

  #changed() {
    this.#text.remember();
    this.#say();
  }

  /** Say what the text is. */
  #say() {
    const { text } = this.#editor.reading();
    const size = plural(countCodePoints(text), "code point");
    fill(this.#says, this.#text.sample() ? "an example: change it, or paste your own" : text && size);
    const beginning = text.length > ON_PAPER ? `${text.slice(0, ON_PAPER).toWellFormed()}…` : text;
    fill(this.#paper, text && `The text, ${size}: “${beginning}”`);
  }

  /** @param {boolean} isPresented */
  #present(isPresented) {
    const scale = isPresented ? Number(screenScale().toFixed(2)) : 0;
    if (isPresented) takeKeys();
    if (isPresented && !this.#presented) document.querySelector('[data-testid="stMain"]')?.scrollTo(0, 0);
    if (scale === this.#presented) return;
    this.#presented = scale;
    this.#on.state({ presenting: scale });
  }

  #linkContent() {
    const { data } = this.#shell;
    const sample = this.#text.sample();
    return linkContent(data, sample === data.start ? "" : sample, this.#editor.reading().text);
  }
}

/** @param {string} text well-formed, and perhaps long @returns {number} */
const countCodePoints = (text) => text.length - (text.match(/[\ud800-\udbff]/g)?.length ?? 0);

/** @param {Record<string, string>} link @param {{name: string}[]} samples */
function exampleOf({ sample = "" }, samples) {
  if (!sample || samples.some(({ name }) => name === sample)) return { sample, note: "" };
  return { sample: "", note: "This link is for an example that is not here." };
}
