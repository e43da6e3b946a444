/**
 * Where a lesson stands: the step, and how far it is told.
 */

import { filled } from "../room/text.js";

/** @typedef {"asked" | "shown" | "revealed"} Phase the question; with a room, its votes; the answer */
/** @typedef {{step: number, phase: Phase}} Place */

/**
 * The place after this one; the same at the end.
 *
 * @param {Place} place @param {number} count of steps @param {boolean} hasVotes true if votes are shown before the answer
 * @returns {Place}
 */
export function after({ step, phase }, count, hasVotes) {
  if (phase === "asked" && hasVotes) return { step, phase: "shown" };
  if (phase !== "revealed") return { step, phase: "revealed" };
  return step + 1 < count ? { step: step + 1, phase: "asked" } : { step, phase };
}

/**
 * The place before this one: the question without its answer, or the answer to the question before it.
 *
 * @param {Place} place @returns {Place}
 */
export function before({ step, phase }) {
  if (phase !== "asked") return { step, phase: "asked" };
  return step > 0 ? { step: step - 1, phase: "revealed" } : { step, phase };
}

/** What leads from a place to the next, as the name of its words: "votes", "reveal", or "next_step"; null at the end. @param {Place} place @param {Place} next */
export function leadOf(place, next) {
  if (next.step !== place.step) return "next_step";
  if (next.phase === place.phase) return null;
  return next.phase === "shown" ? "votes" : "reveal";
}

/** @typedef {{number?: unknown}} Numbered a step; one that asks for a `number` belongs to the step before it */

/** The index of the step whose number and time are those of a step. @param {Numbered[]} steps @param {number} index */
export const ownerOf = (steps, index) => (steps[index].number && index ? index - 1 : index);

/**
 * Where a step stands among all: "Step 2 of 11"; "Step 2 of 11, your names" if it asks for a number.
 *
 * @param {import("../room/text.js").Words} words @param {Numbered[]} steps @param {number} index
 */
export function standing(words, steps, index) {
  const count = steps.filter(({ number }) => !number).length;
  const number = steps.slice(0, index + 1).filter((each) => !each.number).length;
  return filled(steps[index].number ? words.names_step : words.step, { number, count });
}

/** The place with the answer, or without it if it is there. @param {Place} place @returns {Place} */
export const turned = ({ step, phase }) => ({ step, phase: phase === "revealed" ? "asked" : "revealed" });

/** A place that was stored or sent; the first if it is none. @param {any} stored @param {number} count of steps @returns {Place} */
export function placeIn(stored, count) {
  const isStep = Number.isInteger(stored?.step) && stored.step >= 0 && stored.step < count;
  const isPhase = ["asked", "shown", "revealed"].includes(stored?.phase);
  return isStep && isPhase ? { step: stored.step, phase: stored.phase } : { step: 0, phase: "asked" };
}

/** Time as minutes and seconds: "4:05". @param {number} ms */
export function sayTime(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
