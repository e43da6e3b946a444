/**
 * The ways to answer a question: a choice, or a number.
 */

import { debounce, element, fill, LETTERS } from "../shared/dom/elements.js";
import { counted, marked } from "./text.js";

/** @typedef {import("./text.js").Words} Words of the phones */
/** @typedef {{choice: number} | {number: number, script?: string}} Vote */
/** @typedef {{node: HTMLElement, update: (vote: number | null, answers: number[] | null) => void, dispose: () => void}} Answering */

const AFTER_TYPING_MS = 200;
/** Maximum characters of a text that is typed to be counted. */
const MAX_TEXT = 200;
const OTHER = "other";

/**
 * @param {import("./questions.js").Question} question
 * @param {Words} words
 * @param {(vote: Vote) => void} send
 * @param {import("../shared/net/client.js").Client} client
 * @returns {Answering}
 */
export function answering(question, words, send, client) {
  if (question.choices) return choices(question.choices, words.choices, (choice) => send({ choice }));
  return countedText(/** @type {import("./questions.js").FreeAnswer} */ (question.number), words, send, client);
}

/** @param {string[]} texts @param {string} name of the group @param {(choice: number) => void} choose @returns {Answering} */
function choices(texts, name, choose) {
  const take = (/** @type {Event} */ event, /** @type {number} */ k) => {
    /** @type {HTMLElement} */ (event.currentTarget).focus(); // which a tap doesn't do in every browser
    choose(k);
  };
  const buttons = texts.map((text, k) =>
    element("button", { type: "button", class: "choice", click: (/** @type {Event} */ event) => take(event, k) }, element("b", {}, LETTERS[k]), element("span", {}, ...marked(text))),
  );
  const node = element("div", { class: "answers", role: "group", "aria-label": name }, ...buttons);
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

/**
 * A text box whose text is counted; only the number, and the script if it is wanted, are sent to the room.
 *
 * @param {import("./questions.js").FreeAnswer} wanted
 * @param {Words} words
 * @param {(vote: Vote) => void} send
 * @param {import("../shared/net/client.js").Client} client
 * @returns {Answering}
 */
function countedText({ tokenizer, scripts }, words, send, client) {
  /** @type {number | null} */
  let tokens = null;
  let asked = 0;
  const field = element("input", { type: "text", maxlength: MAX_TEXT, autocomplete: "off", autocapitalize: "off", spellcheck: "false", dir: "auto" });
  const submit = element("button", { class: "button", type: "submit", disabled: true }, words.send_number);
  const told = scripts?.length > 0 ? words.told_script : words.told;
  const note = element("p", { class: "quiet", role: "status" }, told);
  const form = element("form", { class: "free" }, element("label", {}, element("span", {}, words.your_name), field), submit, note);
  const counting = debounce(() => void count(), AFTER_TYPING_MS);
  let isOver = false;

  async function count() {
    const mine = ++asked;
    const text = field.value;
    const columns = text ? await client.tokenize({ text, tokenizer, special: false }, true).catch(() => null) : null;
    if (mine !== asked) return;
    tokens = columns && columns.ids.length;
    submit.disabled = isOver || tokens === null;
    submit.textContent = tokens === null ? words.send_number : counted(words, "send_tokens", tokens);
    fill(note, text && !columns ? words.not_counted : told);
  }
  field.addEventListener("input", () => {
    asked++; // what was counted is another text
    tokens = null;
    submit.disabled = true;
    counting.later();
  });
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

/** The script that most letters of a text are in. @param {string} text @param {string[]} scripts names in Unicode */
export function scriptOf(text, scripts) {
  const counts = scripts.map((name) => text.match(new RegExp(`\\p{Script=${name}}`, "gu"))?.length ?? 0);
  const most = Math.max(...counts);
  return most ? scripts[counts.indexOf(most)] : OTHER;
}
