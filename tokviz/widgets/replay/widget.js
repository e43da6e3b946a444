/**
 * The Merge replay page: how a tokenizer reads a text, or how its merges were learned, step by step. This module
 * connects the parts.
 *
 * Data flows one way: the settings make a request, the server responds with columns, these become a replay, the player
 * chooses the position, and every part shows it. A standalone page contains its columns and makes no requests.
 */

import { Client, sentenceOf } from "../shared/net/client.js";
import { unpackHeld } from "../shared/net/columns.js";
import { button, element, fill, menu, number, toggle } from "../shared/dom/elements.js";
import { readEscapes, sourceOf } from "../shared/text/escapes.js";
import { saveFile } from "../shared/ui/files.js";
import { Latest } from "../shared/net/latest.js";
import { readFields, readText } from "../shared/net/links.js";
import { createMemory, recall } from "../shared/page/memory.js";
import { Opening } from "../shared/ui/opening.js";
import { createPresenter } from "../shared/page/presenter.js";
import { ownOf } from "../shared/net/recipes.js";
import { Share } from "../shared/ui/share.js";
import { createStore } from "../shared/page/store.js";
import { keepTyping } from "../shared/page/typing.js";
import { createBars } from "./bars.js";
import { captionAt, spokenOf, summaryAt } from "./captions.js";
import { createDecode } from "./decode.js";
import { createFollow } from "./follow.js";
import { actionOf, KEYS } from "./keys.js";
import { firstOptions } from "./learn.js";
import { linkOf, readLink } from "./link.js";
import { createMerges } from "./merges.js";
import { endOf, firstPosition, makeReplay, tokenAt, tokensAt } from "./model.js";
import { hasLetters, WRITINGS } from "./names.js";
import { createOverview } from "./overview.js";
import { countPairs, rankOf, rankPairs } from "./pairs.js";
import { createPlayer } from "./player.js";
import { choicesFrom, createPredict, isWinner } from "./predict.js";
import { createSource, FIRST_TEXT } from "./source.js";
import { createStage } from "./stage.js";
import { createLegend, createTerms } from "./terms.js";
import { createTimeline } from "./timeline.js";

/** @typedef {import("./model.js").Replay} Replay */
/** @typedef {import("./source.js").Choices} Choices */
/** @typedef {import("./pairs.js").Ranking} Ranking */

/** Timing of an animated merge: first the pair closes up, then the counts change, then the next pair is marked. */
const COUNTS_AFTER_MS = 240;
const NEXT_AFTER_MS = 400;
/** Interval between counts of the pairs during fast playback. */
const COUNT_EVERY_MS = 100;
/** Maximum pairs listed. */
const MAX_PAIRS = 10;
/** Maximum symbols of a text for predictions when a tokenizer is applied. */
const MAX_PREDICT_SYMBOLS = 60;

/** Store of a standalone page, which remembers nothing. @type {import("../shared/page/store.js").Store} */
const NO_STORE = { read: () => null, write: () => {}, beforeRead: () => () => {} };

const CONNECTION = {
  connected: "",
  slow: "No answer yet: your text is safe, the replay will catch up",
  lost: "Not connected: your text is safe, the replay will catch up",
};

/**
 * @param {HTMLElement} root
 * @param {any} data `base`, `state`, `tokenizers`, `samples`, `kinds`: as for all widgets; `limits`: maximum bytes of a
 *   text and maximum merges; `start`: initial choices, from a link; `replay`: columns of a standalone page
 * @param {{text: (text: string) => boolean | void, state: (view: any) => void}} on
 */
