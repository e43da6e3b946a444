import assert from "node:assert/strict";
import test from "node:test";

import { answering, scriptOf } from "../../tokviz/widgets/room/answering.js";
import { groupsOf, rangesOf } from "../../tokviz/widgets/room/bars.js";
import { Following } from "../../tokviz/widgets/room/following.js";
import { Host } from "../../tokviz/widgets/room/host.js";
import { randomId, readRoomId, withoutAnswer } from "../../tokviz/widgets/room/questions.js";
import { counted } from "../../tokviz/widgets/room/text.js";
import { Voting } from "../../tokviz/widgets/room/voting.js";
import { sayVote, sayVotes } from "../../tokviz/widgets/room/wording.js";
import { Missing, Refusal } from "../../tokviz/widgets/shared/net/client.js";
import { computed } from "./computed.js";
import { fakeDocument } from "./fakepage.js";

const { phones: PHONES, slides: SLIDES } = computed.words;
const QUESTION = { id: "pizza", question: "How many?", choices: ["1", "2", "3"] };

/** A room's state for a phone. */
const state = (changes) => ({ phase: "voting", round: 1, shown: false, question: QUESTION, yours: [null], version: "1", ...changes });

/** Let all that is due happen. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("a room's id is read however it is typed", () => {
  for (const typed of ["k7m-p2x-9qd", "K7M-P2X-9QD", "k7mp2x9qd", " k7m p2x 9qd "]) assert.equal(readRoomId(typed), "k7m-p2x-9qd");
  for (const typed of ["", "k7m-p2x", "k7m-p2x-9q0", "k7m-p2x-9ql", "k7m-p2x-9qd-2", "../k7mp2x"]) assert.equal(readRoomId(typed), null);
});

test("a phone's id has 128 bits in the alphabet of links", () => {
  const ids = Array.from({ length: 50 }, randomId);
  for (const id of ids) assert.match(id, /^[\w-]{22}$/);
  assert.equal(new Set(ids).size, 50);
});

test("an answer does not leave with its question", () => {
  const asked = withoutAnswer({ ...QUESTION, answers: [2], reveal: "3", links: [], figure: {} });
  assert.deepEqual(JSON.parse(JSON.stringify(asked)), QUESTION);
});

test("texts about a number have the forms of their language", () => {
  const forms = { one: "{count} głos", few: "{count} głosy", many: "{count} głosów", other: "{count} głosu" };
  const said = [1, 3, 5, 22].map((count) => counted({ language: "pl", votes: forms }, "votes", count));
  assert.deepEqual(said, ["1 głos", "3 głosy", "5 głosów", "22 głosy"]);
  assert.equal(counted({ language: "ja", votes: { other: "{count}票" } }, "votes", 1), "1票");
});

test("a phone says what becomes of its vote", () => {
  assert.match(sayVote(PHONES, state({ yours: [1] })), /You chose B.*change it/);
  assert.match(sayVote(PHONES, state({ yours: [1, null], round: 2 })), /again, or tap B again to keep it/);
  assert.match(sayVote(PHONES, state({ yours: [null, null], round: 2 })), /then choose\.$/);
  const answered = { ...QUESTION, answers: [0, 2] };
  assert.equal(sayVote(PHONES, state({ phase: "revealed", question: answered, yours: [2] })), "Right: A and C.");
  assert.equal(sayVote(PHONES, state({ phase: "revealed", question: answered, yours: [0, 1], round: 2 })), "Not B: the answer is A and C.");
  assert.equal(sayVote(PHONES, state({ phase: "revealed", question: answered, yours: [0, null], round: 2 })), "Right: A and C.");
});

test("a projector says how many of how many have voted", () => {
  assert.equal(sayVotes(SLIDES, { round: 1, here: 28, voted: 12 }), "12 of 28 phones have voted");
  assert.equal(sayVotes(SLIDES, { round: 2, here: 1, voted: 0 }), "Second vote: 0 of 1 phone has voted");
  assert.equal(sayVotes(SLIDES, { round: 1, here: 3, voted: 2, question: { id: "n", question: "?", number: {} } }), "2 of 3 phones have sent a number");
});

test("the script of a text is that of most of its letters", () => {
  const scripts = ["Latin", "Cyrillic", "Han"];
  assert.equal(scriptOf("Nguyễn", scripts), "Latin");
  assert.equal(scriptOf("Аня B", scripts), "Cyrillic");
  assert.equal(scriptOf("😀 12", scripts), "other");
});

test("numbers have a row each, without empty ones, and the largest of many are put together", () => {
  assert.deepEqual(rangesOf([]), []);
  assert.deepEqual(rangesOf([[2, 5], [4, 1]]), [[2, 2], [4, 4]]);
  const many = Array.from({ length: 14 }, (_, k) => [k + 1, 1]);
  assert.deepEqual(rangesOf(many).map(([from]) => from), [1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(rangesOf(many).at(-1), [8, Infinity]);
  assert.deepEqual(rangesOf(many.slice(0, 8)).at(-1), [8, 8]);
});

test("the rarest of many scripts are put together, and no phone is lost", () => {
  const few = { Latin: [[1, 5]], Han: [[3, 9]] };
  assert.deepEqual(groupsOf(few).map(([name]) => name), ["Han", "Latin"]);
  const many = { ...few, Cyrillic: [[14, 2]], other: [[2, 7]], Arabic: [[9, 1]] };
  assert.deepEqual(groupsOf(many).map(([name]) => name), ["Han", "Latin", "Cyrillic", "other"]);
  assert.deepEqual(groupsOf(many).at(-1)[1], [[2, 7], [9, 1]]);
});

// Votes on their way

/** A server that answers when it is told to, and what was said of votes. */
function votingWith() {
  const asked = [];
  const said = [];
  const post = (fields, signal) => new Promise((resolve, reject) => asked.push({ fields, signal, resolve, reject }));
  const voting = new Voting(post, { counted: (answer) => said.push(answer), late: () => said.push("late"), waiting: () => said.push("waiting") });
  const vote = (choice) => void voting.send({ question: "pizza", round: 1, vote: { choice } });
  return { asked, said, voting, vote };
}

