/**
 * What the browser stores. Where that is switched off or full, nothing is stored.
 */

/** @param {() => Storage} area */
function storageIn(area) {
  const storage = {
    /** @param {string} key @returns {string | null} null if nothing is stored */
    read(key) {
      try {
        return area().getItem(key);
      } catch {
        return null;
      }
    },

    /** @param {string} key @returns {any} null if nothing is stored, or something that is not JSON */
    readJson(key) {
      try {
        return JSON.parse(storage.read(key) ?? "null");
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
        area().removeItem(key);
        if (value !== null) area().setItem(key, value);
      } catch {
        // Nothing is stored.
      }
    },
  };
  return storage;
}

/** The tab's storage, which survives reloads and page changes and is deleted with the tab. */
export const tabStorage = storageIn(() => sessionStorage);

/** The browser's storage, which all tabs share and which stays. */
export const browserStorage = storageIn(() => localStorage);
