/**
 * How phones come into a room, for the projector: a QR code and a short address.
 */

import { element, fill } from "../shared/dom/elements.js";
import { addressInNetwork } from "../shared/net/address.js";
import { qrCode } from "../shared/ui/qrcode.js";
import { counted } from "./text.js";

/**
 * @param {import("../shared/net/client.js").Client} client
 * @param {string} base the app's root
 * @param {import("./text.js").Words} words of the slides
 */
export function joinPanel(client, base, words) {
  const [picture, written, how, here, note] = ["div", "p", "p", "p", "p"].map((tag) => element(tag));
  picture.className = "code";
  written.className = "address";
  note.className = "quiet";
  how.textContent = words.join_how;
  const node = element("section", { class: "joining", "aria-label": words.join }, picture, element("div", {}, how, written, here, note));
  let shown = "";

  /** @param {string} id */
  async function draw(id) {
    const found = await addressInNetwork(client, new URL(`${base}r/${id}`, location.origin));
    if (shown !== id) return;
    const place = found.page.href.replace(/^https?:\/\//, "").slice(0, -id.length);
    fill(written, place, element("wbr"), element("span", { class: "id" }, id));
    fill(note, { all: "", network: words.in_network, here: words.only_here }[found.reach]);
    fill(picture, await qrCode(client, found.page.href, words.join_code, words.no_code));
  }

  return {
    node,
    /** @param {import("./questions.js").HostState} state */
    update(state) {
      fill(here, state.here > 0 && counted(words, "here", state.here));
      if (shown === state.id) return;
      shown = state.id;
      void draw(state.id);
    },
  };
}
