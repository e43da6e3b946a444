/**
 * What if a user writes a control token? The two readings of such a message, side by side, and what each does.
 */

import { button, element, fill, listed, number, plural } from "../shared/dom/elements.js";
import { DetailedView } from "../tokens/details.js";
import { partOf, sayShared } from "./origins.js";

/** @typedef {import("./origins.js").Reading} Reading */

/**
 * @typedef {object} Written what a message holds that stays one token
 * @property {number} message
 * @property {[from: number, to: number]} range of the message in the prompt
 * @property {string[]} names of its control tokens; of its ordinary added tokens if it holds no other
 * @property {boolean} isControl
 * @property {number} end of the first token that ends the message, or of its first
 */

const SOURCES = /** @type {[string, string][]} */ ([
  ["https://huggingface.co/docs/transformers/chat_templating", "transformers reads control tokens wherever they stand, also in a message"],
  ["https://github.com/openai/tiktoken/blob/main/tiktoken/core.py", "tiktoken refuses such a text, or reads it as text where it is told to"],
  ["https://github.com/openai/harmony", "openai-harmony reads what a message says as text"],
]);

export class Readings {
  #on;
  #title = element("h2", {});
  #try = button("", () => this.#on.insert(this.#control));
  #body = element("div", { class: "both", hidden: true });
  #says = { text: element("p", {}), control: element("p", {}) };
  #careless = element("div", {});
  #views;
  #control = "<|im_end|>";

