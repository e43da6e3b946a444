import assert from "node:assert/strict";
import test from "node:test";

import { rowsOf, verdictOf } from "../../tokviz/widgets/chat/against.js";
import { example, inPython, MAX_MESSAGES, messagesOf, NotReadable, OWN, readMessages, requestOf, toPython, valuesOf } from "../../tokviz/widgets/chat/conversation.js";
import { barsOf, linesOf } from "../../tokviz/widgets/chat/lanes.js";
import { isolate, partOf, Reading, sayShared } from "../../tokviz/widgets/chat/origins.js";
import { checked, linkOf, readLink } from "../../tokviz/widgets/chat/link.js";
import { chosenFrom, fittingTokenizer, offersOf } from "../../tokviz/widgets/chat/offers.js";
import { controlOf, sayCareful, warn, writtenIn } from "../../tokviz/widgets/chat/readings.js";
import { readTemplate } from "../../tokviz/widgets/chat/template.js";

const CALLS = '{"tool_calls": [{"function": {"name": "f"}}]}';

test("messages are as transformers takes them", () => {
  const messages = [{ role: "assistant", content: "a", thinking: "b", more: CALLS }, { role: "user", content: "c" }];
  const given = messagesOf({ ...example(), messages });
  assert.deepEqual(given, [
    { role: "assistant", content: "a", reasoning_content: "b", tool_calls: [{ function: { name: "f" } }] },
    { role: "user", content: "c" },
  ]);
  const opened = readMessages(JSON.stringify(given));
  assert.deepEqual(messagesOf({ ...example(), ...opened }), given);
});

test("what is written but not JSON yet is said, not sent", () => {
  for (const [change, said] of /** @type {[any, RegExp][]} */ ([
    [{ tools: "[{" }, /tools are not JSON/],
    [{ tools: "{}" }, /tools must be a list/],
    [{ messages: [{ role: "user", content: "", more: "{" }] }, /other fields are not JSON/],
    [{ messages: [{ role: "user", content: "", more: "[]" }] }, /must be an object/],
  ])) {
    assert.throws(() => requestOf({ ...example(), ...change }), (error) => error instanceof NotReadable && said.test(error.message));
  }
});

test("only what differs from the default is given to a template", () => {
  assert.deepEqual(valuesOf({ ...example(), asks: false }), { add_generation_prompt: false });
  assert.deepEqual(valuesOf({ ...example(), thinks: false, tools: "[1]" }), { add_generation_prompt: true, tools: [1], enable_thinking: false });
});

test("what is opened is a chat, or it is not", () => {
  for (const text of ["", "5", "[]", "{}", '{"messages": 5}', "[5]", '[{"content": "x"}]', "text"]) assert.equal(readMessages(text), null);
  const opened = readMessages('{"messages": [{"role": "user", "content": [{"type": "text"}]}], "tools": [{}]}');
  assert.deepEqual(opened?.messages?.[0].content, "");
  assert.deepEqual(JSON.parse(opened?.messages?.[0].more ?? ""), { content: [{ type: "text" }] });
  assert.deepEqual(JSON.parse(opened?.tools ?? ""), [{}]);
});

test("templates are read from a file of their own and from a tokenizer's settings", () => {
  assert.deepEqual(readTemplate("{% for m in messages %}{% endfor %}"), { own: "{% for m in messages %}{% endfor %}", specials: {} });
  assert.equal(readTemplate("no template"), null);
  assert.equal(readTemplate('{"chat_template": 5}'), null);
  assert.equal(readTemplate('{"chat_template": [null, {"name": "rag", "template": "r"}]}'), null);
  assert.deepEqual(readTemplate('{"chat_template": {"rag": "r", "default": "d"}}'), { own: "d", specials: {} });
  assert.equal(readTemplate('{"a": '), null);
  const config = { chat_template: [{ name: "tool_use", template: "t" }, { name: "default", template: "d" }], bos_token: { content: "<s>" }, eos_token: "</s>", pad_token: null };
  assert.deepEqual(readTemplate(JSON.stringify(config)), { own: "d", specials: { bos_token: "<s>", eos_token: "</s>" } });
});

