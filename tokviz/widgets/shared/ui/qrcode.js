/**
 * A QR code, which the server draws.
 */

import { element } from "../dom/elements.js";
import { Refusal } from "../net/client.js";

/**
 * Return an image of a link's code, or a paragraph that says why there is none.
 *
 * @param {import("../net/client.js").Client} client
 * @param {string} link
 * @param {string} name of the picture, for screen readers
 * @param {string} missing what is said if the server can't be reached
 * @returns {Promise<HTMLElement>}
 */
export async function qrCode(client, link, name, missing) {
  try {
    const svg = await client.text("qr", {}, link);
    return element("img", { class: "qr", src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: name });
  } catch (error) {
    return element("p", { class: "quiet" }, error instanceof Refusal ? error.message : missing);
  }
}
