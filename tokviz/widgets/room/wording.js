/**
 * Sentences about votes, for phones and for the projector.
 */

import { plural } from "../shared/dom/elements.js";
import { LETTERS } from "./questions.js";

/** @typedef {import("./questions.js").PhoneState} PhoneState */
/** @typedef {import("./questions.js").Question} Question */

/** How many have voted, for the projector. @param {import("./questions.js").HostState} state */
export function sayVotes({ round, here, voted, question }) {
  const done = question?.number ? "sent a number" : "voted";
  return `${round === 2 ? "Second vote: " : ""}${voted} of ${plural(here, "phone")} ${here === 1 ? "has" : "have"} ${done}`;
}

/** How a vote is named: the choice's letter, or the number. @param {Question} question @param {number} vote */
export const nameVote = (question, vote) => (question.choices ? LETTERS[vote] : String(vote));

/**
 * What a phone says beneath its choices.
 *
 * @param {PhoneState & {question: Question}} state
 * @param {boolean} isAlone without a room: no one waits for an answer, and it comes at once
 */
export function sayVote({ phase, question, yours, round, shown }, isAlone) {
  const vote = yours[round - 1];
  if (phase === "revealed") return sayResult(question, vote ?? yours[0] ?? null);
  if (isAlone) return question.choices ? "Choose an answer." : "";
  const first = yours[0];
  if (round === 2 && vote == null) {
    return `A second vote. Talk it over, then ${sayAgain(question, first)}.`;
  }
  if (vote == null) return question.choices ? "Choose an answer." : "";
  const change = question.choices ? `You chose ${nameVote(question, vote)}.` : `You sent ${nameVote(question, vote)}.`;
  return shown ? `${change} The votes are on the screen.` : `${change} You can change it until the answer is shown.`;
}

/** What a second vote is about. @param {Question} question @param {number | null} first the first vote */
function sayAgain(question, first) {
  if (first == null) return question.choices ? "choose" : "send a number";
  const name = nameVote(question, first);
  return question.choices ? `choose again, or tap ${name} again to keep it` : `send a number again; you sent ${name}`;
}

/** @param {Question} question @param {number | null} vote */
function sayResult(question, vote) {
  const { answers = [], choices } = question;
  if (!choices || !answers.length) return vote === null ? "" : `You ${choices ? "chose" : "sent"} ${nameVote(question, vote)}.`;
  const right = answers.map((answer) => LETTERS[answer]).join(" and ");
  if (vote === null) return `The answer is ${right}.`;
  return answers.includes(vote) ? `Right: ${right}.` : `Not ${LETTERS[vote]}: the answer is ${right}.`;
}