test("links and stores keep a conversation, and nothing else", () => {
  const offers = { tokenizers: [{ name: "gpt2" }, { name: "qwen3" }], templates: /** @type {[string, string][]} */ ([["chatml", ""], ["qwen3", ""]]), templateOf: { qwen3: "qwen3" } };
  const own = { ...example(), template: OWN, own: "{{ x }}", specials: { bos_token: "<s>" }, tools: "[]", asks: false, thinks: false, tokenizer: "gpt2" };
  for (const conversation of [own, example(), { ...example(), against: "gpt2", by: "qwen3" }, { ...example(), template: "chatml", messages: [{ role: "user", content: "a", thinking: "", more: "{}" }] }]) {
    const { fields, text } = linkOf(conversation);
    assert.deepEqual(readLink(fields, text, offers).conversation, conversation);
    assert.deepEqual(checked(JSON.parse(JSON.stringify(conversation))), conversation);
  }
  const kept = readLink({ against: "qwen3" }, null, offers, own).conversation;
  assert.deepEqual(kept, { ...own, against: "qwen3", by: "qwen3" });
  assert.equal(readLink({ against: "gpt2" }, null, offers).conversation.by, "chatml");
  assert.equal(readLink({ against: "gone" }, null, offers).conversation.against, "");
  assert.match(readLink({ tokenizer: "gone" }, null, offers).note, /not here/);
  for (const broken of [null, 5, {}, { messages: [] }, { messages: [5] }, { messages: [{ role: "user" }] }]) assert.equal(checked(broken), null);
  const many = (count) => ({ messages: Array(count).fill({ role: "user", content: "a" }) });
  assert.deepEqual([checked(many(MAX_MESSAGES))?.messages.length, checked(many(MAX_MESSAGES + 1))], [MAX_MESSAGES, null]);
});

test("values as Python writes them", () => {
  assert.equal(inPython({ a: [true, null, 1.5, "\n\"é"], b: { c: false } }), '{"a": [True, None, 1.5, "\\n\\"é"], "b": {"c": False}}');
});

