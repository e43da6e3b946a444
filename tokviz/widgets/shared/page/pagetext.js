/**
 * The text of a page with an editor: load it from the tab's memory, a link, an example or a file, and remember it.
 */

import { element, fill, toggle } from "../dom/elements.js";
import { sourceOf } from "../text/escapes.js";
import { MAX_FILE } from "../ui/files.js";
import { readText } from "../net/links.js";
import { createPresets } from "../ui/presets.js";

/**
 * @param {any} data the widget's data; `start`, `state`, `samples` and `kinds` are used
 * @param {ReturnType<typeof import("./memory.js").recall>} settings modified in place
 * @param {object} parts
 * @param {ReturnType<typeof import("../ui/editor.js").createEditor>} parts.editor reports to `changed` and `tooLong`
 * @param {ReturnType<typeof import("./memory.js").createMemory>} parts.memory
 * @param {ReturnType<typeof import("../net/client.js").createClient>} parts.client
 * @param {object} on
 * @param {() => void} on.ask the text changed, so its tokens are needed
 * @param {(sentence: string) => void} on.problem
 * @param {() => void} [on.escaped] a text written with escapes was loaded
 * @param {() => void} [on.replaced] the whole text was replaced
 */
export function createPageText(data, settings, { editor, memory, client }, on) {
  const presets = createPresets(data.samples, data.kinds, (name) => void loadSample(name));
  const note = element("p", { class: "problem", role: "alert" });
  const escapesSwitch = toggle(
    "escapes",
    settings.escapes,
    (escapes) => editor.setEscapes(escapes),
    "Read \\n, \\t, \\u00e9, \\x41 and \\u{1f355} as the characters they stand for",
  );
  /** The last loaded sample, and its source in the editor. */
  let sample = { name: "", source: "" };
  /** The name of the last requested sample. */
  let requested = "";
  let disposed = false;

  // Initial text

  /**
   * Load the initial text: from a link, from memory, or the page's default example.
   *
   * @param {Record<string, string> | null} link
   * @param {{sample: string, note: string} | null} understood
   */
  async function begin(link, understood) {
    if (link && understood) return openLink(link, understood);
    if (!isRemembered()) return loadFirst(data.start);
    restore();
    if (data.state?.text !== undefined) return;
    // The session is new and does not have what the tab remembers.
    memory.textChanged();
    memory.settingsChanged(settings);
  }

  const isRemembered = () => settings.source !== null;

  function restore() {
    editor.begin(settings.source ?? "", settings.escapes);
    editor.setLanguage(settings.lang);
    on.ask();
  }

  /**
   * Open a link, and remove it from the address, so that a reload does not open it again.
   *
   * @param {Record<string, string>} fields
   * @param {{sample: string, note: string}} understood
   */
  async function openLink(fields, understood) {
    fill(note, understood.note);
    const text = await readText(fields).catch((error) => void fill(note, error.message));
    if (disposed) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    const hasRememberedText = isRemembered();
    if (hasRememberedText) restore(); // so that Ctrl+Z restores it
    if (understood.sample) await (hasRememberedText ? loadSample : loadFirst)(understood.sample);
    else if (typeof text === "string") hasRememberedText ? replace(text) : (beginWith(text), changed());
    else if (!hasRememberedText) await loadFirst(data.start);
    memory.settingsChanged(settings);
  }

  /** @param {string} text */
  function beginWith(text) {
    const { source, escapes } = sourceOf(text);
    editor.begin(source, escapes);
    switchEscapes(escapes);
  }

  // Replacing the text

  /** @param {boolean} escapes */
  function switchEscapes(escapes) {
    escapesSwitch.input.checked = escapes;
    if (escapes) on.escaped?.();
  }

  /** Load an initial example, unless the reader starts typing first. @param {string} name */
  async function loadFirst(name) {
    const loaded = await fetchSample(name);
    if (!loaded || editor.source()) return;
    recordSample(name, loaded.text);
    beginWith(loaded.text);
    setLanguage(loaded.lang ?? "");
    on.ask();
  }

  /** Replace the text with an example, undoably. @param {string} name */
  async function loadSample(name) {
    const loaded = await fetchSample(name);
    if (!loaded) return;
    recordSample(name, loaded.text);
    replace(loaded.text, loaded.lang ?? "");
  }

  /** Fetch an example; null if it fails, or the reader has left or chosen another since. @param {string} name */
  async function fetchSample(name) {
    requested = name;
    const loaded = await client.sample(name).catch(() => null);
    if (disposed || name !== requested) return null;
    if (!loaded) on.problem("This text could not be loaded. Try again in a moment.");
    return loaded;
  }

  /**
   * Record a sample before it is in the editor, so that change listeners can tell which one it is.
   *
   * @param {string} name @param {string} text
   */
  function recordSample(name, text) {
    sample = { name, source: sourceOf(text).source };
    presets.show(name);
  }

  /** Replace the editor's text, undoably. @param {string} text @param {string} [lang] */
  function replace(text, lang) {
    const { source, escapes } = sourceOf(text);
    if (escapes !== editor.escapes()) {
      switchEscapes(escapes);
      editor.setEscapes(escapes);
    }
    if (lang !== undefined) setLanguage(lang); // first, because the text change below is remembered immediately
    editor.replace(0, editor.source().length, source);
    editor.select(0, 0, false);
    on.replaced?.();
  }

  /** @param {string} lang */
  function setLanguage(lang) {
    settings.lang = lang;
    editor.setLanguage(lang);
  }

  function changed() {
    settings.source = editor.source();
    settings.escapes = editor.escapes();
    if (!settings.source) setLanguage("");
    presets.show(shownSample());
    memory.textChanged();
    on.ask();
  }

  /** The name of the example on screen; "" for any other text. */
  const shownSample = () => (sample.source === editor.source() ? sample.name : "");

  return {
    /** The menu of examples. */
    presets: presets.node,
    /** The switch for reading escapes. A text with carriage returns turns it on. */
    escapes: escapesSwitch.node,
    /** Message about the opened link. */
    note,
    begin,
    replace,
    loadSample,
    sample: shownSample,
    /** Handle a change of the editor's text. */
    changed,
    /** Report an insertion that was too long. */
    tooLong() {
      on.problem(`This would make the text longer than ${MAX_FILE / 1e6} MB, the most that fits. Nothing was inserted.`);
    },
    dispose() {
      disposed = true;
    },
  };
}