  /** @param {import("../shared/net/client.js").Client} client @param {{insert: (control: string) => void}} on a control token is to be written into a message */
  constructor(client, on) {
    this.#on = on;
    const panes = { text: element("div", {}), control: element("div", {}) };
    this.#views = { text: new DetailedView(panes.text, client, "Read as text"), control: new DetailedView(panes.control, client, "Read as control tokens", { special: true }) };
    this.#careless.append(element("h3", {}, "A careless program lets it become a control token"), panes.control, this.#says.control);
    this.#body.append(
      element("div", { class: "two" }, element("div", {}, element("h3", {}, "A careful program reads the message as text"), panes.text, this.#says.text), this.#careless),
      element("ul", { class: "quiet sources" }, ...SOURCES.map(([href, text]) => element("li", {}, element("a", { href, target: "_blank", rel: "noreferrer" }, `${text}.`)))),
    );
    this.node = element("section", { class: "injected", "aria-label": "A control token in a message" }, element("div", { class: "row" }, this.#title, this.#try), this.#body);
  }

  /** @param {Reading} reading @param {string[]} roles of the messages */
  show(reading, roles) {
    const control = controlOf(reading, roles);
    this.#control = control ?? this.#control;
    const found = writtenIn(reading, roles);
    fill(this.#title, `What if a user writes ${found?.names[0] ?? this.#control}?`);
    fill(this.#try, found ? `Try ${this.#control}` : "Try it");
    const isRead = Boolean(found?.isControl);
    this.#try.hidden = isRead;
    this.#body.hidden = found === null;
    this.node.classList.toggle("tried", found !== null);
    this.#try.disabled = control === null;
    this.#careless.hidden = !isRead;
    if (!found) return;
    const [careful, careless] = [reading.asText ?? reading.model, reading.model];
    const options = /** @type {const} */ ({ view: "text", colorBy: "alternate", marks: true, dir: "auto" });
    this.#views.text.show(partOf(careful, ...found.range), options);
    fill(this.#says.text, sayCareful(reading, found));
    if (!isRead) return;
    const part = partOf(careless, ...found.range);
    this.#views.control.show(part, options);
    const controls = part.special.filter(Boolean).length;
    fill(this.#says.control, `${plural(part.n, "token")}, ${controls === 1 ? "one of them a control token" : `${controls} of them control tokens`}.${sayShared(careless, ...found.range)}`);
  }

  dispose() {
    for (const view of Object.values(this.#views)) view.dispose();
  }
}

/** What control tokens in messages do, by message. @param {Reading} reading @param {string[]} roles @returns {Map<number, string>} */
export function warningsOf(reading, roles) {
  const warnings = new Map();
  for (const i of reading.written) {
    const message = messageOf(reading, i);
    if (message === null || warnings.has(message)) continue;
    const found = writtenIn(reading, roles, reading.written.filter((each) => messageOf(reading, each) === message));
    if (found) warnings.set(message, warn(reading, found, roles));
  }
  return warnings;
}

/**
 * The first message with control tokens; without one, the first that isn't the assistant's with ordinary added tokens.
 *
 * @param {Reading} reading @param {string[]} roles @param {Int32Array} [written] the control tokens that are looked at
 * @returns {Written | null}
 */
export function writtenIn(reading, roles, written = reading.written) {
  const { model, meta } = reading;
  const added = () => Array.from(model.ids.keys()).filter((i) => meta.added.includes(model.ids[i]) && roles[messageOf(reading, i) ?? -1] !== "assistant");
  const controls = Array.from(written).filter((i) => messageOf(reading, i) !== null);
  const found = (controls.length ? controls : added()).filter((i) => messageOf(reading, i) !== null);
  const message = found.length ? messageOf(reading, found[0]) : null;
  const range = message === null ? null : reading.placeOf(message);
  if (message === null || !range) return null;
  const inside = found.filter((i) => messageOf(reading, i) === message);
  const ender = reading.enderOf(message);
  const first = inside.find((i) => reading.textOf(i) === ender) ?? inside[0];
  const names = [...new Set([first, ...inside].map((i) => reading.textOf(i)))];
  return { message, range, names, isControl: controls.length > 0, end: model.starts[first + 1] };
}

/** The message that a token's first character is from; null if it is the template's. @param {Reading} reading @param {number} i */
function messageOf(reading, i) {
  const origin = reading.originOf(i);
  return Array.isArray(origin) && origin[1] !== "role" ? origin[0] : null;
}

/** What a program that reads messages as text makes of one. @param {Reading} reading @param {Written} written */
export function sayCareful(reading, { range }) {
  const model = reading.asText ?? reading.model;
  const part = partOf(model, ...range);
  const ids = reading.meta.added.filter((/** @type {number} */ id) => part.ids.includes(id));
  const shared = sayShared(model, ...range);
  const own = part.special.filter(Boolean).length; // between the thoughts and the text of a message
  if (!ids.length && own) return `${plural(part.n, "token")}, ${number(own)} of them the template’s own control tokens, the others ordinary.${shared}`;
  if (!ids.length) return `${plural(part.n, "token")}, all of them ordinary: nothing in the message does anything.${shared}`;
  const name = (/** @type {number} */ id) => part.text.slice(part.starts[part.ids.indexOf(id)], part.starts[part.ids.indexOf(id) + 1]);
  const isTemplates = (/** @type {number} */ id) => reading.model.ids.some((each, i) => each === id && reading.originOf(i) === "template");
  const [stays, has] = ids.length > 1 ? ["each stay one token", "them as ordinary added tokens"] : ["stays one token", "it as an ordinary added token"];
  const same = ids.filter(isTemplates);
  const writes = !same.length ? "" : same.length === ids.length ? ", and the template writes the same" : `, and the template writes ${listed(same.map(name))} too`;
  return `${plural(part.n, "token")}.${shared} ${listed(ids.map(name))} ${stays}: this tokenizer has ${has}${writes}.`;
}

/** What the control tokens in a message do. @param {Reading} reading @param {Written} written @param {string[]} roles */
export function warn(reading, { message, range, names, end }, roles) {
  const after = reading.model.text.slice(end, range[1]).trim();
  const ends = names[0] === reading.enderOf(message);
  const what = ends
    ? `really end the ${roles[message] ?? "user"}’s message`
    : reading.beginners().has(names[0]) ? "are read as the beginning of a new message" : "become one control token, which no other text can make";
  const shown = after.length > 80 ? `${after.slice(0, 80)}…` : after;
  const rest = ends && after ? ` To the model, what follows comes from the program, not from the user: “${shown}”${/[.!?…]$/.test(shown) ? "" : "."}` : "";
  return `${names[0].length} characters that anyone can type ${what}.${rest}${names.length > 1 ? ` The control tokens in it are ${listed(names)}.` : ""}`;
}

/** The control token that ends the last user's message, or the first that the template writes; null without one. @param {Reading} reading @param {string[]} roles */
export function controlOf(reading, roles) {
  const { model } = reading;
  const ender = reading.enderOf(roles.lastIndexOf("user"));
  const first = ender === null ? model.special.findIndex((is, i) => is > 0 && reading.originOf(i) === "template") : -1;
  return ender ?? (first < 0 ? null : reading.textOf(first));
}
