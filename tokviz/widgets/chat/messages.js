/**
 * The messages as bubbles: what is said, and by whom.
 */

import { button, element, fill, number, plural } from "../shared/dom/elements.js";
import { showDirection } from "../shared/dom/fields.js";
import { MAX_MESSAGES, ROLES } from "./conversation.js";

/** @typedef {import("./conversation.js").Message} Message */

const PLAIN = { spellcheck: "false", autocapitalize: "off", autocomplete: "off" };
/** Where a text has more characters than this, its box no longer adapts its height. */
const TALL = 3000;

export class Messages {
  #messages;
  #on;
  #list = element("ol", { class: "bubbles" });
  /** @type {HTMLElement[]} */
  #counts = [];
  /** What is said beneath a message of the control tokens in it. @type {HTMLElement[]} */
  #warnings = [];
  #canThink = true;
  #add = button("Add a message", () => this.#insert());

  /**
   * @param {Message[]} messages changed in place
   * @param {object} on
   * @param {() => void} on.change
   * @param {(message: number | null) => void} on.point
   */
  constructor(messages, on) {
    this.#messages = messages;
    this.#on = on;
    this.node = element("div", { class: "conversation" }, this.#list, element("div", { class: "row add" }, this.#add));
    this.show();
  }

  /** Show the messages, which were replaced. */
  show() {
    this.#counts = this.#messages.map(() => element("span", { class: "quiet tokens" }));
    this.#warnings = this.#messages.map(() => element("p", { class: "problem", role: "status", hidden: true }));
    fill(this.#list, ...this.#messages.map((message, i) => this.#bubble(message, i)));
    this.#add.disabled = this.#messages.length >= MAX_MESSAGES;
  }

  /** Offer thoughts, or not. @param {boolean} can */
  offerThinking(can) {
    if (can === this.#canThink) return;
    this.#canThink = can;
    this.show();
  }

  /** Say how many tokens of each message are its own. @param {Map<number, number>} tokens */
  count(tokens) {
    this.#counts.forEach((node, i) => fill(node, tokens.has(i) ? plural(/** @type {number} */ (tokens.get(i)), "token") : "not in the prompt"));
  }

  /** Say what control tokens in messages do. @param {Map<number, string>} warnings by message */
  warn(warnings) {
    this.#warnings.forEach((node, i) => {
      node.hidden = !warnings.has(i);
      if (node.textContent !== (warnings.get(i) ?? "")) fill(node, warnings.get(i) ?? "");
    });
  }

  /** @param {Message} message @param {number} i */
  #bubble(message, i) {
    const label = `Message ${number(i + 1)}`;
    const role = element("select", { "aria-label": `Role of message ${i + 1}`, change: () => ((message.role = role.value), this.#redraw(i)) });
    const roles = ROLES.includes(message.role) ? ROLES : [...ROLES, message.role];
    role.append(...roles.map((each) => element("option", { value: each }, each)));
    role.value = message.role;
    const text = this.#box(message.content, `${label}, ${message.role}`, (value) => (message.content = value));
    const head = element("div", { class: "who" }, role, this.#counts[i], this.#tools(message, i));
    const bubble = element("li", { class: `bubble ${message.role}`, pointerenter: () => this.#on.point(i), pointerleave: () => this.#on.point(null) }, head);
    if (message.thinking !== undefined) {
      const thoughts = this.#box(message.thinking, `${label}, its thoughts`, (value) => (message.thinking = value));
      thoughts.placeholder = "what the model thought first";
      bubble.append(element("div", { class: "thoughts" }, element("span", { class: "quiet" }, "thinking"), thoughts));
    }
    bubble.append(text, this.#warnings[i]);
    if (message.more !== undefined) {
      const more = this.#box(message.more, `${label}, other fields as JSON`, (value) => (message.more = value));
      more.classList.add("mono");
      bubble.append(element("div", { class: "thoughts" }, element("span", { class: "quiet" }, "other fields, as JSON"), more));
    }
    return bubble;
  }

  /** @param {string} value @param {string} label @param {(value: string) => void} use */
  #box(value, label, use) {
    const input = () => {
      showDirection(box);
      box.classList.toggle("tall", box.value.length > TALL);
      use(box.value);
      this.#changed(false);
    };
    const box = element("textarea", { class: "editor", rows: 1, ...PLAIN, "aria-label": label, input });
    box.value = value;
    box.classList.toggle("tall", value.length > TALL);
    showDirection(box);
    return box;
  }

  /** @param {Message} message @param {number} i */
  #tools(message, i) {
    const last = this.#messages.length - 1;
    const isAnswer = message.role === "assistant";
    const small = (/** @type {string} */ sign, /** @type {string} */ title, /** @type {() => void} */ act, disabled = false) =>
      button(sign, act, { title, "aria-label": `${title}: message ${i + 1}`, disabled });
    const think = () => ((message.thinking = message.thinking === undefined ? "" : undefined), this.#redraw(i));
    const more = () => {
      message.more = message.more === undefined ? (isAnswer ? '{"tool_calls": [{"function": {"name": "look_up", "arguments": {"q": "pizza"}}}]}' : "{}") : undefined;
      this.#redraw(i);
    };
    return element(
      "span",
      { class: "edit" },
      isAnswer && this.#canThink && small("Thinking", message.thinking === undefined ? "Add thoughts" : "Remove the thoughts", think),
      small("…", message.more === undefined ? "Add other fields, such as tool calls" : "Remove the other fields", more),
      small("↑", "Move up", () => this.#move(i, i - 1), i === 0),
      small("↓", "Move down", () => this.#move(i, i + 1), i === last),
      small("×", "Remove", () => this.#remove(i), last === 0),
    );
  }

  /** @param {number} i @param {number} to */
  #move(i, to) {
    this.#messages.splice(to, 0, ...this.#messages.splice(i, 1));
    this.#changed(true);
    this.#focus(to);
  }

  /** @param {number} i */
  #remove(i) {
    this.#messages.splice(i, 1);
    this.#changed(true);
    this.#focus(Math.min(i, this.#messages.length - 1));
  }

  #insert() {
    const last = this.#messages[this.#messages.length - 1]?.role;
    this.#messages.push({ role: last === "user" ? "assistant" : "user", content: "" });
    this.#changed(true);
    this.#focus(this.#messages.length - 1);
  }

  /** @param {number} i */
  #focus(i) {
    const boxes = this.#list.children[i]?.querySelectorAll("textarea");
    boxes?.[boxes.length - 1]?.focus();
  }

  /** Show that a message is another, with the focus where it is. @param {number} i */
  #redraw(i) {
    const controls = () => Array.from(this.#list.children[i].querySelectorAll(".who :is(select, button)"));
    const focused = controls().findIndex((control) => control.matches(":focus"));
    this.#changed(true);
    /** @type {HTMLElement | undefined} */ (controls()[focused])?.focus();
  }

  /** @param {boolean} isOther whether there are other boxes now */
  #changed(isOther) {
    if (isOther) this.show();
    this.#on.change();
  }
}
