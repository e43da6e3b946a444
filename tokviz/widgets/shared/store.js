/**
 * A copy of what the reader has set, kept by the browser tab.
 *
 * Streamlit drops a session after a reload, or when a phone has slept for two minutes; this copy outlives both. It is
 * the tab's own (sessionStorage), so two tabs don't overwrite each other, and it is gone when the tab is closed.
 */

/** Writes that are still due, of all widgets on the page. @type {Set<() => void>} */
const due = new Set();

/** @typedef {ReturnType<typeof createStore>} Store */

/**
 * @param {string} base the app's root, so that two apps on one host keep apart
 */
export function createStore(base) {
  const key = `tokviz:${base}`;
  return {
    /**
     * What was written last. Writes that are due are made first: when the page changes, the next widget may begin before
     * the last one is gone.
     *
     * @returns {Record<string, any> | null}
     */
    read() {
      for (const write of due) write();
      try {
        return JSON.parse(sessionStorage.getItem(key) ?? "null");
      } catch {
        return null; // Storage is switched off, or holds something foreign.
      }
    },
    /** Call `write` before anybody reads. @param {() => void} write @returns {() => void} ends that */
    beforeRead(write) {
      due.add(write);
      return () => void due.delete(write);
    },
    /** @param {Record<string, any>} state */
    write(state) {
      try {
        sessionStorage.setItem(key, JSON.stringify(state));
      } catch {
        // Storage is switched off or full (about 5 million characters). What was kept would be older than the text.
        forget();
      }
    },
  };

  function forget() {
    try {
      sessionStorage.removeItem(key);
    } catch {
      // Nothing was kept.
    }
  }
}
