/**
 * The ways to answer a question: a choice, or a number.
 */

import { button, debounce, element, fill, plural } from "../shared/dom/elements.js";
import { LETTERS } from "./questions.js";
import { marked } from "./text.js";

/** @typedef {import("./questions.js").Question} Question */
/** @typedef {{choice: number} | {number: number, script?: string}} Vote */
/** @typedef {{node: HTMLElement, update: (vote: number | null, answers: number[] | null) => void, dispose: () => void}} Answering */

const AFTER_TYPING_MS = 200;
/** Maximum characters of a text that is typed to be counted. */
const MAX_TEXT = 200;
const OTHER = "other";

/**
 * @param {Question} question
 * @param {(vote: Vote) => void} send
 * @param {import("../shared/net/client.js").Client} client
 * @returns {Answering}
 */
export function answering(question, send, client) {
  if (question.choices) return choices(question.choices, (choice) => send({ choice }));
  return question.number?.tokenizer ? countedText(question.number, send, client) : number(question.number ?? {}, send);
}

/** @param {string[]} texts @param {(choice: number) => void} choose @returns {Answering} */
function choices(texts, choose) {
  const buttons = texts.map((text, k) =>
    element("button", { type: "button", class: "choice", click: () => choose(k) }, element("b", {}, LETTERS[k]), element("span", {}, ...marked(text))),
  );
  const node = element("div", { class: "answers", role: "group", "aria-label": "Choices" }, ...buttons);
  return {
    node,
    update(vote, answers) {
      buttons.forEach((choice, k) => {
        choice.setAttribute("aria-pressed", String(k === vote));
        choice.classList.toggle("right", answers?.includes(k) ?? false);
        choice.disabled = answers !== null;
      });
    },
    dispose() {},
  };
}

/** @param {import("./questions.js").FreeAnswer} wanted @param {(vote: Vote) => void} send @returns {Answering} */
function number({ label = "Your number", most = 1000 }, send) {
  const field = element("input", { type: "number", inputmode: "numeric", min: 0, max: most, step: 1 });
  const submit = element("button", { class: "button", type: "submit" }, "send");
  const form = element("form", { class: "free" }, element("label", {}, element("span", {}, label), field), submit);
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    if (field.value !== "" && field.checkValidity()) send({ number: Number(field.value) });
  });
  return { node: form, update: (_, answers) => (submit.disabled = field.disabled = answers !== null), dispose() {} };
}

/**
 * A text box whose text is counted; only the number, and the script if it is wanted, are sent to the room.
 *
 * @param {import("./questions.js").FreeAnswer} wanted
 * @param {(vote: Vote) => void} send
 * @param {import("../shared/net/client.js").Client} client
 * @returns {Answering}
 */
function countedText({ label = "Your name", tokenizer = "", scripts, most = 1000 }, send, client) {
  /** @type {number | null} */
  let tokens = null;
  let asked = 0;
  const field = element("input", { type: "text", maxlength: MAX_TEXT, autocomplete: "off", autocapitalize: "off", spellcheck: "false", dir: "auto" });
  const submit = element("button", { class: "button", type: "submit", disabled: true }, "send the number");
  const told = sayTold(scripts?.length > 0);
  const note = element("p", { class: "quiet", role: "status" }, told);
  const form = element("form", { class: "free" }, element("label", {}, element("span", {}, label), field), submit, note);
  const counting = debounce(() => void count(), AFTER_TYPING_MS);
  let isOver = false;

  async function count() {
    const mine = ++asked;
    const text = field.value;
    const columns = text ? await client.tokenize({ text, tokenizer, special: false }, true).catch(() => null) : null;
    if (mine !== asked) return;
    tokens = columns && Math.min(columns.ids.length, most);
    submit.disabled = isOver || tokens === null;
    submit.textContent = tokens === null ? "send the number" : `send ${plural(tokens, "token")}`;
    if (text && !columns) fill(note, "It could not be counted. Change it, or try again in a moment.");
    else fill(note, told);
  }
  field.addEventListener("input", counting.later);
  form.addEventListener("submit", (/** @type {Event} */ event) => {
    event.preventDefault();
    if (tokens !== null) send({ number: tokens, ...(scripts?.length && { script: scriptOf(field.value, scripts) }) });
  });
  return {
    node: form,
    update(_, answers) {
      isOver = field.disabled = answers !== null;
      submit.disabled = isOver || tokens === null;
    },
    dispose: counting.cancel,
  };
}

/** What a room is told of a text. @param {boolean} hasScript */
export const sayTold = (hasScript) => `The app counts it. The room is told ${hasScript ? "its number of tokens and the name of its script" : "its number of tokens"}, never the text.`;

/** The script that most letters of a text are in. @param {string} text @param {string[]} scripts names in Unicode */
export function scriptOf(text, scripts) {
  const counts = scripts.map((name) => text.match(new RegExp(`\\p{Script=${name}}`, "gu"))?.length ?? 0);
  const most = Math.max(...counts);
  return most ? scripts[counts.indexOf(most)] : OTHER;
}