test("of several taps the last is sent last, and only its answer is shown", async () => {
  const { asked, said, voting, vote } = votingWith();
  for (const choice of [0, 1, 2]) vote(choice);
  assert.deepEqual(asked.map(({ fields }) => fields.choice), [0]);
  asked[0].resolve("first");
  await settle();
  assert.deepEqual(asked.map(({ fields }) => fields.choice), [0, 2]);
  assert.deepEqual(voting.on("pizza", 1), { choice: 2 });
  asked[1].resolve("last");
  await settle();
  assert.deepEqual(said, ["last"]);
  assert.equal(voting.on("pizza", 1), null);
});

test("a vote that could not be sent is sent again by itself, soon, and at once when there is reason to", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { asked, said, voting, vote } = votingWith();
  vote(2);
  for (const attempts of [2, 3, 4, 5]) {
    asked.at(-1).reject(new TypeError("no network"));
    await settle();
    context.mock.timers.tick(6_000);
    assert.equal(asked.length, attempts);
  }
  void voting.retry(); // under way, for a moment only
  assert.equal(asked[4].signal.aborted, false);
  context.mock.timers.tick(3_000);
  void voting.retry(); // the network is back, and that request hangs in the old one
  assert.equal(asked[4].signal.aborted, true);
  asked[4].reject(new DOMException("given up", "AbortError"));
  await settle();
  assert.equal(asked.length, 6);
  asked[5].resolve("counted");
  await settle();
  assert.equal(said.at(-1), "counted");
});

test("a vote that could not be sent waits, and one that came too late doesn't", async () => {
  const { asked, said, voting, vote } = votingWith();
  vote(1);
  asked[0].reject(new TypeError("no network"));
  await settle();
  assert.deepEqual(voting.on("pizza", 1), { choice: 1 });
  assert.equal(voting.on("pizza", 2), null);
  void voting.retry();
  asked[1].reject(new Refusal("The vote is over."));
  await settle();
  assert.equal(voting.on("pizza", 1), null);
  vote(2);
  asked[2].reject(new Missing("This room is not open.")); // the server was restarted
  await settle();
  assert.deepEqual(voting.on("pizza", 1), { choice: 2 });
  assert.deepEqual(said, ["waiting", "late", "waiting"]);
});