test("a tokenizer of the reader's brings its template along", () => {
  const data = {
    tokenizers: [{ name: "gpt2", label: "GPT-2", recipe: null, thinks: null }, { name: "x9", label: "my model", recipe: "", thinks: true }, { name: "y9", label: "trained", recipe: "a", thinks: null }],
    ...{ templates: [["chatml", "ChatML"]], templateOf: {}, thinking: [] },
  };
  const offers = offersOf(data);
  assert.deepEqual(offers.templates, [["chatml", "ChatML"], ["x9", "my model"]]);
  assert.deepEqual([offers.templateOf, offers.thinking], [{ x9: "x9" }, ["x9"]]);
  const conversation = { ...example(), tokenizer: "x9", template: "x9", asks: false };
  const { fields, text } = linkOf(conversation);
  assert.deepEqual(readLink(fields, text, offers).conversation, conversation);
  assert.equal(fittingTokenizer({ tokenizer: "gpt2", template: "x9" }, offers), "x9");
  assert.deepEqual(chosenFrom(conversation, offers), { tokenizer: "x9", template: "x9" });
  assert.deepEqual(chosenFrom(conversation, { ...offers, tokenizers: [], templates: [["qwen3", ""]], templateOf: { qwen3: "qwen3" } }), { tokenizer: "qwen3", template: "qwen3" });
  assert.deepEqual(chosenFrom({ ...conversation, tokenizer: "y9", template: OWN, own: "{{ x }}" }, offers), { tokenizer: "y9", template: OWN });
  const written = toPython(conversation, data.tokenizers.slice(1));
  assert.match(written, /^from pathlib import Path\n\nimport tokviz\n/);
  assert.match(written, /tokviz\.chat\(messages, Path\("path\/to\/my model"\), add_generation_prompt=False\)/);
  assert.match(toPython({ ...conversation, tokenizer: "gpt2" }, data.tokenizers.slice(1)), /chat\(messages, "gpt2", Path\("path\/to\/my model"\)/);
});

test("a line runs as the first words in it do, whatever the template writes around them", () => {
  /** What is ordered by itself, by its text. @param {[text: string, isSaid: boolean][]} written */
  const isolated = (...written) => {
    let to = 0;
    const text = written.map(([each]) => each).join("");
    const found = isolate(text, written.map(([each, isSaid]) => ({ to: (to += each.length), isSaid })));
    assert.equal(found?.outside.length ?? text.length, text.length);
    return found && found.inside.map(({ from, to: end, dir }) => [text.slice(from, end), dir]);
  };
  const [user, end] = /** @type {[string, boolean][]} */ ([["<|start|>user<|message|>", false], ["<|end|>", false]]);
  assert.equal(isolated(user, ["hello", true], end), null);
  assert.deepEqual(isolated(user, ["שלום.", true], end), [[user[0], "ltr"], [end[0], "ltr"]]);
  assert.deepEqual(isolated(user, ["1. שלום", true], end, user, ["Hello (you).", true]), [[user[0], "ltr"], [end[0], "ltr"], [user[0], "ltr"], ["Hello (you).", "ltr"]]);
  assert.deepEqual(isolated(["a\nשלום\n7", true], ["<x>\n<y>\n", false], ["Hi שלום", true]), [["<x>", "ltr"], ["<y>", "ltr"]]);
  assert.deepEqual(isolated(["Hi", true], end, ["שלום!", true]), [["<|end|>", "ltr"], ["שלום!", "rtl"]]);
});

test("neighboring lines with the same origin share a bar", () => {
  const box = (/** @type {number} */ top, /** @type {any[]} */ ...kinds) => ({ top, bottom: top + 20, kinds: new Set(kinds) });
  const lines = linesOf([box(30, "words"), box(0, "template"), box(2, "role"), box(60, "words", "template")]);
  assert.deepEqual(lines.map(({ top, kinds }) => [top, [...kinds].sort()]), [[0, ["role", "template"]], [30, ["words"]], [60, ["template", "words"]]]);
  assert.deepEqual(barsOf(lines, "words"), [[26, 80]]);
  assert.equal(barsOf(lines, "template").length, 2);
  assert.deepEqual(barsOf(lines, "others"), []);
});

/** Tokens "<a>", "us", "er🍕" with origins template, role, words. */
const answer = () => ({
  ...{ ids: Int32Array.of(9, 1, 2), byte_lengths: Int32Array.of(3, 2, 6), special: Uint8Array.of(1, 0, 0) },
  ...{ span_ends: Int32Array.of(3, 7, 9), span_origins: Int32Array.of(0, 1, 2), span_changed: new Uint8Array(3), written: new Int32Array() },
  meta: { prompt: "<a>user🍕", origins: ["template", [0, "role"], [0, "content"]], counts: [1, 1, 1] },
});

test("each token knows its origins", () => {
  const reading = new Reading(answer());
  assert.deepEqual([0, 1, 2].map((i) => [...reading.kindsOf(i)]), [["template"], ["role"], ["role", "words"]]);
  const spelled = answer();
  spelled.meta = { ...spelled.meta, prompt: "<a>user", origins: ["template"] };
  spelled.byte_lengths = Int32Array.of(3, 4, 0);
  spelled.span_ends = Int32Array.of(7);
  spelled.span_origins = Int32Array.of(0);
  assert.deepEqual([0, 1].map((i) => [...new Reading(spelled).kindsOf(i)]), [["template"], ["template", "role"]]);
  assert.deepEqual([0, 1, 2].map((i) => reading.originOf(i)), ["template", [0, "role"], [0, "role"]]);
  assert.deepEqual(reading.placeOf(0), [7, 9]);
  assert.equal(reading.placeOf(1), null);
  assert.deepEqual([...reading.totals().kinds], [["template", 1], ["role", 1], ["words", 1]]);
  assert.deepEqual([...reading.totals().messages], [[0, 1]]); // its words, not its role
});

const side = (/** @type {number} */ around, /** @type {number[]} */ ...words) =>
  ({ label: "", color: 0, around, words: words.reduce((sum, each) => sum + each, 0), messages: Object.fromEntries(words.entries()) });

test("what is cheaper, and where the difference lies", () => {
  const says = (/** @type {any} */ one, /** @type {any} */ other) => verdictOf([one, other], ["A", "B"]);
  assert.equal(says(side(6, 3, 1), side(10, 6)), "A takes 6 fewer tokens (38 %): 4 in the template, 2 in the words.");
  assert.equal(says(side(10, 4), side(6, 7)), "B takes 1 fewer token (7 %): its template saves 4, the words cost 3 more.");
  assert.equal(says(side(10, 4), side(12, 1)), "B takes 1 fewer token (7 %): the words save 3, its template costs 2 more.");
  assert.equal(says(side(5, 4), side(7, 4)), "A takes 2 fewer tokens (18 %), all of them in the template: the words take as many.");
  assert.equal(says(side(5, 6), side(5, 4)), "B takes 2 fewer tokens (18 %), all of them in the words: the template takes as many.");
  assert.match(says(side(5, 5), side(6, 4)), /^Both read this chat in 10 tokens: what one saves/);
  assert.match(says(side(0), side(0)), /^Both read this chat in 0 tokens, 0 of them in the template\.$/);
});

test("the rows add up, however many messages there are", () => {
  const words = Array.from({ length: 1000 }, (_, i) => i);
  const rows = rowsOf([side(5, ...words), side(7, 1)], words.map(() => "user"));
  assert.equal(rows.length, 33);
  assert.deepEqual(rows[2], ["message 2, user", "1", "0", "−1"]);
  assert.equal(rows[31][0], "970 more messages");
  const figures = rows.map(([, cell]) => Number(cell.replaceAll(",", "")));
  assert.equal(figures.slice(0, -1).reduce((sum, each) => sum + each, 0), figures[32]);
  assert.deepEqual(rows[32], ["in all", "499,505", "8", "−499,497"]);
});

test("a part of a text has its own tokens", () => {
  const part = partOf(new Reading(answer()).model, 4, 9);
  assert.equal(part.text, "user🍕");
  assert.deepEqual([...part.ids], [1, 2]);
  assert.deepEqual([...part.starts], [0, 2, 6]);
});

test("a token with characters of the template too is said", () => {
  const { model } = new Reading(answer());
  assert.equal(sayShared(model, 3, 9), "");
  assert.equal(sayShared(model, 7, 9), " It holds characters of the template too.");
  assert.equal(sayShared(model, 4, 9), " The first holds characters of the template too.");
  assert.equal(sayShared(model, 3, 8), " The last holds characters of the template too.");
  assert.equal(sayShared(model, 4, 8), " The first and the last hold characters of the template too.");
});

/**
 * A reading by hand: `[text, origin, kind]` of each token, kind "special", "added" or none. One id for each text.
 *
 * @param {[text: string, origin: any, kind?: string][]} tokens
 */
function readingOf(tokens) {
  const texts = tokens.map(([text]) => text);
  const ids = Int32Array.from(texts, (text) => texts.indexOf(text));
  const isWritten = (/** @type {number} */ i) => tokens[i][2] === "special" && tokens[i][1] !== "template";
  const columns = (/** @type {boolean} */ asText) => ({ ids, byte_lengths: Int32Array.from(texts, (text) => text.length), special: Uint8Array.from(tokens, ([, , kind], i) => Number(kind === "special" && !(asText && isWritten(i)))) });
  const careful = columns(true);
  let place = 0;
  return new Reading({
    ...columns(false),
    ...{ ids_as_text: careful.ids, byte_lengths_as_text: careful.byte_lengths, special_as_text: careful.special },
    ...{ span_ends: Int32Array.from(texts, (text) => (place += text.length)), span_origins: Int32Array.from(texts.keys()), span_changed: new Uint8Array(tokens.length) },
    written: Int32Array.from(texts.keys()).filter(isWritten),
    meta: { prompt: texts.join(""), origins: tokens.map(([, origin]) => origin), counts: texts.map(() => 1), added: [...new Set(ids.filter((_, i) => tokens[i][2] === "added"))] },
  });
}

/** A user's message as ChatML writes it. @param {[text: string, kind?: string][]} said @param {[string, any, string?][]} after */
const said = (said, ...after) => readingOf([
  ["<|im_start|>", "template", "special"], ["user", [0, "role"]], ["\n", "template"],
  .../** @type {[string, any, string?][]} */ (said.map(([text, kind]) => [text, [0, "content"], kind])),
  ["<|im_end|>", "template", "special"], ...after,
]);

/** @param {Reading} reading */
const warned = (reading) => warn(reading, /** @type {any} */ (writtenIn(reading, ["user"])), ["user"]);

test("only what the template writes after a message ends one", () => {
  assert.match(warned(said([["a"], ["<|im_end|>", "special"], ["b"]])), /^10 characters that anyone can type really end the user’s message\..*: “b”\.$/);
  assert.match(warned(said([["a"], ["<|im_end|>", "special"]])), /really end the user’s message\.$/);
  assert.equal(warned(said([["a"], ["<|endoftext|>", "special"], ["b"]])), "13 characters that anyone can type become one control token, which no other text can make.");
  assert.match(warned(said([["a"], ["<|im_start|>", "special"], ["b"]])), /are read as the beginning of a new message\.$/);
  const nemo = readingOf([["[INST]", "template"], ["a", [0, "content"]], ["<|im_end|>", [0, "content"], "special"], ["[/INST]", "template"]]);
  assert.match(warned(nemo), /become one control token/);
  assert.equal(controlOf(nemo, ["user"]), null);
});

test("the token that was written is named, the one that ends the message first", () => {
  const names = (/** @type {Reading} */ reading) => writtenIn(reading, ["user"])?.names;
  assert.deepEqual(names(said([["<|endoftext|>", "special"]])), ["<|endoftext|>"]);
  assert.deepEqual(names(said([["<|im_start|>", "special"], ["<|im_end|>", "special"]])), ["<|im_end|>", "<|im_start|>"]);
  assert.equal(names(said([["a"]])), undefined);
  assert.equal(controlOf(said([["a"], ["<|endoftext|>", "special"]]), ["user"]), "<|im_end|>");
});

test("an ordinary added token stays one for a careful program too", () => {
  const only = said([["<think>", "added"], ["a"]]);
  const written = /** @type {any} */ (writtenIn(only, ["user"]));
  assert.deepEqual([written.isControl, written.names], [false, ["<think>"]]);
  assert.equal(writtenIn(only, ["assistant"]), null); // a thought, not what a user tries
  assert.equal(sayCareful(only, written), "2 tokens. <think> stays one token: this tokenizer has it as an ordinary added token.");
  const same = said([["<think>", "added"], ["<|im_end|>", "special"]], ["<think>", "template", "added"]);
  assert.match(sayCareful(same, /** @type {any} */ (writtenIn(same, ["user"]))), /ordinary added token, and the template writes the same\.$/);
  const ordinary = said([["a"], ["<|im_end|>", "special"]]);
  assert.equal(sayCareful(ordinary, /** @type {any} */ (writtenIn(ordinary, ["user"]))), "2 tokens, all of them ordinary: nothing in the message does anything.");
  const thoughts = readingOf([["a", [0, "thinking"]], ["<|end|>", "template", "special"], ["<|end|>", [0, "content"], "special"], ["<|end|>", "template", "special"]]);
  assert.equal(sayCareful(thoughts, /** @type {any} */ (writtenIn(thoughts, ["assistant"]))), "3 tokens, 1 of them the template’s own control tokens, the others ordinary.");
});

test("a template's own vocabulary is offered where it is here and not in use", () => {
  const offers = { tokenizers: [{ name: "gpt2" }, { name: "qwen3" }], templateOf: { qwen3: "qwen3", o200k_harmony: "harmony" } };
  assert.equal(fittingTokenizer({ tokenizer: "gpt2", template: "qwen3" }, offers), "qwen3");
  for (const [tokenizer, template] of [["qwen3", "qwen3"], ["gpt2", "harmony"], ["gpt2", "chatml"], ["gpt2", OWN]]) assert.equal(fittingTokenizer({ tokenizer, template }, offers), null);
});
