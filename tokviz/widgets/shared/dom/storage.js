/**
 * The tab's storage (sessionStorage), which survives reloads and page changes and is deleted with the tab. Where it is
 * switched off or full, nothing is stored.
 */

export const tabStorage = {
  /** @param {string} key @returns {string | null} null if nothing is stored */
  read(key) {
    try {
      return sessionStorage.getItem(key);
    } catch {
      return null;
    }
  },

  /** @param {string} key @returns {any} null if nothing is stored, or something that is not JSON */
  readJson(key) {
    try {
      return JSON.parse(tabStorage.read(key) ?? "null");
    } catch {
      return null;
    }
  },

  /**
   * Store a value. If it doesn't fit (about 5 million characters), nothing is stored: an old value would be out of date.
   *
   * @param {string} key
   * @param {string | null} value null to delete
   */
  write(key, value) {
    try {
      sessionStorage.removeItem(key);
      if (value !== null) sessionStorage.setItem(key, value);
    } catch {
      // Nothing is stored.
    }
  },
};
