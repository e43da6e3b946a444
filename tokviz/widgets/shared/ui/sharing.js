/**
 * Share what is on screen: a picture of it, and a link, also as a QR code for a room full of phones.
 */

import { copyText } from "../dom/copying.js";
import { button, element, fill } from "../dom/elements.js";
import { addressInNetwork } from "../net/address.js";
import { MAX_LINK, writeLink } from "../net/links.js";
import { problemOf } from "../net/client.js";
import { saveFile } from "./files.js";
import { fitRecipes, MADE, madeField, sayWhatIsMade } from "../net/madetokenizers.js";

/** Maximum link length in characters that a QR code holds: its bytes (version 40, level L). */
const MAX_CODE = 2953;

/** Maximum link length in characters for a QR code that can be read from the back of a room. */
const MAX_READABLE_LINK = 700;

const NO_CODE = "The QR code could not be made. Try again in a moment.";

/** A sentence on an address, by who can open it. */
const REACHES = {
  all: "",
  network: "For everybody in the same network as this computer.",
  here: "This link works only on this computer: its address in a network is not known.",
};

/** @typedef {import("../net/madetokenizers.js").Offer} Offer */
/** @typedef {import("../dom/elements.js").Child} Child */

/** @typedef {import("./share.js").Shown} Shown */
/** @typedef {import("./share.js").Picture} Picture */

export class Sharing {
  #dialog;
  #client;
  #shown;
  #picture;
  #saving;
  /** Address of the picture in the dialog. */
  #source = "";

  /**
   * @param {HTMLDialogElement} dialog
   * @param {import("../net/client.js").Client} client
   * @param {() => Shown | Promise<Shown>} shown
   * @param {() => Picture | null | Promise<Picture | null>} picture
   * @param {HTMLElement} [saving] what saves it as a file
   */
  constructor(dialog, client, shown, picture, saving) {
    this.#dialog = dialog;
    this.#client = client;
    this.#shown = shown;
    this.#picture = picture;
    this.#saving = saving;
    dialog.addEventListener("close", () => this.#empty());
  }

  /** Show what is on screen now. */
  async open() {
    const { fields, text, own = [], query = {}, fileBox } = await this.#shown();
    const { page, note } = await this.#address(query);
    const write = (/** @type {Offer[]} */ made, /** @type {string | null} */ linkText) =>
      writeLink(page.href, { ...fields, [MADE]: madeField(made) }, linkText);
    const made = fitRecipes(own, MAX_LINK - (await write(fitRecipes(own, 0), text)).length);
    const link = await write(made, text);
    const picture = this.#pictureParts();
    if (link.length <= MAX_LINK) this.#fill(await picture, await this.#linkParts(link, note, text !== null, made));
    else if (text === null) this.#fill(await picture, [element("p", {}, "The settings of this page are too long for a link.")]);
    else this.#fill(await picture, await this.#tooLong(text, fileBox, { link: await write(made, null), note, made }));
  }

  /** @param {...Child[]} parts */
  #fill(...parts) {
    const close = button("Close", () => this.#dialog.close());
    fill(this.#dialog, element("div", { class: "row top" }, element("h2", {}, "Share"), close), ...parts.flat(), this.#saving);
  }

  #empty() {
    fill(this.#dialog);
    URL.revokeObjectURL(this.#source);
  }

  /** @returns {Promise<Child[]>} */
  async #pictureParts() {
    try {
      const picture = await this.#picture();
      if (!picture) return [];
      const [svg, { createPictureButtons, createPictureCopying }] = await Promise.all([picture.draw(), import("./pictures.js")]);
      URL.revokeObjectURL(this.#source);
      this.#source = URL.createObjectURL(svg);
      const status = element("span", { class: "quiet", role: "status" });
      const copying = createPictureCopying(svg, (sentence) => fill(status, sentence));
      const saving = createPictureButtons(picture.name, "Save the picture, for slides and papers", async () => svg, picture.formats);
      const image = element("img", { class: "in-sight", src: this.#source, alt: "What is in sight, as a picture" });
      return [image, element("div", { class: "row" }, copying, element("span", { class: "quiet" }, "Save as"), saving.node, status)];
    } catch (error) {
      return [element("p", {}, "There is no picture of this: ", problemOf(error))];
    }
  }

  /**
   * Return the address to share, with a note: "localhost" is replaced by the server's address in its network.
   *
   * @param {Record<string, string | null>} query
   */
  async #address(query) {
    const page = new URL(location.pathname + location.search, location.origin);
    for (const [name, value] of Object.entries(query)) {
      if (value === null) page.searchParams.delete(name);
      else page.searchParams.set(name, value);
    }
    const found = await addressInNetwork(this.#client, page);
    return { page: found.page, note: REACHES[found.reach] };
  }

  /** @param {string} link @param {string} note @param {boolean} hasText @param {Offer[]} made */
  async #linkParts(link, note, hasText, made) {
    const field = element("input", { type: "text", class: "mono", readonly: true, "aria-label": "Link", value: link });
    field.addEventListener("focus", () => field.select());
    const status = element("p", { class: "quiet", role: "status" });
    const copy = button("Copy the link", async () => {
      fill(status, (await copyText(link, field)) ? "Copied." : "Copying did not work: select the link and copy it.");
    });
    return [
      element("div", { class: "row link" }, field, copy),
      element("div", { class: "row says" }, note && element("p", { class: "quiet" }, note), status),
      link.length <= MAX_CODE && (await this.#figure(link)),
      hasText && element("p", { class: "quiet" }, "The text is in the link itself and stored nowhere else."),
      made.length > 0 && element("p", { class: "quiet" }, sayWhatIsMade(made)),
    ];
  }

  /** @param {string} link */
  async #figure(link) {
    const image = await import("./qrcode.js") // when a code is first wanted
      .then(({ qrCode }) => qrCode(this.#client, link, "QR code of the link", NO_CODE))
      .catch(() => element("p", { class: "quiet" }, NO_CODE));
    const isDense = link.length > MAX_READABLE_LINK && image instanceof HTMLImageElement;
    const warning = "A long text makes a dense code: phones must come close. A code for a shorter text, or an example, is easier to scan.";
    return element("figure", {}, image, isDense && element("figcaption", { class: "quiet" }, warning));
  }

  /**
   * @param {string} text
   * @param {string | undefined} fileBox see `Shown`
   * @param {{link: string, note: string, made: Offer[]}} here the link to this page, without the text
   */
  async #tooLong(text, fileBox, { link, note, made }) {
    const save = button("Save the text", () => saveFile("text.txt", new Blob([text], { type: "text/plain" })));
    const paragraph = (/** @type {string} */ how) => element("p", {}, `This text is too long for a link. ${how}`);
    if (!fileBox) return [paragraph("Save it as a file instead, and drop the file here to open it."), save];
    const how = `Save it as a file and send it along with this link, which holds the settings: the file is opened there, ${fileBox}.`;
    return [paragraph(how), save, ...(await this.#linkParts(link, note, false, made))];
  }
}