// Following

/** A page that is in sight, and a clock that is set forward. */
function page(context) {
  globalThis.document = fakeDocument();
  globalThis.window = new EventTarget();
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  context.after(() => {
    delete globalThis.document;
    delete globalThis.window;
  });
}

/** A connection that sends events, or hangs until it is given up. */
function connection(signal) {
  let controller;
  const body = new ReadableStream({ start: (given) => void (controller = given) });
  signal.addEventListener("abort", () => controller.error(new DOMException("given up", "AbortError")));
  const send = (text) => controller.enqueue(new TextEncoder().encode(text));
  return { response: { body, json: async () => state({ version: "polled" }) }, send, end: () => controller.close() };
}

/** Follow a room on connections of a test; `answers` make them, the last one again and again. */
function following(...answers) {
  const asked = [];
  const said = [];
  const connections = [];
  const post = async (body, signal) => {
    asked.push(JSON.parse(body));
    const made = connection(signal);
    connections.push(made);
    return answers[Math.min(asked.length, answers.length) - 1](made);
  };
  const on = { state: ({ version }) => said.push(version), trouble: (trouble) => said.push(trouble) };
  const follows = new Following(post, { phone: "me" }, on);
  return { asked, said, connections, follows };
}

const streams = ({ response }) => response;
const lost = () => {
  throw new TypeError("no network");
};

test("events are read, wherever they are cut", async (context) => {
  page(context);
  const { said, connections, follows } = following(streams);
  await settle();
  const event = `data: ${JSON.stringify(state({}))}\n\n`;
  connections[0].send(event.slice(0, 20));
  await settle();
  assert.deepEqual(said, []);
  connections[0].send(`${event.slice(20)}: still here\n\n${event.replace('"version":"1"', '"version":"2"')}`);
  await settle();
  assert.deepEqual(said, ["", "1", "", "2"]);
  follows.dispose();
});

test("a connection that broke is made again, and only a second failure is trouble", async (context) => {
  page(context);
  const { asked, said, connections, follows } = following(streams, lost, lost, streams);
  await settle();
  connections[0].end();
  for (let k = 0; k < 3; k++) {
    await settle();
    context.mock.timers.tick(20_000);
  }
  await settle();
  assert.equal(asked.length, 4);
  assert.deepEqual(said, ["lost"]);
  connections[3].send(`data: ${JSON.stringify(state({}))}\n\n`);
  await settle();
  assert.deepEqual(said, ["lost", "", "1"]);
  follows.dispose();
});

test("where a network holds events back, the room is asked instead", async (context) => {
  page(context);
  const { asked, said, follows } = following(streams, streams);
  await settle();
  context.mock.timers.tick(5_000); // no event has come
  await settle();
  context.mock.timers.tick(20_000);
  await settle();
  assert.deepEqual(asked.slice(0, 2), [{ phone: "me", stream: true }, { phone: "me", seen: "" }]);
  assert.deepEqual(said, ["", "polled"]);
  context.mock.timers.tick(1);
  await settle();
  assert.deepEqual(asked[2], { phone: "me", seen: "polled" });
  follows.dispose();
});

test("a room that is gone is asked for again, and one that has ended isn't", async (context) => {
  page(context);
  const gone = () => {
    throw new Missing("This room is not open.");
  };
  const { asked, said, connections, follows } = following(gone, streams);
  await settle();
  assert.deepEqual(said, ["gone"]);
  context.mock.timers.tick(20_000);
  await settle();
  connections[1].send(`data: ${JSON.stringify(state({ phase: "closed" }))}\n\n`);
  await settle();
  context.mock.timers.tick(60_000);
  await settle();
  assert.equal(asked.length, 2);
  follows.dispose();
});

