/**
 * The reader's state, which the browser's tab keeps: it survives changes of page, reloads, and a phone that has slept.
 * Tabs don't overwrite each other's.
 */

import { tabStorage } from "../dom/storage.js";

/** @typedef {ReturnType<typeof createStore>} Store */

/**
 * @param {string} base the app's root, which keeps two apps on one host apart
 */
export function createStore(base) {
  const key = `tokviz:${base}`;
  return {
    /** The last written state. @returns {Record<string, any> | null} */
    read: () => tabStorage.readJson(key),
    /** @param {Record<string, any>} state */
    write: (state) => tabStorage.write(key, JSON.stringify(state)),
  };
}
