/**
 * What a room is about: questions and votes, as `app/answers/rooms/` sends them.
 */

/** @typedef {{label: string, href: string}} Link to a page of this server */

/**
 * @typedef {object} FreeAnswer the number of tokens of a text that is typed, instead of a choice
 * @property {string} tokenizer
 * @property {any} [scripts] true to count by the script of that text, too; phones get the list of their names
 */

/**
 * @typedef {object} Question backquotes in its texts enclose a piece of text or a token
 * @property {string} id small letters, digits and hyphens; votes are kept by it
 * @property {string} [title]
 * @property {string} [say] what comes before the question
 * @property {string} question
 * @property {string[]} [choices] absent if `number` is there
 * @property {FreeAnswer} [number]
 * @property {number[]} [answers] indices of the right choices. These and the rest are known after the vote only
 * @property {string} [reveal]
 * @property {Link[]} [links]
 * @property {any} [figure] a link as `figure/figure.js` shows it
 */

/** @typedef {{counts: number[]} | {numbers: [value: number, count: number][], scripts: Record<string, [number, number][]>}} Votes */

/**
 * @typedef {object} PhoneState
 * @property {"pause" | "voting" | "revealed" | "closed"} phase
 * @property {1 | 2} round
 * @property {boolean} shown whether the votes are on the projector
 * @property {Question | null} question
 * @property {(number | null)[]} yours this phone's vote in each round
 */

/**
 * @typedef {Omit<PhoneState, "yours"> & {id: string, place: number, here: number, voted: number, seconds: number, mayTurn: boolean}} NotesState
 *   `place`: counts moves; `seconds`: since the question came on screen; `mayTurn`: whether the notes may turn the slides
 */

/** @typedef {NotesState & {votes: Votes[], notes: string, turned: {number: number, way: "onward" | "back"}}} HostState `notes`: their key */

/** A room's id in an address or as somebody typed it; null if it is none. @param {string} written */
export function readRoomId(written) {
  const characters = written.toLowerCase().replace(/[^0-9a-z]/g, "");
  return /^[2-9a-hjkmnp-z]{9}$/.test(characters) ? characters.replace(/(...)(?=.)/g, "$1-") : null;
}

/** 128 random bits in the alphabet of links. `crypto.randomUUID` needs https. */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** What phones may know of a question before it is answered. @param {Question} question @returns {Question} */
export const withoutAnswer = ({ id, title, say, question, choices, number }) => ({ id, title, say, question, choices, number });
