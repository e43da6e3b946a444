/**
 * The text of a page with an editor: load it from the tab's memory, a link, an example or a file, and remember it.
 */

import { element, fill, toggle } from "../dom/elements.js";
import { readText } from "../net/links.js";
import { sourceOf } from "../text/escapes.js";
import { MAX_FILE } from "../ui/files.js";
import { createPresets } from "../ui/presets.js";

export class PageText {
  #shell;
  #settings;
  #editor;
  #memory;
  #on;
  #presets;
  #escapes;
  /** The last loaded sample, and its source in the editor. */
  #sample = { name: "", source: "" };
  /** The name of the last requested sample. */
  #requested = "";

  /**
   * @param {import("./shell.js").PageShell} shell of its data, `start` names the example that the page begins with;
   *   `given` is an example that no request is needed for
   * @param {ReturnType<typeof import("./memory.js").recall>} settings modified in place
   * @param {object} parts
   * @param {import("../ui/editor.js").Editor} parts.editor its changes are to be passed to `remember`, and `tooLong` is to be called
   * @param {ReturnType<typeof import("./memory.js").createMemory>} parts.memory
   * @param {object} on
   * @param {() => void} on.ask a text was loaded, so its tokens are needed
   * @param {() => void} [on.replaced] the whole text was replaced
   * @param {(name: string) => void} [on.sample] the menu shows this example as the text, or "" for any other text
   */
  constructor(shell, settings, { editor, memory }, on) {
    this.#shell = shell;
    this.#settings = settings;
    this.#editor = editor;
    this.#memory = memory;
    this.#on = on;
    this.#presets = createPresets(shell.data.samples, shell.data.kinds, (name) => void this.loadSample(name));
    this.#escapes = toggle(
      "Read \\n as a line break",
      settings.escapes,
      (escapes) => editor.setEscapes(escapes),
      "Read \\n, \\t, \\u00e9, \\x41 and \\u{1f355} as the characters they stand for",
    );
    /** The menu of examples. */
    this.presets = this.#presets.node;
    /** The switch for reading escapes, hidden until a text is written with them: one with carriage returns turns it on. */
    this.escapes = this.#escapes.node;
    this.escapes.hidden = !settings.escapes;
    /** Message about the opened link. */
    this.note = element("p", { class: "problem", role: "alert" });
  }

  // Initial text

  /**
   * Load the initial text: from the page's link, from memory, or the page's default example.
   *
   * @param {{sample: string, note: string} | null} understood what the page understood of the link
   */
  async begin(understood) {
    const { data, link } = this.#shell;
    if (link && understood) return this.#openLink(link, understood);
    if (!this.#isRemembered()) return this.#loadFirst(data.start);
    this.#restore();
  }

  #isRemembered() {
    return this.#settings.source !== null;
  }

  #restore() {
    this.#editor.begin(this.#settings.source ?? "", this.#settings.escapes);
    this.#editor.setLanguage(this.#settings.lang);
    if (this.#settings.sample) this.#recordSample(this.#settings.sample, this.#editor.reading().text);
    this.#on.ask();
  }

  /**
   * Open a link, and remove it from the address, so that a reload does not open it again.
   *
   * @param {Record<string, string>} link
   * @param {{sample: string, note: string}} understood
   */
  async #openLink(link, { sample, note }) {
    fill(this.note, note);
    const text = await readText(link).catch((error) => void fill(this.note, error.message));
    if (this.#shell.isDisposed) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    const hasRememberedText = this.#isRemembered();
    if (hasRememberedText) this.#restore(); // so that Ctrl+Z restores it
    if (sample) await (hasRememberedText ? this.loadSample(sample) : this.#loadFirst(sample));
    else if (typeof text === "string") hasRememberedText ? this.replace(text) : (this.#beginWith(text), this.remember(), this.#on.ask());
    else if (!hasRememberedText) await this.#loadFirst(this.#shell.data.start);
    this.#memory.save();
  }

  /** Load an initial example, unless the reader starts typing first. @param {string} name */
  async #loadFirst(name) {
    const loaded = await this.#fetchSample(name);
    if (!loaded || this.#editor.source()) return;
    this.#recordSample(name, loaded.text);
    this.#beginWith(loaded.text);
    this.#setLanguage(loaded.lang ?? "");
    this.#on.ask();
  }

  /** @param {string} text */
  #beginWith(text) {
    const { source, escapes } = sourceOf(text);
    this.#editor.begin(source, escapes);
    this.#switchEscapes(escapes);
  }

  // Replacing the text

  /** Replace the text with an example, undoably. @param {string} name */
  async loadSample(name) {
    const loaded = await this.#fetchSample(name);
    if (!loaded) return;
    this.#recordSample(name, loaded.text);
    this.replace(loaded.text, loaded.lang ?? "");
  }

  /** Fetch an example; null if it fails, or the reader has left or chosen another since. @param {string} name */
  async #fetchSample(name) {
    this.#requested = name;
    const { given } = this.#shell.data;
    if (name === given?.name) return given;
    const loaded = await this.#shell.client.sample(name).catch(() => null);
    if (this.#shell.isDisposed || name !== this.#requested) return null;
    if (!loaded) {
      this.#shell.report("This text could not be loaded. Try again in a moment.");
      this.#showSample(this.sample()); // so that the same one can be chosen again
    }
    return loaded;
  }

  /**
   * Record a sample before it is in the editor, so that change listeners can tell which one it is.
   *
   * @param {string} name @param {string} text
   */
  #recordSample(name, text) {
    this.#sample = { name, source: sourceOf(text).source };
    this.#showSample(name);
  }

  /** @param {string} name */
  #showSample(name) {
    this.#presets.show(name);
    this.#on.sample?.(name);
  }

  /** Replace the editor's text, undoably. @param {string} text @param {string} [lang] */
  replace(text, lang = "") {
    const { source, escapes } = sourceOf(text);
    if (escapes !== this.#editor.escapes()) {
      this.#switchEscapes(escapes);
      this.#editor.setEscapes(escapes);
    }
    this.#setLanguage(lang); // first, because the text change below is remembered immediately
    this.#editor.replace(0, this.#editor.source().length, source);
    this.#editor.select(0, 0, false);
    this.#on.replaced?.();
  }

  /** @param {boolean} escapes */
  #switchEscapes(escapes) {
    this.#escapes.input.checked = escapes;
    this.escapes.hidden &&= !escapes;
  }

  /** @param {string} lang */
  #setLanguage(lang) {
    this.#settings.lang = lang;
    this.#editor.setLanguage(lang);
  }

  // Changes in the editor

  /** Remember a change of the editor's text. */
  remember() {
    this.#settings.source = this.#editor.source();
    this.#settings.escapes = this.#editor.escapes();
    if (!this.#settings.source) this.#setLanguage("");
    this.#settings.sample = this.sample();
    this.#showSample(this.#settings.sample);
    this.#memory.save();
  }

  /** Report an insertion that was too long. */
  tooLong() {
    this.#shell.report(`This would make the text longer than ${MAX_FILE / 1e6} MB, the most that fits. Nothing was inserted.`);
  }

  /** The name of the example on screen; "" for any other text. */
  sample() {
    return this.#sample.source === this.#editor.source() ? this.#sample.name : "";
  }
}
