/**
 * What to learn from: the reader's text, which can be edited at once, a sample, or files.
 */

import { button, element, fill, plural } from "../shared/dom/elements.js";
import { createTextBox } from "../shared/ui/textbox.js";
import { groupOf, groupsOf } from "../shared/ui/presets.js";
import { allOf, sampleTitle } from "./settings.js";

/** Bytes of files from which it is said how much fits. */
const LARGE = 5_000_000;

/** @typedef {import("./settings.js").Offers & {limits: {fits: string}, first: {name: string, text: string}}} Offers `first`: a sample whose text is known */

const MY_TEXT = "";
const FILES = "files";
const MAX_MB = 50;
/** Maximum bytes of a file that is read here, and so can be in a link; longer ones are only sent to train on. */
const MAX_READ = 100_000;
/** Maximum characters of a text that can be edited here. */
const MAX_EDITABLE = 1_000_000;

export class Source {
  #client;
  #offers;
  #recipe;
  #on;
  /** The reader's text. */
  #text;
  /** @type {File[]} */
  #files = [];
  /** Beginning of the first file. */
  #fileText = "";
  /** Sample that was loaded last, with its size. @type {{name: string, text: string, length: number, texts: number} | null} */
  #loaded = null;
  #box;
  #choice;
  #says = element("p", { class: "quiet says", role: "status" });
  /** What is wrong, in the place of what is said. */
  #problem = element("p", { class: "problem", role: "alert" });
  #input = element("input", { type: "file", multiple: true, hidden: true, "aria-label": "Text files to learn from", change: () => this.#chooseFiles() });
  /** A sample's text is selected at the first click into it, so that typing replaces it. */
  #isFresh = true;

