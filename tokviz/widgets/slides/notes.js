/**
 * The teacher's notes on a screen of their own, which follow the slides of another window.
 */

import { copyText } from "../shared/dom/copying.js";
import { button, disposeOf, element, fill, toggle } from "../shared/dom/elements.js";
import { addressInNetwork } from "../shared/net/address.js";
import { Client } from "../shared/net/client.js";
import { qrCode } from "../shared/ui/qrcode.js";
import { createHearing } from "./channel.js";
import { NotesView } from "./notes_view.js";
import { placeIn } from "./places.js";

/**
 * How the notes come to a phone of their own: a code that only the notes show, and never a slide.
 *
 * @param {import("../shared/net/client.js").Client} client
 * @param {string} base the app's root
 * @param {import("../room/text.js").Words} words of the slides
 * @param {(may: boolean) => void} letTurn
 */
function createNotesLink(client, base, words, letTurn) {
  const [picture, note, status] = [element("div", { class: "code" }), element("p", { class: "quiet" }), element("p", { class: "quiet", role: "status" })];
  const field = element("input", { type: "text", class: "mono", readonly: true, "aria-label": words.on_phone });
  const copy = button(words.copy_link, async () => fill(status, (await copyText(field.value, field)) ? words.copied : words.not_copied));
  const turning = toggle(words.may_turn, false, letTurn);
  const inside = element("div", { class: "notes-link" }, element("p", {}, words.on_phone_how), picture, note, element("div", { class: "row" }, field, copy), status, turning.node);
  const fold = element("details", { hidden: true, toggle: () => void draw() }, element("summary", {}, words.on_phone), inside);
  const how = element("p", { class: "quiet" }, words.on_phone_room);
  /** @type {import("./channel.js").NotesRoom | null} */
  let room = null;
  let drawn = "";

  /** Draw the code once it is wanted. */
  async function draw() {
    if (!fold.open || !room || drawn === room.key) return;
    drawn = room.key;
    const { page, reach } = await addressInNetwork(client, new URL(`${base}notes/${room.id}#${room.key}`, location.origin));
    field.value = page.href;
    fill(note, { all: "", network: words.on_phone_network, here: words.only_here }[reach]);
    fill(picture, await qrCode(client, page.href, words.on_phone_code, words.no_code));
  }

  return {
    node: element("div", { class: "notes-phone" }, fold, how),
    /** @param {import("./channel.js").NotesRoom | null} newer */
    update(newer) {
      room = newer;
      fold.hidden = !room;
      how.hidden = Boolean(room);
      if (room) turning.input.checked = room.mayTurn;
      void draw();
    },
  };
}

/** @param {HTMLElement} root @param {import("./slides.js").LessonData} data */
export function mountNotes(root, { base = "", steps, words }) {
  const view = new NotesView(steps, words);
  const link = createNotesLink(new Client(base), base, words, (may) => hearing.letTurn(may));
  fill(view.following, words.not_following);
  view.node.append(link.node);
  root.append(view.node);
  view.show(steps[0], false);
  const hearing = createHearing(base, (told) => {
    fill(view.following, told ? words.following : words.not_following);
    link.update(told?.room ?? null);
    if (!told) return;
    const place = placeIn(told.place, steps.length);
    view.show(steps[place.step], place.phase === "revealed", told.started);
  });
  return { dispose: disposeOf(hearing, view) };
}
