/**
 * What the light pages for phones have in common.
 */

/** The element that shows the page. */
export const root = /** @type {HTMLElement} */ (document.getElementById("room"));

/** What the server put into the page. @returns {any} */
export const pageData = () => JSON.parse(document.getElementById("data")?.textContent ?? "{}");

/** The path of the app's root, ending in "/". @param {{up: string}} data */
export const baseOf = ({ up }) => new URL(up, location.href).pathname;