export function mount(root, data, on) {
  const standalone = data.replay !== undefined;
  const aborter = new AbortController();
  const client = new Client(data.base ?? "/");
  const store = standalone ? NO_STORE : createStore(data.base);
  const stored = store.read();
  const settings = recall(data.state ?? null, stored, namesOf(data.tokenizers ?? []));
  const link = standalone ? null : readFields(location.hash);
  const linked = link && readLink(link, namesOf(data.tokenizers));
  if (linked) Object.assign(settings, { special: linked.special, tokenizer: linked.tokenizer ?? settings.tokenizer });
  const shared = { text: initialText(settings), tokenizer: settings.tokenizer, special: settings.special };
  /** @type {Choices} */
  const choices = {
    ...{
      story: "apply",
      order: "rank",
      tried: null,
      steps: { apply: -2, learn: 0 },
      writing: "text",
      speed: "1",
      predict: false,
    },
    ...{ learn: firstOptions() },
    ...stored?.replay,
    ...data.start,
    ...linked?.choices,
  };
  const memory = createMemory(Object.assign(settings, { replay: choices }), () => shared.text, store, on);

  /** @type {Replay | null} */
  let replay = null;
  let ranks = (/** @type {number} */ _left, /** @type {number} */ _right) => -1;
  /** The position drawn; the player's position may be one merge ahead. */
  let shown = 0;
  /** A symbol of the token that is followed. @type {number | null} */
  let followed = null;
  /** Steps whose merge was guessed or revealed. @type {Set<number>} */
  let revealed = new Set();
  /** True when the text changed after this replay was loaded. */
  let textChanged = false;
  /** @type {ReturnType<typeof setTimeout>[]} */
  let timers = [];
  /** Time when the pairs were last counted, as of `performance.now()`. */
  let countedAt = 0;

  const player = createPlayer({ step: showPosition, stops: isAsked, playing: playingChanged });
  const stage = createStage({
    select: (symbol) => follow(symbol),
    window: (from, to) => overview.window(from, to),
  });
  const overview = createOverview((symbol) => stage.moveWindow(symbol));
  const timeline = createTimeline(
    {
      seek: (k) => player.seek(k),
      back: () => player.back(),
      next,
      toggle: playOrPause,
      speed: (speed) => (player.setSpeed(speed), set({ speed })),
      help: toggleHelp,
    },
    choices.speed,
  );
  const bars = createBars();
  const merges = createMerges((k) => player.seek(k));
  const followPane = createFollow({ seek: (k) => player.seek(k), walk, close: () => follow(null) });
  const predict = createPredict({ answered: () => reveal() });
  const decode = createDecode();
  const source = standalone
    ? null
    : createSource(data, choices, shared, {
        change: sourceChanged,
        text: textEdited,
        shared: shareSettings,
        sample: (name) => void loadSample(name),
        classic: ({ writing }) => (
          setWriting(/** @type {any} */ (writing ?? "text")),
          (choices.steps.learn = 0),
          sourceChanged("text")
        ),
        tryOut,
        leave: () => memory.leave(),
      });

  const caption = element("p", { class: "caption" });
  const spoken = element("p", { class: "unseen", role: "status" });
  const figures = element("dl", { class: "figures" });
  const linkNote = element("p", { class: "problem", role: "alert" });
  const connection = element("p", { class: "connection", role: "status" });
  const problem = element("p", { class: "problem", role: "alert" });
  const writings = menu("Symbols as", WRITINGS, choices.writing, (writing) => setWriting(/** @type {any} */ (writing)));
  const predictSwitch = toggle(
    "predict",
    choices.predict,
    setPredict,
    "Stop before each merge and ask which pair comes next",
  );
  const predictOnly = element("span", { class: "quiet", hidden: true }, `for texts of up to ${MAX_PREDICT_SYMBOLS} symbols`);
  const help = element(
    "dl",
    { class: "keys", hidden: true, role: "note", "aria-label": "Keys", "data-closes": "" },
    ...KEYS.flatMap(([keys, does]) => [element("dt", {}, keys), element("dd", {}, does)]),
  );
  const presenting = element("span", { class: "row presenting" });
  const playerNode = element(
    "section",
    { class: "player", "aria-label": "Player", hidden: true, keydown: pressed },
    caption,
    spoken,
    predict.node,
    element(
      "div",
      { class: "scene" },
      element("div", { class: "stage-pane" }, stage.node, overview.node, createLegend()),
      bars.node,
    ),
    timeline.node,
    timeline.curve,
    help,
    element("div", { class: "row settings" }, writings.node, predictSwitch.node, predictOnly, presenting, figures),
    element("div", { class: "details" }, followPane.node, merges.node, decode.node, createTerms()),
  );
  const widget = element(
    "div",
    { class: "tokviz replay", keydown: (/** @type {Event} */ event) => event.stopPropagation() },
    linkNote,
    source?.node,
    connection,
    problem,
    playerNode,
  );
  root.append(widget);

  const presenter = standalone ? null : createPresenter(root, data.presenting);
  const typing = keepTyping(widget);
  if (presenter) {
    fill(presenting, presenter.enter);
    widget.append(presenter.leave);
  }
  const share = standalone ? null : new Share(client, () => {
        const { fields, text } = linkOf(choices, shared);
        return { fields, text, own: ownOf([fields.tokenizer], data.tokenizers) };
      });
  if (share) {
    const take = button("take it away", () => void takeAway(), {
      title: "The player with this text as one file that opens without a network",
    });
    presenting.append(share.node, take);
    widget.append(share.dialog);
  }
  const opening =
    source && new Opening(widget, { use: source.useText, problem: (sentence) => fill(problem, sentence) });
  if (source && opening) {
    source.top.append(opening.node);
    widget.append(opening.dialog);
  }

  const live = new Latest(
    (/** @type {{route: string, query: any, text: string}} */ { route, query, text }, signal) =>
      client.replay(route, query, text, signal),
    { answer: (columns) => load(makeReplay(columns)), refusal: refused, connection: showConnection },
  );

  player.setSpeed(choices.speed);
  watchPresenting();
  window.addEventListener("pagehide", () => memory.leave(), { signal: aborter.signal });
  // A tokviz link pasted into the address bar of this page.
  window.addEventListener("hashchange", () => readFields(location.hash) && location.reload(), { signal: aborter.signal });
  if (source) {
    source.update(data);
    void begin();
  } else {
    load(makeReplay(unpackHeld(data.replay)));
  }

  // Input and requests

  async function begin() {
    if (link) await openLink(link);
    if (aborter.signal.aborted) return;
    source?.show();
    ask();
  }

  /**
   * Load the text of a link, whose other choices are already set, and remove the link from the address, so that a
   * reload does not open it again.
   *
   * @param {Record<string, string>} fields
   */
  async function openLink(fields) {
    if (fields.tokenizer && !linked?.tokenizer)
      fill(linkNote, "This link is for a tokenizer that is not here, so another one is shown.");
    const text = await textOf(fields).catch((error) => void fill(linkNote, sentenceOf(error)));
    if (aborter.signal.aborted) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    if (typeof text !== "string") return;
    if (choices.story === "learn" || choices.tried) choices.learn.text = text;
    else textEdited(text);
    memory.settingsChanged(settings);
  }

  /** @param {Record<string, string>} fields */
  async function textOf(fields) {
    return fields.sample ? (await client.sample(fields.sample)).text : readText(fields);
  }

  /** Save the player with this replay, at this step, as a standalone page. */
  async function takeAway() {
    const question = source?.question();
    if (!question) return;
    const { route, query, text } = question;
    const start = { page: 1, step: shown, symbols: choices.writing };
    const asked = client.replayPage(route, { ...query, ...start }, text);
    const page = await asked.catch((error) => void fill(problem, sentenceOf(error)));
    if (page) saveFile("replay.html", page);
  }

  /** @param {"text" | "options" | "story"} what */
  function sourceChanged(what) {
    if (what === "text") textChanged = true;
    memory.settingsChanged({});
    ask();
  }

  /** @param {string} text */
  function textEdited(text) {
    shared.text = text;
    Object.assign(settings, sourceOf(text));
    memory.textChanged();
  }

  /** @param {{tokenizer?: string, special?: boolean}} change */
  function shareSettings(change) {
    Object.assign(shared, change);
    Object.assign(settings, change);
    memory.settingsChanged(change);
  }

  /** @param {string} name */
  async function loadSample(name) {
    const loaded = await client.sample(name).catch(() => null);
    if (aborter.signal.aborted) return;
    if (!loaded) return fill(problem, "This text could not be loaded. Try again in a moment.");
    source?.useText(loaded.text);
    source?.showSample(name);
  }

  function tryOut() {
    if (!replay || replay.meta.story !== "learn") return;
    const learned = Math.max(0, player.position()) || replay.steps;
    choices.tried = { merges: learned, word: choices.tried?.word ?? "" };
    choices.story = "apply";
    choices.steps.apply = 0;
    source?.show();
    source?.focusText();
    sourceChanged("story");
  }

  function ask() {
    const question = source?.question() ?? null;
    setAsking(question !== null);
    if (question) return live.ask(question);
    live.drop();
    player.pause();
    fill(problem);
    playerNode.hidden = true;
  }

  /** Mark the page while a response to the latest request is pending. @param {boolean} asking */
  function setAsking(asking) {
    widget.toggleAttribute("data-asking", asking);
  }

  /** @param {string} message */
  function refused(message) {
    setAsking(false);
    player.pause();
    fill(problem, message);
    widget.classList.add("stale");
  }

  /** @param {keyof typeof CONNECTION} state */
  function showConnection(state) {
    fill(connection, CONNECTION[state]);
    widget.classList.toggle("stale", state !== "connected");
  }

  /** @param {Replay} newReplay */
  function load(newReplay) {
    setAsking(false);
    replay = newReplay;
    ranks = rankOf(replay);
    followed = null;
    revealed = new Set();
    predict.reset();
    fill(problem);
    widget.classList.remove("stale");
    playerNode.hidden = false;
    widget.dataset.story = replay.meta.story;
    const remembered = choices.steps[/** @type {"apply" | "learn"} */ (replay.meta.story)];
    const at = textChanged ? Math.min(0, remembered) : remembered;
    textChanged = false;
    const letters = /** @type {HTMLOptionElement} */ (writings.select.querySelector("[value=letters]"));
    letters.disabled = !hasLetters(replay);
    predictSwitch.input.disabled = !canPredict();
    predictOnly.hidden = canPredict();
    overview.load(replay, stage.isWindowed(replay));
    timeline.load(replay);
    merges.load(replay);
    player.load(firstPosition(replay), replay.steps, at);
  }

  // Position of the player

  /** @param {number} k @param {boolean} animated */
  function showPosition(k, animated) {
    if (!replay) return;
    for (const timer of timers) clearTimeout(timer);
    timers = [];
    if (isAsked(k)) player.pause();
    choices.steps[/** @type {"apply" | "learn"} */ (replay.meta.story)] = k;
    memory.settingsChanged({});
    widget.dataset.step = String(k);
    const follows = k === shown + 1 && k > 0;
    shown = k;
    if (animated && follows && !reducedMotion()) return goSlowly(k);
    showAll(k);
  }

  /** Draw everything, then scroll, so that the page is laid out only once. @param {number} k */
  function showAll(k) {
    const moves = followsAction();
    showStage(k, moves);
    showRest(k);
    if (moves) stage.scrollToNext();
  }

  /** Animate a merge whose pair is already marked: join, then counts, then the next mark. @param {number} k */
  function goSlowly(k) {
    stage.join({ ...view(k), next: false });
    const markNext = () => (showStage(k, true), stage.scrollToNext());
    timers = [setTimeout(() => showRest(k), COUNTS_AFTER_MS), setTimeout(markNext, NEXT_AFTER_MS)];
  }

  /** @param {number} k */
  function view(k) {
    return {
      replay: /** @type {Replay} */ (replay),
      k,
      writing: writing(),
      next: !isAsked(k),
      selected: followed,
      spoken: !(player.isPlaying() && player.isFast()),
    };
  }

  /** @param {number} k @param {boolean} moves true if the window may move to the next merge */
  function showStage(k, moves) {
    if (replay) stage.show(view(k), moves);
  }

  /** True if the stage may scroll to the next merge; during fast playback it would jump about. */
  function followsAction() {
    return !player.isPlaying() || player.isSlow();
  }

  /** Everything but the stage. @param {number} k */
  function showRest(k) {
    if (!replay) return;
    const asked = isAsked(k);
    const parts = captionAt(replay, k, writing());
    const fast = player.isPlaying() && player.isFast();
    fill(caption, ...(asked ? ["Which pair is joined next?"] : parts.map(chip)));
    if (!fast) fill(spoken, asked ? "Which pair is joined next?" : spokenOf(parts));
    timeline.hideAhead(choices.predict && canPredict() && k < replay.steps);
    timeline.show(k);
    merges.show(k, !(choices.predict && canPredict()));
    fill(figures, ...figuresAt(replay, k));
    followPane.show(replay, k, followed === null ? null : tokenAt(replay, followed, Math.max(0, k)));
    if (decode.node.open && !player.isPlaying()) showDecode();
    // Pairs can't be read in a sixtieth of a second, and on a long text counting them takes most of that time.
    if (fast && performance.now() - countedAt < COUNT_EVERY_MS) return;
    countedAt = performance.now();
    overview.show(k, !asked);
    showPairs(k, asked);
  }

  /** @param {number} k @param {boolean} asked */
  function showPairs(k, asked) {
    if (!replay) return;
    bars.node.hidden = k < 0;
    if (k < 0) return predict.clear();
    const ranking = rankPairs(replay, k, ranks, MAX_PAIRS);
    if (!asked) {
      bars.show(replay, k, ranking, writing());
      if (!revealed.has(k)) predict.clear();
      return;
    }
    bars.clear();
    const winner = ranking.top[0];
    const isRight = isWinner.bind(null, replay.meta.story === "learn", winner);
    predict.ask(replay, choicesFrom(ranking.top, pairsSeen(replay, k, ranks)), isRight, writing());
    // Scroll the choices out from under the player, which covers the lower edge; then the question above them.
    for (const node of [predict.node, caption]) node.scrollIntoView({ block: "nearest" });
  }

  function showDecode() {
    if (!replay) return;
    const k = Math.max(0, shown); // scenes have no tokens: use those before the first merge
    decode.show(replay, tokensAt(replay, k, stage.from(), replay.n).slice(0, 12));
  }

  /** @param {boolean} playing */
  function playingChanged(playing) {
    timeline.playing(playing);
    if (playing || !replay || !player.isFast()) return;
    showAll(shown);
    fill(spoken, `${summaryAt(replay, shown)} ${isAsked(shown) ? "" : spokenOf(captionAt(replay, shown, writing()))}`);
  }

  // Predicting

  function canPredict() {
    return replay !== null && (replay.meta.story === "learn" || replay.n <= MAX_PREDICT_SYMBOLS);
  }

  /** True if the merge after position k is still to be guessed. @param {number} k */
  function isAsked(k) {
    if (!replay || !choices.predict || !canPredict() || k < 0 || k >= replay.steps || revealed.has(k)) return false;
    return rankPairs(replay, k, ranks, 2).distinct > 1;
  }

  function reveal() {
    revealed.add(shown);
    showAll(shown);
  }

  /** @param {boolean} on_ */
  function setPredict(on_) {
    revealed = new Set();
    predict.clear();
    predict.reset();
    set({ predict: on_ });
    player.pause();
    player.seek(shown);
  }

  /** Go to the next step, or reveal the answer if a question is open. */
  function next() {
    if (isAsked(shown)) reveal();
    else player.next();
  }

  function playOrPause() {
    if (isAsked(shown)) reveal();
    else player.toggle();
  }

  // Following one token

  /** @param {number | null} symbol */
  function follow(symbol) {
    followed = symbol;
    if (!replay) return;
    if (symbol !== null) stage.reveal(symbol);
    showStage(shown, false);
    followPane.show(replay, shown, symbol === null ? null : tokenAt(replay, symbol, Math.max(0, shown)));
  }

  /** @param {-1 | 1} by */
  function walk(by) {
    if (!replay?.n) return;
    if (shown < 0) player.seek(0); // the scenes before have no tokens
    const k = Math.max(0, shown);
    if (followed === null) return follow(stage.from());
    const start = tokenAt(replay, followed, k);
    const to = by > 0 ? endOf(replay, start, k) : start - 1;
    follow(Math.max(0, Math.min(replay.n - 1, to)));
  }

  // Settings of the page

  /** @param {Partial<Choices>} change */
  function set(change) {
    Object.assign(choices, change);
    memory.settingsChanged({});
  }

  /** @param {Choices["writing"]} writing */
  function setWriting(writing) {
    writings.select.value = writing;
    set({ writing });
    if (!replay) return;
    showStage(shown, false);
    showRest(shown);
  }

  function writing() {
    return choices.writing === "letters" && replay && !hasLetters(replay) ? "text" : choices.writing;
  }

  // Keys

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const action = actionOf(event);
    if (!action || !replay || playerNode.hidden) return;
    event.preventDefault();
    const acts = {
      next,
      back: () => player.back(),
      toggle: playOrPause,
      first: () => player.seek(-Infinity),
      last: () => player.seek(Infinity),
      help: toggleHelp,
    };
    acts[action]();
  }

  function toggleHelp() {
    help.hidden = !help.hidden;
  }

  /** Handle the player's keys wherever focus is, in presenter mode and on a standalone page. */
  function watchPresenting() {
    /** @type {AbortController | null} */
    let listening = null;
    const update = () => {
      const presenting = standalone || [root, widget].some(({ classList }) => classList.contains("present"));
      if (presenting === (listening !== null)) return;
      listening?.abort();
      listening = presenting ? new AbortController() : null;
      if (replay) stage.scrollToNext();
      if (listening) document.addEventListener("keydown", pressed, { capture: true, signal: listening.signal });
    };
    const observer = new MutationObserver(update);
    for (const watched of [root, widget]) observer.observe(watched, { attributes: true, attributeFilter: ["class"] });
    aborter.signal.addEventListener("abort", () => (observer.disconnect(), listening?.abort()));
    update();
  }

  decode.node.addEventListener("toggle", showDecode, { signal: aborter.signal });

  return {
    /** @param {any} newer new choices of tokenizers; the replay on screen is kept */
    update(newer) {
      data = newer;
      source?.update(newer);
    },
    dispose() {
      aborter.abort();
      presenter?.dispose();
      share?.dispose();
      opening?.dispose();
      for (const timer of timers) clearTimeout(timer);
      for (const part of [player, stage, live, memory, typing]) part.dispose();
      widget.remove();
    },
  };
}

