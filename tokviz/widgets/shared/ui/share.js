/**
 * The button that shares what is on screen. Its dialog is loaded when it is first opened.
 */

import { button, element, fill } from "../dom/elements.js";
import { problemOf } from "../net/client.js";

/**
 * @typedef {object} Shown
 * @property {Record<string, string>} fields settings in the link
 * @property {string | null} text null if the fields identify the text
 * @property {import("../net/madetokenizers.js").Offer[]} [own] the user-made tokenizers on screen
 * @property {Record<string, string | null>} [query] query parameters of the shared address that
 *   differ from the page's own; null removes one
 * @property {string} [fileBox] where the page opens a text too long for a link as a file, in words; absent if it may be
 *   dropped anywhere on the page
 */

/** @typedef {{name: string, draw: () => Promise<Blob>, formats?: readonly ("svg" | "png")[]}} Picture an SVG, the name of its file without the ending, and what it is saved as */

const load = () => import("./sharing.js");

/**
 * @param {import("../net/client.js").Client} client
 * @param {() => Shown | Promise<Shown>} shown what is on screen
 * @param {() => Picture | null | Promise<Picture | null>} [picture] of what is in sight; null if there is none
 * @param {() => HTMLElement} [saving] what saves it as a file
 */
export function createShare(client, shown, picture = () => null, saving) {
  const dialog = element("dialog", { class: "share", "aria-label": "Share" });
  /** @type {Promise<import("./sharing.js").Sharing> | null} */
  let loading = null;
  const open = async () => {
    try {
      loading ??= load().then(({ Sharing }) => new Sharing(dialog, client, shown, picture, saving?.()));
      await (await loading).open();
    } catch (error) {
      loading = null;
      fill(dialog, element("p", {}, problemOf(error)), button("Close", () => dialog.close()));
    }
    if (dialog.isConnected && !dialog.open) dialog.showModal();
  };
  return { dialog, node: button("Share", () => void open(), { title: "A picture of what is in sight, and a link that opens this page as it is now" }) };
}
