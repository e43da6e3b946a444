/**
 * Sentences about votes, for phones and for the projector.
 */

import { LETTERS } from "../shared/dom/elements.js";
import { counted, filled } from "./text.js";

/** @typedef {import("./questions.js").Question} Question */
/** @typedef {import("./text.js").Words} Words */

/** How many have voted, for the projector and the notes. @param {Words} words of the slides @param {Pick<import("./questions.js").HostState, "round" | "here" | "voted" | "question">} state */
export function sayVotes(words, { round, here, voted, question }) {
  const said = counted(words, question?.number ? "sent" : "voted", here, { voted });
  return round === 2 ? filled(words.second_vote, { said }) : said;
}

/** How a vote is named: the choice's letter, or the number. @param {Question} question @param {number} vote */
const nameVote = (question, vote) => (question.choices ? LETTERS[vote] : String(vote));

/**
 * What a phone says beneath its choices.
 *
 * @param {Words} words of the phones
 * @param {import("./questions.js").PhoneState & {question: Question}} state
 */
export function sayVote(words, { phase, question, yours, round, shown }) {
  const vote = yours[round - 1] ?? null;
  if (phase === "revealed") return sayResult(words, question, vote ?? yours[0] ?? null);
  if (vote === null && round === 2) return saySecond(words, question, yours[0]);
  if (vote === null) return question.choices ? words.choose : "";
  return `${sayChosen(words, question, vote)} ${shown ? words.on_screen : words.can_change}`;
}

/** @param {Words} words @param {Question} question @param {number} vote */
const sayChosen = (words, question, vote) => filled(question.choices ? words.chose : words.sent, { vote: nameVote(question, vote) });

/** What a second vote is about. @param {Words} words @param {Question} question @param {number | null} first the first vote */
function saySecond(words, question, first) {
  if (first == null) return question.choices ? words.second : words.second_number;
  return filled(question.choices ? words.second_chose : words.second_sent, { vote: nameVote(question, first) });
}

/** @param {Words} words @param {Question} question @param {number | null} vote */
function sayResult(words, question, vote) {
  const { answers = [], choices } = question;
  if (!choices || !answers.length) return vote === null ? "" : sayChosen(words, question, vote);
  const right = new Intl.ListFormat(words.language).format(answers.map((answer) => LETTERS[answer]));
  if (vote === null) return filled(words.answer_is, { answers: right });
  return filled(answers.includes(vote) ? words.right : words.wrong, { vote: LETTERS[vote], answers: right });
}