  /**
   * @param {import("../shared/net/client.js").Client} client
   * @param {Offers} offers
   * @param {import("./settings.js").Recipe} recipe changed in place
   * @param {string} text the reader's
   * @param {object} on
   * @param {() => void} on.change what is learned from has changed
   * @param {(text: string) => void} on.text the reader's text has changed
   * @param {() => void} on.go Ctrl+Enter was pressed in the text
   */
  constructor(client, offers, recipe, text, on) {
    this.#client = client;
    this.#offers = offers;
    this.#recipe = recipe;
    this.#text = text;
    this.#on = on;
    this.#box = createTextBox(
      { "aria-label": "Text to learn from", placeholder: "Type or paste a text", rows: 8, focus: () => this.#selectSample(), keydown: (/** @type {KeyboardEvent} */ event) => isGo(event) && on.go() },
      (typed) => this.#typed(typed),
      MAX_EDITABLE,
    );
    this.#choice = element("select", { "aria-label": "Learn from", change: () => this.#choose(this.#choice.value) }, element("option", { value: MY_TEXT }, "My text"), element("option", { value: FILES }, "Files"), ...sampleOptions(offers));
    this.node = element(
      "section",
      { class: "part source", "aria-label": "Text" },
      element("div", { class: "row head" }, element("h2", { class: "unseen" }, "Text"), this.#choice, button("Files", () => this.#input.click(), { title: `Text files, up to ${MAX_MB} MB together` }), this.#input),
      this.#box.node,
      this.#box.note,
      element("div", { class: "about-text" }, this.#problem, this.#says),
    );
    for (const type of ["dragover", "drop"]) this.node.addEventListener(type, (/** @type {DragEvent} */ event) => this.#drop(event));
  }

  /** Show what is chosen, after a change from outside. */
  async show() {
    const { source, sample } = this.#recipe;
    this.#choice.value = source === "sample" ? sample : source === "files" ? FILES : MY_TEXT;
    if (source === "sample" && this.#loaded?.name !== sample) await this.#load(sample);
    if (sample !== this.#recipe.sample) return; // another was chosen meanwhile
    this.#box.show(this.#seen);
    this.#say();
  }

  /** Replace the reader's text. @param {string} text */
  useText(text) {
    this.#text = text;
    this.#recipe.source = "text";
    void this.show();
    this.#on.text(text);
    this.#on.change();
  }

  /** Say that it can't be learned from this, until it is changed. @param {string} sentence */
  showProblem(sentence) {
    fill(this.#problem, sentence);
    this.#says.hidden = sentence !== "";
  }

  /** The whole text that is learned from, if it is a single one that is known here: typed, or of a short file. */
  get text() {
    if (this.#recipe.source === "text") return this.#text;
    return this.#recipe.source === "files" && this.#files.length === 1 && this.size <= MAX_READ ? this.#fileText : null;
  }

  /** What is chosen, to be compared: two are equal if the same is learned from. */
  get identity() {
    const { source } = this.#recipe;
    return source === "text" ? this.#text : source === "files" ? `${this.#label()} ${this.size}` : "";
  }

  /** What is sent to train on, and its parameters. @returns {{query: Record<string, string>, body: string | Blob} | null} null if there is nothing */
  sent() {
    if (this.#recipe.source === "sample") return { query: {}, body: "" };
    if (this.#recipe.source === "text") return this.#text ? { query: { label: "my text" }, body: this.#text } : null;
    if (!this.#files.length) return null;
    const query = { label: this.#label(), names: this.#files.map(({ name }) => name).join("\n"), lengths: this.#files.map(({ size }) => size).join(",") };
    return { query, body: new Blob(this.#files) };
  }

  /** The beginning of the text to try a recipe on, and the length of the whole. @returns {{text: string, length: number}} */
  tried() {
    if (this.#recipe.source === "text") return { text: this.#text.slice(0, 20_000), length: this.#text.length };
    if (this.#recipe.source === "sample") return { text: "", length: 0 };
    return { text: this.#fileText, length: this.size };
  }

  /** The beginning of the text. */
  get beginning() {
    return this.#seen.slice(0, 2_000);
  }

  /** What the box shows: the reader's text, or the beginning of a sample or a file. */
  get #seen() {
    const { source } = this.#recipe;
    return source === "text" ? this.#text : source === "files" ? this.#fileText : (this.#loaded?.text ?? "");
  }

  /** Bytes, roughly. */
  get size() {
    if (this.#recipe.source === "text") return this.#text.length;
    if (this.#recipe.source === "sample") return this.#loaded?.length ?? 0;
    return this.#files.reduce((sum, { size }) => sum + size, 0);
  }

  /** @param {string} typed */
  #typed(typed) {
    this.#text = typed;
    if (this.#recipe.source !== "text") this.#choice.value = MY_TEXT;
    this.#recipe.source = "text";
    this.#say();
    this.#on.text(typed);
    this.#on.change();
  }

  #selectSample() {
    if (this.#recipe.source === "text" || !this.#isFresh) return;
    this.#isFresh = false;
    requestAnimationFrame(() => this.#recipe.source !== "text" && this.#box.node.select());
  }

  /** @param {string} chosen */
  #choose(chosen) {
    this.#recipe.source = chosen === MY_TEXT ? "text" : chosen === FILES ? "files" : "sample";
    if (this.#recipe.source === "sample") this.#recipe.sample = chosen;
    this.#isFresh = true;
    void this.show().then(() => this.#on.change());
  }

  /** @param {string} name */
  async #load(name) {
    const { name: given, text } = this.#offers.first;
    const loaded = name === given ? { text, length: text.length, texts: 1 } : await this.#client.json("train/sample", { name }).catch(() => null);
    if (this.#recipe.sample === name) this.#loaded = loaded && { name, ...loaded };
  }

  #chooseFiles() {
    void this.#useFiles(Array.from(this.#input.files ?? []));
    this.#input.value = "";
  }

  /** @param {DragEvent} event */
  #drop(event) {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.type === "drop") void this.#useFiles(Array.from(event.dataTransfer.files));
  }

  /** @param {File[]} files */
  async #useFiles(files) {
    if (!files.length) return;
    [this.#files, this.#fileText, this.#recipe.source] = [files, "", "files"]; // at once: Train may be pressed next
    const bytes = await files[0].slice(0, MAX_READ).arrayBuffer().catch(() => new ArrayBuffer(0));
    const read = await import("../shared/ui/reading.js").then(({ readBytes }) => readBytes(new Uint8Array(bytes))).catch(() => ({}));
    if (this.#files !== files) return;
    this.#fileText = "text" in read ? read.text : "";
    await this.show();
    this.#on.change();
  }

  #label() {
    const more = this.#files.length > 1 ? ` and ${this.#files.length - 1} more` : "";
    return this.#files.length ? `${this.#files[0].name}${more}` : "";
  }

  /** Say what of the text is seen, and how long the whole is. */
  #say() {
    const { source, sample } = this.#recipe;
    this.showProblem("");
    if (source === "text") return fill(this.#says, this.#text ? plural([...this.#text].length, "character") : "");
    if (source === "files") {
      const megabytes = (this.size / 1e6).toLocaleString("en-US", { maximumFractionDigits: this.size < 1e6 ? 3 : 1 });
      return fill(this.#says, this.#files.length ? `${this.#label()}: ${megabytes} MB. Files stay here only until you leave this page.${this.size > LARGE ? ` ${this.#offers.limits.fits}` : ""}` : "Choose text files, or drop them here.");
    }
    if (!this.#loaded) return fill(this.#says, "This text could not be loaded. Try again in a moment.");
    const { length, texts, text } = this.#loaded;
    const of = texts > 1 ? `${plural(length, "character")} in ${texts} texts` : plural(length, "character");
    const begins = length > text.length ? " You see the beginning." : "";
    fill(this.#says, `${sampleTitle(sample, this.#offers)}: ${of}.${begins} Type to use a text of your own.`);
  }
}

/** @param {KeyboardEvent} event */
const isGo = ({ key, ctrlKey, metaKey }) => key === "Enter" && (ctrlKey || metaKey);

/** Options of a menu for all samples that can be learned from. @param {import("./settings.js").Offers} offers */
export function sampleOptions({ samples, kinds, large }) {
  const whole = Object.entries(kinds).map(([kind, title]) => ({ name: allOf(kind), title }));
  return [groupOf("Large", large), groupOf("All of a kind", whole), ...groupsOf(samples, kinds)];
}
