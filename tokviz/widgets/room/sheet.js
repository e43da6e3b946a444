/**
 * The page of the lesson's questions without a room, to go through alone: choose, see the answer, go on. The browser keeps
 * what was chosen until its tab is closed.
 */

import { button, element, fill } from "../shared/dom/elements.js";
import { tabStorage } from "../shared/dom/storage.js";
import { Client } from "../shared/net/client.js";
import { pageData, root } from "./page.js";
import { filled } from "./text.js";
import { QuestionView } from "./view.js";

/** @typedef {import("./questions.js").Question} Question */

const KEY = "tokviz:sheet";

const { base, sheets, words, questions } = /** @type {import("./page.js").PageData & {questions: Question[]}} */ (pageData());
/** @type {{at: number, votes: Record<string, number>}} */
const kept = { at: 0, votes: {}, ...tabStorage.readJson(KEY) };
const view = new QuestionView(new Client(base), words, { base, sheets }, choose, true);
const place = element("p", { class: "place quiet" });
const back = button(words.back, () => go(-1));
const next = button(words.next, () => go(1), { class: "button next" });
const node = element("main", { class: "tokviz room" }, place, view.node, element("nav", { class: "row", "aria-label": words.questions }, back, next));
root.append(node);
show();

/** @param {import("./answering.js").Vote} vote */
function choose(vote) {
  kept.votes[questions[kept.at].id] = "choice" in vote ? vote.choice : vote.number;
  show();
}

/** @param {number} by */
function go(by) {
  kept.at += by;
  show();
  scrollTo(0, 0);
  view.node.querySelector("h1")?.focus({ preventScroll: true });
}

function show() {
  kept.at = Math.max(0, Math.min(kept.at, questions.length - 1));
  tabStorage.write(KEY, JSON.stringify(kept));
  const question = questions[kept.at];
  const vote = kept.votes[question.id] ?? null;
  const isOver = vote !== null;
  view.show({ phase: isOver ? "revealed" : "voting", round: 1, shown: false, question, yours: [vote] });
  fill(place, filled(words.place, { number: kept.at + 1, count: questions.length }));
  back.disabled = kept.at === 0;
  next.disabled = kept.at === questions.length - 1;
  next.classList.toggle("primary", isOver);
}
