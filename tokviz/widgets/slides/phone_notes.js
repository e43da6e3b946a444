/**
 * The page of the teacher's notes on a phone, which follow a room with its key. Where they may, they turn its slides.
 */

import { follow } from "../room/following.js";
import { pageData, root } from "../room/page.js";
import { readRoomId } from "../room/questions.js";
import { sayVotes } from "../room/wording.js";
import { Client } from "../shared/net/client.js";
import { button, element, fill } from "../shared/dom/elements.js";
import { NotesView } from "./notes_view.js";

/** @typedef {import("../room/questions.js").NotesState} NotesState */

/** Time after which a turn that did nothing, as at the end, may be asked for again. */
const AGAIN_MS = 1_000;

const { base, steps, words } = pageData();
const room = readRoomId(location.pathname.split("/").at(-1) ?? "");
const notes = location.hash.slice(1);
const client = new Client(base);
const view = new NotesView(steps, words);
const back = button("←", () => void turn("back"), { "aria-label": words.back });
const onward = button(`${words.onward} →`, () => void turn("onward"), { class: "button onward" });
const turns = element("nav", { class: "row turns", "aria-label": words.name, hidden: true }, back, onward);
/** @type {NotesState | null} */
let state = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let again;

view.node.append(turns);
root.append(element("main", { class: "tokviz room" }, view.node));
if (room && notes) follow(client, room, { notes }, { state: show, trouble: say });
else say("refused");

/** @param {NotesState} newer */
function show(newer) {
  if (newer.place !== state?.place) rest(false);
  state = newer;
  const { question, phase, seconds, mayTurn } = newer;
  fill(view.following, question && sayVotes(words, newer));
  turns.hidden = !mayTurn || phase === "closed";
  if (!question) return view.say(phase === "closed" ? words.notes_closed : words.notes_pause);
  const step = steps.find((/** @type {{id: string}} */ { id }) => id === question.id) ?? question;
  view.show(step, phase === "revealed", Date.now() - seconds * 1000);
}

/** @param {import("../room/following.js").Trouble} trouble */
function say(trouble) {
  if (trouble) fill(view.following, trouble === "busy" ? words.busy : words[`notes_${trouble}`]);
  if (trouble) turns.hidden = true;
}

/** @param {"onward" | "back"} way */
async function turn(way) {
  rest(true);
  clearTimeout(again);
  again = setTimeout(() => rest(false), AGAIN_MS);
  await client.json(`room/${room}/turn`, {}, JSON.stringify({ notes, way, place: state?.place })).catch(() => {});
}

/** Take no second tap until the slides have turned. @param {boolean} isResting */
function rest(isResting) {
  back.disabled = onward.disabled = isResting;
}
