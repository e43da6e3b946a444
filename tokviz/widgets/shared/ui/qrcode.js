/**
 * A QR code, which the server draws.
 */

import { element } from "../dom/elements.js";
import { Refusal } from "../net/client.js";

export class QrCode {
  #client;
  #name;
  #missing;
  /** @type {string | null} */
  #url = null;

  /**
   * @param {import("../net/client.js").Client} client
   * @param {string} name of the picture, for screen readers
   * @param {string} missing what is said if the server can't be reached
   */
  constructor(client, name, missing) {
    this.#client = client;
    this.#name = name;
    this.#missing = missing;
  }

  /** An image of a link's code, or a paragraph that says why there is none. @param {string} link @returns {Promise<HTMLElement>} */
  async draw(link) {
    this.dispose();
    try {
      this.#url = URL.createObjectURL(new Blob([await this.#client.text("qr", {}, link)], { type: "image/svg+xml" }));
    } catch (error) {
      const why = error instanceof Refusal ? error.message : this.#missing;
      return element("p", { class: "quiet" }, why);
    }
    return element("img", { class: "qr", src: this.#url, alt: this.#name });
  }

  dispose() {
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = null;
  }
}
