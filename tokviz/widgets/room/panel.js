/**
 * How phones come into a room, for the projector: a QR code and a short address.
 */

import { element, fill, plural } from "../shared/dom/elements.js";
import { addressInNetwork } from "../shared/net/address.js";
import { QrCode } from "../shared/ui/qrcode.js";

/**
 * @param {import("../shared/net/client.js").Client} client
 * @param {string} base the app's root
 */
export function joinPanel(client, base) {
  const code = new QrCode(client, "QR code of the room's address");
  const [picture, written, how, here, note] = ["div", "p", "p", "p", "p"].map((tag) => element(tag));
  picture.className = "code";
  written.className = "address";
  note.className = "quiet";
  how.textContent = "Scan the code, or type the address into a phone.";
  const node = element("section", { class: "joining", "aria-label": "Join this room" }, picture, element("div", {}, how, written, here, note));
  let shown = "";

  /** @param {string} id */
  async function draw(id) {
    const found = await addressInNetwork(client, new URL(`${base}r/${id}`, location.origin));
    if (shown !== id) return;
    const place = found.page.href.replace(/^https?:\/\//, "").slice(0, -id.length);
    fill(written, place, element("wbr"), element("span", { class: "id" }, id));
    fill(note, found.note);
    fill(picture, await code.draw(found.page.href));
  }

  return {
    node,
    /** @param {import("./questions.js").HostState} state */
    update(state) {
      fill(here, state.here > 0 && `${plural(state.here, "phone")} here`);
      if (shown === state.id) return;
      shown = state.id;
      void draw(state.id);
    },
    dispose: () => code.dispose(),
  };
}
