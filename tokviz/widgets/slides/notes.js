/**
 * The teacher's notes on a screen of their own, which follow the slides of another window.
 */

import { Client } from "../shared/net/client.js";
import { disposeOf, element, fill } from "../shared/dom/elements.js";
import { createHearing } from "./channel.js";
import { createNotesLink } from "./notes_link.js";
import { NotesView } from "./notes_view.js";
import { placeIn } from "./places.js";

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
