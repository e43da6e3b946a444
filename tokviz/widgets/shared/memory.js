/**
 * What the page remembers: in the tab, at each change; in the session, which other pages share, when the typist pauses.
 */

import { debounce } from "./elements.js";
import { sourceOf } from "./escapes.js";

const SAVE_AFTER_MS = 300;
const PAUSE_MS = 600;
/** Longer texts are told to the session only when focus leaves the editor or the page is left. */
const LONG = 1_000_000;

/** What the pages of a session share, besides the text. */
const SHARED = /** @type {const} */ (["tokenizer", "special", "marks", "colorBy"]);

const DEFAULTS = {
  source: /** @type {string | null} */ (null),
  escapes: false,
  lang: "",
  tokenizer: "",
  known: "",
  special: false,
  marks: true,
  colorBy: /** @type {import("../tokens/colors.js").ColorBy} */ ("alternate"),
  ids: false,
  window: "128000",
};

/** What a single page remembers stands under its name: no other page reads or writes it. */
const OF_ONE_PAGE = ["replay", "compare"];

/** @typedef {typeof DEFAULTS} Settings `source` is what stands in the editor; null as long as that is the page's own */

/**
 * What to begin with. The session knows what other pages did, so it wins, unless the tab holds a text that the session
 * was never told.
 *
 * @param {Record<string, any> | null} session
 * @param {Record<string, any> | null} stored
 * @param {string[]} tokenizers the names there are; the first is the default
 * @returns {Settings}
 */
export function recall(session, stored, tokenizers) {
  const settings = { ...DEFAULTS, ...stored };
  for (const page of OF_ONE_PAGE) delete (/** @type {Record<string, any>} */ (settings)[page]);
  if (session && !stored?.unsent) {
    const { text, ...view } = session;
    Object.assign(settings, view);
    if (text !== undefined && text !== stored?.text) Object.assign(settings, sourceOf(text), { lang: "" });
  }
  if (!tokenizers.includes(settings.tokenizer)) settings.tokenizer = tokenizers[0];
  return settings;
}

/**
 * @param {Settings} settings
 * @param {() => string} currentText
 * @param {import("./store.js").Store} store
 * @param {{text: (text: string) => boolean | void, state: (view: any) => void}} on `text` gives false where the session is
 *   not told, since the page is being left
 * @param {() => Partial<Settings> & {text: string} | null} [setAside] the reader's own text, as long as another stands in
 *   for it on screen: it is what is remembered
 */
export function createMemory(settings, currentText, store, on, setAside = () => null) {
  let unsent = false;
  /** What a page shows of its own accord is not the reader's: it is not remembered, and no other page gets it. */
  let isReaders = settings.source !== null;
  const save = debounce(write, SAVE_AFTER_MS);
  const send = debounce(tell, PAUSE_MS);
  const forget = store.beforeRead(save.flush);

  function write() {
    const text = isReaders ? { text: currentText(), ...setAside() } : { text: null };
    store.write({ ...store.read(), ...settings, ...text, unsent });
  }

  function tell() {
    if (!unsent) return;
    unsent = on.text(setAside()?.text ?? currentText()) === false;
    save.later();
  }

  return {
    textChanged() {
      isReaders = unsent = true;
      save.later();
      if (currentText().length <= LONG) send.later();
      else send.cancel();
    },
    /** @param {Partial<Settings>} change */
    settingsChanged(change) {
      if (SHARED.some((name) => name in change))
        on.state(Object.fromEntries(SHARED.map((name) => [name, settings[name]])));
      save.later();
    },
    /** Focus or the reader leaves: what waits is due now. */
    leave() {
      send.cancel();
      tell();
      save.flush();
    },
    dispose() {
      save.flush();
      send.cancel();
      forget();
    },
  };
}