/** @param {import("./captions.js").Part} part */
function chip(part) {
  return typeof part === "string" ? part : element("code", { class: part.fresh ? "fresh" : null }, part.name);
}

/** @param {Replay} replay @param {number} k */
function figuresAt({ tokenCounts, data, meta }, k) {
  const tokens = k < 0 ? 0 : tokenCounts[k]; // the scenes before the merges have none
  const figures = [["tokens left", tokens ? number(tokens) : "–"]];
  figures.push(["bytes per token", tokens ? (data.length / tokens).toFixed(2) : "–"]);
  if (meta.story === "learn") figures.push(["in the vocabulary", number(meta.alphabet + Math.max(0, k))]);
  return figures.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", { "data-figure": name }, value)),
  );
}

/**
 * Pairs after k steps, in the order first seen.
 *
 * @param {Replay} replay
 * @param {number} k
 * @param {(left: number, right: number) => number} ranks
 */
function pairsSeen(replay, k, ranks) {
  const { lefts, rights, values, size } = countPairs(replay, k);
  return Array.from({ length: size }, (_, i) => ({
    left: lefts[i],
    right: rights[i],
    count: values[i],
    rank: ranks(lefts[i], rights[i]),
  }));
}

/** @param {import("../shared/page/memory.js").Settings} settings */
function initialText({ source, escapes }) {
  if (source === null) return FIRST_TEXT;
  return escapes ? readEscapes(source).text : source;
}

function reducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Names of the tokenizers that have merges. @param {{name: string, kind: string}[]} tokenizers */
const namesOf = (tokenizers) => tokenizers.filter(({ kind }) => kind === "bpe").map(({ name }) => name);
