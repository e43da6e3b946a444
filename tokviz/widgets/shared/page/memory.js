/**
 * A page's memory: the tab's store, written at each change, and the session shared by all pages, updated at pauses.
 */

import { debounce } from "../dom/elements.js";
import { sourceOf } from "../text/escapes.js";

const SAVE_AFTER_MS = 300;
const SEND_AFTER_MS = 600;
/** Characters above which a text is sent to the session only when the editor loses focus or the reader leaves. */
const LONG = 1_000_000;

/** Settings shared by all pages of a session, besides the text. */
const SHARED = /** @type {const} */ (["tokenizer", "special", "marks", "colorBy"]);

const DEFAULTS = {
  source: /** @type {string | null} */ (null),
  escapes: false,
  lang: "",
  tokenizer: "",
  known: "",
  special: false,
  marks: true,
  colorBy: /** @type {import("../../token_view/colors.js").ColorBy} */ ("alternate"),
  more: false,
  view: /** @type {import("../../tokens/views.js").View} */ ("both"),
  window: "128000",
  /** How many merges the tokenizer knows on the Tokens page; null for all. */
  merges: /** @type {number | null} */ (null),
};

/** @typedef {typeof DEFAULTS} Settings `source`: the editor's content; null while it is the page's default */

/**
 * Return the initial settings, without those that a single page stored for itself. The session knows what other pages
 * did, so it takes precedence, unless the tab has a text that was never sent to the session.
 *
 * @param {Record<string, any> | null} session
 * @param {Record<string, any> | null} stored
 * @param {{name: string}[]} tokenizers on offer; the first is the default
 * @returns {Settings}
 */
export function recall(session, stored, tokenizers) {
  const shared = Object.entries({ ...DEFAULTS, ...stored }).filter(([name]) => name in DEFAULTS);
  const settings = /** @type {Settings} */ (Object.fromEntries(shared));
  if (session && !stored?.unsent) {
    const { text, ...view } = session;
    Object.assign(settings, view);
    if (text !== undefined && text !== stored?.text) Object.assign(settings, sourceOf(text), { lang: "" });
  }
  if (!tokenizers.some(({ name }) => name === settings.tokenizer)) settings.tokenizer = tokenizers[0]?.name;
  return settings;
}

/** Replace a string among the values of an object, and of those within it. @param {any} values @param {string} old @param {string} newer */
function rename(values, old, newer) {
  for (const key of Object.keys(values)) {
    if (values[key] === old) values[key] = newer;
    else if (values[key] && typeof values[key] === "object") rename(values[key], old, newer);
  }
}

/**
 * @param {Settings} settings
 * @param {() => string} currentText
 * @param {import("./store.js").Store} store
 * @param {{text: (text: string) => boolean | void, state: (view: any) => void}} on `text` returns false if nothing was
 *   sent because the page is being left
 */
export function createMemory(settings, currentText, store, on) {
  let unsent = false;
  /** Then another page writes to the store. */
  let isDisposed = false;
  /** Whether the text is the reader's; a page's default text is neither remembered nor shared with other pages. */
  let isReaders = settings.source !== null;
  const save = debounce(write, SAVE_AFTER_MS);
  const send = debounce(sendText, SEND_AFTER_MS);
  const forget = store.beforeRead(save.flush);

  function write() {
    const text = isReaders ? { text: currentText() } : { text: null };
    store.write({ ...store.read(), ...settings, ...text, unsent });
  }

  function sendText() {
    if (!unsent) return;
    unsent = on.text(currentText()) === false;
    save.later();
  }

  return {
    textChanged() {
      if (isDisposed) return;
      isReaders = unsent = true;
      save.later();
      if (currentText().length <= LONG) send.later();
      else send.cancel();
    },
    /** @param {Partial<Settings>} change */
    settingsChanged(change) {
      if (isDisposed) return;
      if (SHARED.some((name) => name in change))
        on.state(Object.fromEntries(SHARED.map((name) => [name, settings[name]])));
      save.later();
    },
    /** Use a tokenizer's new id wherever its old one is chosen. @param {string} id @param {string} name */
    renamed(id, name) {
      rename(settings, id, name);
      this.settingsChanged({ tokenizer: settings.tokenizer });
    },
    /** Flush pending writes when focus or the reader leaves. */
    leave() {
      if (isDisposed) return;
      send.cancel();
      sendText();
      save.flush();
    },
    dispose() {
      isDisposed = true;
      save.flush();
      send.cancel();
      forget();
    },
  };
}
