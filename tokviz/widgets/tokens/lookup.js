/**
 * Look up a token by its id or text, or decode several ids.
 */

import { Refusal, sentenceOf } from "../shared/net/client.js";
import { button, debounce, element, fill, number, plural } from "../shared/dom/elements.js";
import { appendMarked, withSigns } from "../shared/text/marks.js";

const WAIT_MS = 200;
/** Larger than any vocabulary's ids; JavaScript loses digits of much longer numbers. */
const LARGEST_ID = 999_999_999;
const ID_LIST = /^[[(\s]*\d+(?:[\s,;]+\d+)*[\s,;\])]*$/;

/**
 * @typedef {object} Found
 * @property {number} id
 * @property {string} hex
 * @property {string | null} text
 */

/**
 * @typedef {object} Answer the tokens of a vocabulary that match a text
 * @property {Found[]} tokens those with this text, and the first of those that contain it
 * @property {number} containing number of tokens that contain it
 * @property {boolean} special whether this is the text of a special token
 * @property {number | null} read_as number of tokens when encoded as ordinary text; null if no token has this text
 * @property {number | null} one the id of the only token that encoding gives; null if there are several
 */

/**
 * @param {object} ask
 * @param {(id: number) => Promise<Found>} ask.token
 * @param {(text: string) => Promise<Answer>} ask.find
 * @param {(ids: number[]) => Promise<{text: string, hex: string, valid: boolean}>} ask.decode
 * @param {object} on
 * @param {(id: number) => number} on.point highlight a token in the text; returns its number of occurrences
 * @param {(text: string) => void} on.use put a text into the editor
 */
export function createLookup(ask, on) {
  let newest = 0;
  const results = element("div", { class: "results", role: "status" });
  const input = element("input", {
    type: "text",
    class: "mono",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    placeholder: "31373   hello   [15496, 11, 995]",
    input: () => search.later(),
    keydown: (/** @type {KeyboardEvent} */ event) => event.key === "Enter" && search.flush(),
  });
  const search = debounce(() => void answer(input.value), WAIT_MS);
  const label = element("label", { class: "menu" }, element("span", {}, "A token's id, a text, or several ids"), input);
  const node = element("details", { class: "lookup" }, element("summary", {}, "Look up a token"), label, results);

  /** @param {string} typed */
  async function answer(typed) {
    const request = ++newest;
    const parts = await resultsFor(typed).catch((error) => [sentence(sentenceOf(error))]);
    if (request === newest) fill(results, ...parts);
  }

  /** @param {string} typed @returns {Promise<Node[]>} */
  async function resultsFor(typed) {
    if (typed === "") return [];
    const ids = parseIds(typed);
    if (ids && (ids.length > 1 || typed.includes("["))) return [decoded(await ask.decode(ids.map(checkedId)))];
    const byText = resultLists(typed, await ask.find(typed));
    // A number may be meant as an id or as a text, so show both.
    return ids ? [await byId(ids[0]), ...byText] : byText;
  }

  /** @param {number} id */
  async function byId(id) {
    try {
      return list("As an id:", [await ask.token(checkedId(id))]);
    } catch (error) {
      return sentence(sentenceOf(error));
    }
  }

  /** @param {string} typed @param {Answer} answer @returns {Node[]} */
  function resultLists(typed, answer) {
    const exact = exactLists(answer, answer.tokens.filter(({ text }) => text === typed));
    const around = answer.tokens.filter(({ text }) => text !== typed);
    return [
      ...(exact.length ? exact.map(({ says, tokens }) => list(says, tokens)) : [sentence(`No token has just the text “${withSigns(typed)}”.`)]),
      around.length ? list(sayAround(answer.containing, around.length), around) : sentence(exact.length ? "No other token contains it." : "No token contains it."),
    ];
  }

  /** @param {{text: string, hex: string, valid: boolean}} answer */
  function decoded({ text, hex, valid }) {
    return element(
      "div",
      {},
      decodedText(text),
      valid ? null : sentence(`� stands for bytes that are no whole character. All the bytes: ${hex}`),
      valid && button("put into the editor", () => on.use(text)),
    );
  }

  /** @param {string} heading @param {Found[]} tokens */
  function list(heading, tokens) {
    return element(
      "div",
      {},
      sentence(heading),
      element("ul", { class: "found" }, ...tokens.map((token) => element("li", {}, entry(token)))),
    );
  }

  /** @param {Found} token */
  function entry({ id, text, hex }) {
    const here = element("span", { class: "quiet here" });
    const name = element("span", { class: "mono token-text" }, text === null ? hex : withSigns(text));
    const point = () => fill(here, occurs(on.point(id)));
    return element(
      "button",
      { type: "button", class: "entry", click: point },
      element("span", { class: "quiet id" }, String(id)),
      name,
      here,
    );
  }

  return {
    node,
    /** Repeat the search after a change of tokenizer. */
    renew: () => void answer(input.value),
    /** Clear the numbers of occurrences, which no longer apply. */
    tokensChanged() {
      for (const here of results.querySelectorAll(".here")) fill(here);
    },
    dispose: search.cancel,
  };
}

/**
 * Return the tokens with exactly this text, under headings. Encoding the text alone gives one of them, or none.
 *
 * @param {Pick<Answer, "special" | "read_as" | "one">} answer @param {Found[]} tokens
 * @returns {{says: string, tokens: Found[]}[]}
 */
export function exactLists({ special, read_as, one }, tokens) {
  const encoded = tokens.filter(({ id }) => id === one);
  const others = tokens.filter(({ id }) => id !== one);
  const lists = encoded.length ? [{ says: "This text is one token:", tokens: encoded }] : [];
  if (!others.length) return lists;
  const reading = read_as === 1 ? "another token" : plural(read_as ?? 0, "token");
  if (special) return [...lists, { says: `A special token is written like this; as ordinary text it is ${reading}:`, tokens: others }];
  const are = others.length === 1 ? "There is a token" : "There are tokens";
  return [...lists, { says: `${are} with this text, but alone the text is read as ${reading}:`, tokens: others }];
}

/** @param {number} containing @param {number} listed */
export function sayAround(containing, listed) {
  const all = listed < containing ? `The first ${listed} of ${number(containing)} tokens` : "Tokens";
  return `${all} that contain it:`;
}

/** @param {string} typed "[1, 2]", "1 2 3" @returns {number[] | null} null if it is not a list of ids */
export function parseIds(typed) {
  return ID_LIST.test(typed) ? (typed.match(/\d+/g) ?? []).map(Number) : null;
}

/** @param {number} id */
function checkedId(id) {
  if (id > LARGEST_ID) throw new Refusal("An id has at most nine digits.");
  return id;
}

/** @param {string} text */
function decodedText(text) {
  const shown = element("pre", { class: "mono decoded", dir: "auto", tabindex: 0 });
  appendMarked(shown, text);
  return shown;
}

/** @param {string} text */
const sentence = (text) => element("p", { class: "quiet" }, text);

/** @param {number} times */
const occurs = (times) => (times ? `${plural(times, "time")} in this text` : "not in this text");
