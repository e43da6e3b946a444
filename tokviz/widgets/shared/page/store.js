/**
 * A copy of the reader's state, kept in the browser tab.
 *
 * Streamlit drops a session after a reload, or when a phone has slept for two minutes; this copy survives both. Tabs
 * don't overwrite each other's.
 */

import { tabStorage } from "../dom/storage.js";

/** Functions that flush the pending writes of all widgets on the page. @type {Set<() => void>} */
const flushes = new Set();

/** @typedef {ReturnType<typeof createStore>} Store */

/**
 * @param {string} base the app's root, which keeps two apps on one host apart
 */
export function createStore(base) {
  const key = `tokviz:${base}`;
  return {
    /**
     * Return the last written state, after flushing pending writes: when the page changes, the next widget may start
     * before the last one is disposed of.
     *
     * @returns {Record<string, any> | null}
     */
    read() {
      for (const write of flushes) write();
      return tabStorage.readJson(key);
    },
    /** Call `write` before every read. @param {() => void} write @returns {() => void} unsubscribes */
    beforeRead(write) {
      flushes.add(write);
      return () => void flushes.delete(write);
    },
    /** @param {Record<string, any>} state */
    write(state) {
      tabStorage.write(key, JSON.stringify(state));
    },
  };
}
