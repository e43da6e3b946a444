/**
 * The chapters that were read to their end. Only this browser knows.
 */

import { browserStorage } from "../shared/dom/storage.js";

/** @param {string} base the app's root, which keeps two apps on one host apart */
export function createProgress(base) {
  const key = `tokviz:${base}:read`;
  /** @returns {string[]} */
  const all = () => {
    const stored = browserStorage.readJson(key);
    return Array.isArray(stored) ? stored.filter((name) => typeof name === "string") : [];
  };
  return {
    /** @param {string} chapter */
    isRead: (chapter) => all().includes(chapter),
    /** @param {string} chapter */
    read: (chapter) => browserStorage.write(key, JSON.stringify([...new Set([...all(), chapter])])),
  };
}
