/**
 * A conversation as data: messages, the template that makes a prompt of them, and what else the template gets.
 */

/** @typedef {{role: string, content: string, thinking?: string, more?: string}} Message `more`: other fields, as JSON */

/**
 * @typedef {object} Conversation
 * @property {Message[]} messages
 * @property {string} tokenizer
 * @property {string} template name of a template inside, or OWN
 * @property {string} own text of the reader's template
 * @property {Record<string, string>} specials the special tokens that it may write
 * @property {string} tools as JSON; "" for none
 * @property {string} against the tokenizer of the model that it is compared with; "" for none
 * @property {string} by name of the template inside that goes with that; "" for none
 * @property {boolean} asks whether the prompt ends with the beginning of an answer
 * @property {boolean} thinks whether the answer may begin with thoughts
 */

export const OWN = "own";
export const ROLES = ["system", "user", "assistant", "tool"];

/** Maximum messages, as on the server. */
export const MAX_MESSAGES = 1000;

/** @returns {Conversation} */
export const example = () => ({
  messages: [
    { role: "system", content: "You are a cheerful cook." },
    { role: "user", content: "Can I put pineapple on a 🍕?" },
    { role: "assistant", content: "Of course. Nobody will know." },
    { role: "user", content: "And who pays?" },
  ],
  tokenizer: "qwen3",
  template: "qwen3",
  own: "",
  specials: {},
  tools: "",
  against: "",
  by: "",
  asks: true,
  thinks: true,
});

/** Something in the conversation is not what it should be; `message` says what, for the reader. */
export class NotReadable extends Error {}

/** @param {string} text @param {string} what */
function parsed(text, what) {
  try {
    return JSON.parse(text);
  } catch {
    throw new NotReadable(`${what} are not JSON yet.`);
  }
}

/** A message as transformers takes it. @param {Message} message */
function asGiven({ role, content, thinking, more }) {
  const fields = more?.trim() ? parsed(more, "A message’s other fields") : {};
  if (fields === null || typeof fields !== "object" || Array.isArray(fields)) throw new NotReadable("A message’s other fields must be an object, such as {\"tool_calls\": []}.");
  return { role, content, ...(thinking !== undefined && { reasoning_content: thinking }), ...fields };
}

/** The messages as transformers takes them. Throws NotReadable. @param {Conversation} conversation */
export const messagesOf = ({ messages }) => messages.map(asGiven);

/** What the template gets besides. Throws NotReadable. @param {Conversation} conversation @returns {Record<string, any>} */
export function valuesOf({ tools, asks, thinks }) {
  const listed = tools.trim() ? parsed(tools, "The tools") : null;
  if (listed !== null && !Array.isArray(listed)) throw new NotReadable("The tools must be a list.");
  return { add_generation_prompt: asks, ...(listed && { tools: listed }), ...(!thinks && { enable_thinking: false }) };
}

/** The body of a request. Throws NotReadable. @param {Conversation} conversation */
export function requestOf(conversation) {
  const { template, own, specials } = conversation;
  const named = template === OWN ? { text: own, special_tokens: specials } : { name: template };
  return JSON.stringify({ messages: messagesOf(conversation), template: named, values: valuesOf(conversation) });
}

/**
 * Read messages that were opened or pasted: a list, or an object with "messages" and "tools"; null if it is neither.
 *
 * @param {string} text
 * @returns {Partial<Conversation> | null}
 */
export function readMessages(text) {
  let given;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  const list = Array.isArray(given) ? given : given?.messages;
  if (!Array.isArray(list) || !list.length || list.length > MAX_MESSAGES || !list.every((each) => typeof each?.role === "string")) return null;
  return { messages: list.map(asShown), ...(Array.isArray(given?.tools) && { tools: JSON.stringify(given.tools, null, 1) }) };
}

/** @param {any} message @returns {Message} */
function asShown({ role, content, reasoning_content: reasoning, thinking = reasoning, ...rest }) {
  const isText = typeof content === "string";
  const more = { ...(!isText && content != null && { content }), ...rest };
  return {
    role,
    content: isText ? content : "",
    ...(typeof thinking === "string" && { thinking }),
    ...(Object.keys(more).length && { more: JSON.stringify(more, null, 1) }),
  };
}

/**
 * The messages as a program in Python writes them. Throws NotReadable.
 *
 * @param {Conversation} conversation
 * @param {{name: string, label: string}[]} [files] the reader's own tokenizers, of which the program needs the files
 */
export function toPython(conversation, files = []) {
  const { tokenizer, template } = conversation;
  const values = Object.entries(valuesOf(conversation)).map(([name, value]) => `, ${name}=${inPython(value)}`);
  const named = (/** @type {string} */ name) => {
    const file = files.find((each) => each.name === name);
    return file ? `Path(${inPython(`path/to/${file.label}`)})` : inPython(name);
  };
  const by = template === OWN ? ", template" : tokenizer === template ? "" : `, ${named(template)}`;
  const own = template === OWN ? `template = ${inPython(conversation.own)}\n` : "";
  const lines = messagesOf(conversation).map((message) => `    ${inPython(message)},\n`);
  const call = `chat = tokviz.chat(messages, ${named(tokenizer)}${by}${values.join("")})`;
  const paths = call.includes("Path(") ? "from pathlib import Path\n\n" : "";
  return `${paths}import tokviz\n\nmessages = [\n${lines.join("")}]\n${own}${call}\nprint(chat.prompt, chat.ids)\n`;
}

/** A value of JSON as Python writes it. @param {any} value @returns {string} */
export function inPython(value) {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(inPython).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([key, each]) => `${inPython(key)}: ${inPython(each)}`).join(", ")}}`;
  // What JSON escapes, Python reads alike, but for halves of surrogate pairs, which no text here has.
  return JSON.stringify(value);
}
