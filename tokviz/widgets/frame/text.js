/**
 * The text that all pages share, on a page that neither edits nor draws it: it belongs to the session, and the tab keeps
 * a copy, which it sends to a session that has none.
 */

import { sourceOf } from "../shared/text/escapes.js";

/**
 * @typedef {object} Received what the session has
 * @property {string | null} text null on a page without one
 * @property {boolean} [isNew] whether nothing was typed in the session yet; undefined if the text is the page's own
 */

export class SharedText {
  #store;
  #send;
  /** The session's text and its state. @type {Received} */
  #session;
  /** The latest text: the session's, or one that was sent to it. @type {string | null} */
  #text;

  /**
   * @param {Received} received
   * @param {import("../shared/page/store.js").Store} store
   * @param {(text: string) => boolean | void} send send a text to the session; returns false if the page is being left
   */
  constructor({ text, isNew }, store, send) {
    this.#session = { text, isNew };
    this.#text = text;
    this.#store = store;
    this.#send = send;
  }

  get text() {
    return this.#text;
  }

  /** Send the tab's text if the session has none, or never received the latest. */
  sendRemembered() {
    const { isNew } = this.#session;
    if (isNew === undefined) return;
    const remembered = this.#store.read();
    if (!isNew && !remembered?.unsent) return;
    if (typeof remembered?.text === "string" && remembered.text !== this.#text) this.use(remembered.text);
  }

  /** Replace the session's text. @param {string} text */
  use(text) {
    this.#text = text;
    const unsent = this.#send(text) === false;
    if (this.#session.isNew !== undefined) this.#remember(text, unsent);
  }

  /** @param {Received} received */
  update({ text, isNew }) {
    const { text: before } = this.#session;
    this.#session = { text, isNew };
    if (text === before) return; // the text of a link is newer than the session's
    this.#text = text;
    // It was typed on this page, or the page shows it for the first time.
    if (isNew) this.sendRemembered();
    else if (isNew === false) this.#remember(/** @type {string} */ (text), false);
  }

  /** @param {string} text @param {boolean} unsent */
  #remember(text, unsent) {
    const stored = this.#store.read();
    if (stored?.text !== text) this.#store.write({ ...stored, ...sourceOf(text), text, lang: "", unsent });
    else if (Boolean(stored.unsent) !== unsent) this.#store.write({ ...stored, unsent });
  }
}
