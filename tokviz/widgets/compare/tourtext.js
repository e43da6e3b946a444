/**
 * What the guided tour does to the page: its own text is on screen meanwhile, and the reader's text comes back.
 */

export class TourText {
  #shell;
  #inputs;
  #panes;
  /**
   * The reader's text, which the tour's text replaces.
   *
   * @type {{text: string, source: string, escapes: boolean, lang: string} | null}
   */
  #replaced = null;

  /**
   * @param {Pick<import("../shared/page/shell.js").PageShell, "data" | "isDisposed" | "node">} shell
   * @param {Pick<import("./inputs.js").Inputs, "editor" | "pageText" | "settings">} inputs
   * @param {Element} panes the text's views and the tour's explanations
   */
  constructor(shell, inputs, panes) {
    this.#shell = shell;
    this.#inputs = inputs;
    this.#panes = panes;
  }

  /**
   * The reader's own text while the tour's replaces it; null once they edit the tour's text, which then becomes theirs.
   */
  get readerText() {
    return this.#isTourText() ? this.#replaced : null;
  }

  /** Show the opening text, and keep the reader's own. Resolves to false if the opening text could not be loaded. */
  async prepare() {
    if (this.#isTourText()) return true;
    const { editor, pageText, settings } = this.#inputs;
    const text = { text: editor.reading().text, source: editor.source(), escapes: editor.escapes(), lang: settings.lang };
    this.#replaced = text;
    await pageText.loadSample(this.#shell.data.start);
    if (this.#shell.isDisposed) return false;
    if (!this.#isTourText()) this.#replaced = null;
    return this.#replaced !== null;
  }

  /** Scroll so that the text and its explanation are at the same position on screen at every stop. */
  arrive() {
    this.#shell.node.classList.add("touring");
    this.#panes.scrollIntoView();
  }

  /** Restore the reader's own text. */
  end() {
    this.#shell.node.classList.remove("touring");
    const text = this.readerText;
    if (text) this.#inputs.pageText.replace(text.text, text.lang);
    this.#replaced = null;
  }

  #isTourText() {
    return this.#inputs.pageText.sample() === this.#shell.data.start;
  }
}
