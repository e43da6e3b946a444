/**
 * A page's memory: the tab's store, which all pages share, written at pauses.
 */

import { debounce } from "../dom/elements.js";

const SAVE_AFTER_MS = 300;

const DEFAULTS = {
  source: /** @type {string | null} */ (null),
  sample: "",
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

/**
 * @typedef {typeof DEFAULTS} Settings `source`: the editor's content; null while it is the page's default, which is
 *   neither remembered nor shared with other pages. `sample`: the name of the example that was loaded last
 */

/**
 * Return the initial settings, without those that a single page stored for itself.
 *
 * @param {Record<string, any> | null} stored
 * @param {{name: string}[]} tokenizers on offer; the first is the default
 * @returns {Settings}
 */
export function recall(stored, tokenizers) {
  const shared = Object.entries({ ...DEFAULTS, ...stored }).filter(([name]) => name in DEFAULTS);
  const settings = /** @type {Settings} */ (Object.fromEntries(shared));
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
 * @param {import("./store.js").Store} store
 */
export function createMemory(settings, store) {
  /** Then another page writes to the store. */
  let isDisposed = false;
  const saving = debounce(() => store.write({ ...store.read(), ...settings }), SAVE_AFTER_MS);

  return {
    /** Store the settings soon, after a change of them. */
    save() {
      if (!isDisposed) saving.later();
    },
    /** Use a tokenizer's new id wherever its old one is chosen. @param {string} id @param {string} name */
    renamed(id, name) {
      rename(settings, id, name);
      this.save();
    },
    /** Store what has changed, when the reader leaves. */
    leave: () => saving.flush(),
    dispose() {
      isDisposed = true;
      saving.flush();
    },
  };
}