test("a phone that wakes up makes a new connection at once", async (context) => {
  page(context);
  const { asked, connections, follows } = following(streams);
  await settle();
  connections[0].send(": still here\n\n");
  await settle();
  context.mock.timers.tick(15_000); // asleep
  document.dispatchEvent(new Event("visibilitychange"));
  await settle();
  context.mock.timers.tick(0);
  await settle();
  assert.equal(asked.length, 2);
  follows.dispose();
});

test("a network that is back gets a new connection at once, though the old one seems open", async (context) => {
  page(context);
  const { asked, connections, follows } = following(streams);
  await settle();
  connections[0].send(": still here\n\n");
  await settle();
  window.dispatchEvent(new Event("focus")); // nothing is wrong
  window.dispatchEvent(new Event("online"));
  await settle();
  context.mock.timers.tick(0);
  await settle();
  assert.equal(asked.length, 2);
  follows.dispose();
});

test("a page that is followed elsewhere waits until it is asked to go on", async (context) => {
  page(context);
  const { asked, said, connections, follows } = following(streams);
  await settle();
  connections[0].send(`data: ${JSON.stringify({ phase: "elsewhere" })}\n\n`);
  await settle();
  context.mock.timers.tick(600_000);
  await settle();
  assert.deepEqual([asked.length, said], [1, ["elsewhere"]]);
  follows.retry();
  await settle();
  assert.equal(asked.length, 2);
  follows.dispose();
});

// Hosting

/** A tab that has a room: its host, the ways to answer requests to open it, and the connections that are open. */
function hosting(context) {
  page(context);
  const opened = [];
  const open = new Set();
  globalThis.sessionStorage = { getItem: () => JSON.stringify({ id: "k7m-p2x-9qd", secret: "s" }), setItem() {}, removeItem() {} };
  globalThis.fetch = (address, { signal }) => {
    if (/\/open\b/.test(address)) return new Promise((resolve) => opened.push(() => resolve(Response.json({ ...state({}), turned: { number: 0 } }))));
    open.add(signal);
    signal.addEventListener("abort", () => open.delete(signal));
    return new Promise(() => {});
  };
  context.after(() => {
    delete globalThis.sessionStorage;
    delete globalThis.fetch;
  });
  return { host: new Host("/", SLIDES, { changed() {}, connection() {}, turn() {} }), opened, open };
}

test("slides that are presented again and again follow their room once", async (context) => {
  const { host, opened, open } = hosting(context);
  for (const times of [2, 1]) {
    for (let k = 0; k < times; k++) void host.resume(); // the second before the first is answered
    await settle();
    opened.forEach((answer) => answer());
    await settle();
  }
  assert.equal(open.size, 1);
  host.dispose();
  assert.equal(open.size, 0);
});

test("a room that opens after the slides were left is not followed", async (context) => {
  const { host, opened, open } = hosting(context);
  const resumed = host.resume();
  await settle();
  host.dispose();
  opened[0]();
  await resumed;
  assert.equal(open.size, 0);
});

// Answering

test("a number is sent only with the text that it was counted for", async (context) => {
  page(context);
  const [sent, counts] = [[], []];
  const client = { tokenize: () => new Promise((resolve) => counts.push((tokens) => resolve({ ids: new Int32Array(tokens) }))) };
  const { node } = answering({ number: { tokenizer: "gpt2", scripts: ["Latin"] } }, PHONES, (vote) => sent.push(vote), client);
  const [field, button] = [node.find("input"), node.find("button")];
  const type = (text) => {
    field.value = text;
    field.dispatchEvent(new Event("input"));
  };
  const answer = async (tokens) => {
    counts.at(-1)(tokens);
    await settle();
  };
  type("Emma");
  context.mock.timers.tick(200);
  type("Emma Li"); // before Emma is counted
  await answer(1);
  node.dispatchEvent(new Event("submit"));
  assert.deepEqual([button.disabled, sent], [true, []]);
  context.mock.timers.tick(200);
  await answer(2);
  node.dispatchEvent(new Event("submit"));
  type("Emma Li-Ng");
  node.dispatchEvent(new Event("submit"));
  assert.deepEqual([button.disabled, sent], [true, [{ number: 2, script: "Latin" }]]);
});
