/**
 * The text of a page with an editor: where it comes from (what the tab remembers, a link, an example, a file), and that
 * it is remembered.
 */

import { element, fill, toggle } from "./elements.js";
import { sourceOf } from "./escapes.js";
import { MAX_FILE } from "./files.js";
import { readText } from "./links.js";
import { createPresets } from "./presets.js";

/**
 * @param {any} data as the widget gets it: of it `start`, `state`, `samples` and `kinds`
 * @param {ReturnType<typeof import("./memory.js").recall>} settings changed in place
 * @param {object} parts
 * @param {ReturnType<typeof import("./editor.js").createEditor>} parts.editor tells `changed` and `tooLong` what happens
 * @param {ReturnType<typeof import("./memory.js").createMemory>} parts.memory
 * @param {ReturnType<typeof import("./client.js").createClient>} parts.client
 * @param {object} on
 * @param {() => void} on.ask the text is another: its tokens are wanted
 * @param {(sentence: string) => void} on.problem
 * @param {() => void} [on.escaped] a text came that is written with escapes
 * @param {() => void} [on.replaced] another text as a whole stands in the editor
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
  /** The sample that was loaded last, and how it stands in the editor. */
  let sample = { name: "", source: "" };
  /** The sample that was chosen last. */
  let wanted = "";
  let disposed = false;

  // Beginning

  /**
   * Begin with what a link says, with what is remembered, or with the page's own example.
   *
   * @param {Record<string, string> | null} link
   * @param {{sample: string, note: string} | null} understood
   */
  async function begin(link, understood) {
    if (link && understood) return openLink(link, understood);
    if (!isRemembered()) return loadFirst(data.start);
    restore();
    if (data.state?.text !== undefined) return;
    // The tab remembers what the session, which is a new one, does not know.
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
   * Show what a link says, and take it out of the address, where it would come back after a reload.
   *
   * @param {Record<string, string>} fields
   * @param {{sample: string, note: string}} understood
   */
  async function openLink(fields, understood) {
    fill(note, understood.note);
    const text = await readText(fields).catch((error) => void fill(note, error.message));
    if (disposed) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    const hasOwn = isRemembered();
    if (hasOwn) restore(); // so that Ctrl+Z brings it back
    if (understood.sample) await (hasOwn ? loadSample : loadFirst)(understood.sample);
    else if (typeof text === "string") hasOwn ? replace(text) : (beginWith(text), changed());
    else if (!hasOwn) await loadFirst(data.start);
    memory.settingsChanged(settings);
  }

  /** @param {string} text */
  function beginWith(text) {
    const { source, escapes } = sourceOf(text);
    editor.begin(source, escapes);
    switchEscapes(escapes);
  }

  // Another text

  /** @param {boolean} escapes */
  function switchEscapes(escapes) {
    escapesSwitch.input.checked = escapes;
    if (escapes) on.escaped?.();
  }

  /** An example to begin with, unless somebody begins to type first. @param {string} name */
  async function loadFirst(name) {
    const loaded = await fetchSample(name);
    if (!loaded || editor.source()) return;
    sampleComes(name, loaded.text);
    beginWith(loaded.text);
    setLanguage(loaded.lang ?? "");
    on.ask();
  }

  /** An example in place of the text, which undo brings back. @param {string} name */
  async function loadSample(name) {
    const loaded = await fetchSample(name);
    if (!loaded) return;
    sampleComes(name, loaded.text);
    replace(loaded.text, loaded.lang ?? "");
  }

  /** An example; null where by now the reader has left or chosen another. @param {string} name */
  async function fetchSample(name) {
    wanted = name;
    const loaded = await client.sample(name).catch(() => null);
    if (disposed || name !== wanted) return null;
    if (!loaded) on.problem("This text could not be loaded. Try again in a moment.");
    return loaded;
  }

  /** Before it stands in the editor, so that whoever hears of the change can tell what came. @param {string} name @param {string} text */
  function sampleComes(name, text) {
    sample = { name, source: sourceOf(text).source };
    presets.show(name);
  }

  /** Put a text into the editor, undoably. @param {string} text @param {string} [lang] */
  function replace(text, lang) {
    const { source, escapes } = sourceOf(text);
    if (escapes !== editor.escapes()) {
      switchEscapes(escapes);
      editor.setEscapes(escapes);
    }
    if (lang !== undefined) setLanguage(lang); // first, for the change is remembered as soon as it is made
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

  /** The name of the example on screen, "" if it is another text. */
  const shownSample = () => (sample.source === editor.source() ? sample.name : "");

  return {
    /** The menu of examples. */
    presets: presets.node,
    /** The switch that has the editor read escapes. A text with carriage returns turns it on. */
    escapes: escapesSwitch.node,
    /** What there is to say of the link that was opened. */
    note,
    begin,
    replace,
    loadSample,
    sample: shownSample,
    /** The editor's text was changed. */
    changed,
    /** What was to be inserted was too long. */
    tooLong() {
      on.problem(`This would make the text longer than ${MAX_FILE / 1e6} MB, the most that fits. Nothing was inserted.`);
    },
    dispose() {
      disposed = true;
    },
  };
}
