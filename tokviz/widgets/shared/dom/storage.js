/**
 * What the browser stores. Where that is switched off or full, it is kept until the document is left.
 */

/** @param {() => Storage} area */
function storageIn(area) {
  /** What did not fit, for as long as the document stays. @type {Map<string, string>} */
  const unstored = new Map();
  const storage = {
    /** @param {string} key @returns {string | null} null if nothing is stored */
    read(key) {
      try {
        return unstored.get(key) ?? area().getItem(key);
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
     * Store a value. If it doesn't fit (about 5 million characters), it is kept for as long as the document stays.
     *
     * @param {string} key
     * @param {string | null} value null to delete
     */
    write(key, value) {
      unstored.delete(key);
      try {
        area().removeItem(key); // an old value would be out of date
        if (value !== null) area().setItem(key, value);
      } catch {
        if (value !== null) unstored.set(key, value);
      }
    },
  };
  return storage;
}

/** The tab's storage, which survives reloads and page changes and is deleted with the tab. */
export const tabStorage = storageIn(() => sessionStorage);

/** The browser's storage, which all tabs share and which stays. */
export const browserStorage = storageIn(() => localStorage);
