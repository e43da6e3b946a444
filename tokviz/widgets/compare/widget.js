/**
 * The Compare page: where tokenizers differ on one text, by how much, and why. This module wires the parts together.
 *
 * Data flows one way: the editor's text and the chosen tokenizers make a question, the server answers, the answer
 * becomes a comparison, and every part shows it.
 */

import { createClient, latest, Refusal } from "../shared/client.js";
import { debounce, element, fill, menu, toggle } from "../shared/elements.js";
import { createEditor } from "../shared/editor.js";
import { readFields, unpackText } from "../shared/links.js";
import { createMemory, recall } from "../shared/memory.js";
import { createOpening } from "../shared/opening.js";
import { createPageText } from "../shared/pagetext.js";
import { createPresenter } from "../shared/presenter.js";
import { createSaving } from "../shared/saving.js";
import { ownOf } from "../shared/recipes.js";
import { createShare } from "../shared/share.js";
import { createStore } from "../shared/store.js";
import { keepTyping } from "../shared/typing.js";
import { createBill } from "./bill.js";
import { createCard } from "./card.js";
import { createChooser } from "./chooser.js";
import { createDifferences } from "./differences.js";
import { createExplaining } from "./explaining.js";
import { DEFAULTS, linked, linkFields, readable } from "./link.js";
import { firstAbove, makeComparison, placeOf, reasonBits } from "./model.js";
import { createScore } from "./score.js";
import { createSides } from "./sides.js";
import { createSources } from "./sources.js";
import { createTexts } from "./texts.js";
import { createTotals } from "./totals.js";
import { createTour } from "./tour.js";

/** @typedef {import("../shared/client.js").Comparing} Question */
/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("./link.js").Settings} Settings */

/** Reasons take a few times as long as cutting: those of longer texts are asked for in a second, later request. */
const REASONS_AT_ONCE = 20_000;
const REASONS_AFTER_MS = 400;
const SENTENCES_AFTER_MS = 80;

/** @type {[format: string, label: string, says: string]} */
const PAGE = ["html", "web page", "The aligned view of the whole text with all reasons, in one file that opens without a network"];

const CONNECTION = {
  connected: "",
  slow: "No answer yet: your text is safe, the bands will catch up",
  lost: "Not connected: your text is safe, the bands will catch up",
};

/**
 * @param {HTMLElement} root
 * @param {any} data `base`: the app's root; `state`: what the session knows, or null; `start`: the sample to begin with;
 *   `tokenizers`, `samples`, `kinds`: what there is to choose
 * @param {{text: (text: string) => boolean | void, state: (view: any) => void}} on told when the typist pauses; at each setting
 */
export function mount(root, data, on) {
  const client = createClient(data.base);
  const store = createStore(data.base);
  const link = readFields(location.hash);
  const fromLink = link && linked(link, data);
  const stored = store.read();
  /** What all pages share, and under `compare` what only this one has. */
  const settings = { ...recall(data.state, stored, namesOf(data.tokenizers)), compare: { ...DEFAULTS, ...stored?.compare } };
  if (fromLink) Object.assign(settings, fromLink.shared, { compare: { ...settings.compare, ...fromLink.settings } });
  /** @type {Settings} */
  const own = settings.compare;
  own.tokenizers = readable(own.tokenizers.filter((name) => namesOf(data.tokenizers).includes(name)));
  const gone = new AbortController();

  /** @type {Comparison | null} */
  let comparison = null;
  /** The segment that was walked to or clicked, and the one that the card shows. @type {number | null} */
  let chosen = null;
  /** @type {number | null} */
  let onCard = null;
  /** Why the server gave no reasons for this comparison. */
  let noReasons = "";
  /** The byte of the difference to begin with, as a link has it. @type {number | null} */
  let beginAt = null;

  const editor = createEditor({
    change: () => pageText.changed(),
    caret: () => {},
    leave: () => memory.leave(),
    tooLong: () => pageText.tooLong(),
  });
  const memory = createMemory(settings, () => editor.reading().text, store, on, ownText);
  const chooser = createChooser((tokenizers) => (setOwn({ tokenizers }), ask()));
  const parts = { editor, memory, client };
  const pageText = createPageText(data, settings, parts, {
    ask,
    problem: (sentence) => fill(problem, sentence),
    escaped: () => (pageText.escapes.hidden = false),
  });
  // Where the text is written with escapes, one must see it; otherwise there is no room for the switch.
  pageText.escapes.hidden = !settings.escapes;
  const totals = createTotals();
  const bill = createBill(
    { window: settings.window, prices: own.prices },
    { window: setWindow, prices: (prices) => setOwn({ prices: { ...prices } }) },
  );
  const sources = createSources(goTo);
  const texts = createTexts(own, {
    ask: (asked, signal) => client.texts({ ...asked, special: settings.special }, signal),
    change: setOwn,
    sample: (name) => client.sample(name),
    useFirst: pageText.replace,
  });
  const explaining = createExplaining((text, segments, goesOn) => client.explain({ ...question(), text }, segments, goesOn));
  const differences = createDifferences(
    { reason: own.reason, kind: own.kind },
    {
      go: (segment) => (choose(segment, true), follow()),
      filter: (filter) => setOwn(filter),
      explain: (segments) => (comparison ? explaining.explain(comparison, segments) : Promise.resolve([])),
    },
  );
  const specialSwitch = toggle(
    "special tokens",
    settings.special,
    setSpecial,
    "Read <|endoftext|> and its like as control tokens, not as text",
  );

  const connection = element("p", { class: "connection", role: "status" });
  const problem = element("p", { class: "problem", role: "alert" });
  const spoken = element("p", { class: "unseen", role: "status" });
  const viewMenu = menu("View", [["aligned", "aligned"], ["sides", "side by side"]], own.view, (view) =>
    setView(/** @type {Settings["view"]} */ (view)),
  );
  const saving = createSaving("Save the differences", "differences", [...differences.formats, PAGE], makeFile);
  const tour = createTour({
    prepare: prepareTour,
    stop: (segment) => {
      differences.standAt(segment);
      choose(segment, true);
    },
    arrive: arriveAtStop,
    end: endTour,
  });
  /** What the tour's text stands in for. @type {{text: string, source: string, escapes: boolean, lang: string} | null} */
  let setAside = null;
  const scorePane = element("div", { class: "score-pane" });
  const cardPane = element("div", { class: "card-pane" }, tour.node);
  const panes = element("div", { class: "panes" }, scorePane, cardPane);

  const tools = element("div", { class: "row tools" });
  const widget = element(
    "div",
    { class: "tokviz compare", keydown: pressed },
    element("div", { class: "row top" }, pageText.presets, tools),
    pageText.note,
    chooser.node,
    editor.node,
    totals.node,
    element("div", { class: "row settings" }, differences.node, differences.filters, viewMenu.node, specialSwitch.node, pageText.escapes),
    connection,
    problem,
    spoken,
    panes,
    differences.about,
    differences.table,
    saving.node,
    bill.node,
    sources.divergence,
    sources.node,
    texts.node,
  );
  root.append(widget);

  const presenter = createPresenter(widget, data.presenting);
  const typing = keepTyping(widget);
  const share = createShare(client, shown);
  const opening = createOpening(widget, { use: (text) => pageText.replace(text, ""), problem: (sentence) => fill(problem, sentence) });
  tools.append(opening.node, share.node, presenter.enter);
  widget.append(share.dialog, opening.dialog, presenter.leave);

  const score = createScore(scorePane, { point, select: (segment) => choose(segment, false), walk });
  const sides = createSides({ point, select: (segment) => choose(segment, false) });
  scorePane.append(sides.node);
  const card = createCard(cardPane);
  cardPane.append(tour.start);

  const live = latest(compare, { answer: showAnswer, refusal: showProblem, connection: showConnection });
  const reasonsLate = latest((/** @type {Question} */ asked, signal) => client.reasons(asked, signal), {
    answer: showReasons,
    refusal: (message) => {
      noReasons = message;
      showCard(onCard);
    },
  });
  const askReasons = debounce(() => reasonsLate.ask(question()), REASONS_AFTER_MS);
  const askSentences = debounce(() => void loadSentences(), SENTENCES_AFTER_MS);
  window.addEventListener("pagehide", () => memory.leave(), { signal: gone.signal });
  // A link of ours that is put into the address of this very page.
  window.addEventListener("hashchange", () => readFields(location.hash) && location.reload(), { signal: gone.signal });

  chooser.update(data.tokenizers, own.tokenizers);
  setView(own.view);
  card.show(null, null, null);
  void begin();

  // Beginning, and what is shared

  async function begin() {
    await pageText.begin(link, fromLink);
    if (gone.signal.aborted || !link || !fromLink) return;
    beginAt = fromLink.at;
    if (!link.second) return;
    const second = await unpackText(link.second).catch((error) => void fill(pageText.note, error.message));
    if (typeof second === "string" && !gone.signal.aborted) texts.setSecond(second);
  }

  /** What is on screen, for a link. */
  async function shown() {
    const at = comparison && chosen !== null ? comparison.boundaries[chosen] : null;
    const sample = pageText.sample();
    const text = sample ? null : editor.reading().text;
    const names = own.second ? [...own.tokenizers, own.textTokenizer] : own.tokenizers;
    return { fields: await linkFields(own, settings, sample, at), text, own: ownOf(names, data.tokenizers) };
  }

  // A setting changes

  /** @param {Partial<Settings>} change */
  function setOwn(change) {
    Object.assign(own, change);
    memory.settingsChanged({});
  }

  /** @param {string} size of the context window */
  function setWindow(size) {
    settings.window = size;
    memory.settingsChanged({});
  }

  /** @param {Settings["view"]} view */
  function setView(view) {
    setOwn({ view });
    const isAligned = view === "aligned";
    score.node.hidden = !isAligned;
    sides.node.hidden = isAligned;
    if (isAligned) sides.dispose();
    else if (comparison) sides.show(comparison, settings.lang);
  }

  /** @param {boolean} special */
  function setSpecial(special) {
    settings.special = special;
    memory.settingsChanged({ special });
    ask();
  }

  /** @returns {Question} */
  function question() {
    return { text: editor.reading().text, tokenizers: own.tokenizers, special: settings.special };
  }

  function ask() {
    live.ask(question());
  }

  // Answers

  /** @param {Question} asked @param {AbortSignal} signal */
  function compare(asked, signal) {
    return client.compare(asked, asked.text.length <= REASONS_AT_ONCE, signal);
  }

  /** @param {any} answer @param {Question} asked */
  function showAnswer(answer, asked) {
    const before = comparison && chosen !== null && comparison.text === asked.text ? placeOf(comparison, chosen)[0] : null;
    comparison = makeComparison(asked.text, answer);
    noReasons = "";
    fill(problem);
    widget.classList.remove("stale");
    score.show(comparison, settings.lang);
    if (own.view === "sides") sides.show(comparison, settings.lang);
    totals.show(comparison);
    bill.show(comparison, asked.tokenizers);
    sources.show(comparison);
    texts.update(asked.text, offersOf(asked.tokenizers, comparison.names));
    differences.show(comparison);
    chosen = null;
    showCard(null);
    if (before !== null) keepChosen(before);
    if (beginAt !== null) goTo(firstAbove(comparison.boundaries, beginAt) - 1);
    beginAt = null;
    if (asked.text.length > REASONS_AT_ONCE) askReasons.later();
    tour.show(comparison);
  }

  /** The same text under other tokenizers: stay at the place. @param {number} place */
  function keepChosen(place) {
    const shownNow = /** @type {Comparison} */ (comparison);
    const found = shownNow.differing.find((segment) => placeOf(shownNow, segment)[1] > place);
    if (found === undefined) return;
    differences.standAt(found);
    choose(found, true);
  }

  /** Go to a segment, if there is one of that number. @param {number} segment */
  function goTo(segment) {
    if (!comparison || segment >= comparison.isDiffering.length) return;
    differences.standAt(segment);
    choose(segment, true);
    follow();
  }

  /** @param {any} answer @param {Question} asked */
  function showReasons(answer, asked) {
    if (!comparison || asked.text !== comparison.text || answer.reasons_1?.length !== comparison.differing.length) return;
    comparison.bits = reasonBits(answer, asked.tokenizers.length, comparison.differing.length);
    differences.show(comparison);
    showCard(onCard);
  }

  /** The server can't compare on this text, and says why. @param {string} message */
  function showProblem(message) {
    fill(problem, message);
    widget.classList.add("stale");
  }

  /** @param {keyof typeof CONNECTION} state */
  function showConnection(state) {
    fill(connection, CONNECTION[state]);
    widget.classList.toggle("stale", state !== "connected");
  }

  // What leads elsewhere: files, the tour

  /** @param {string} format */
  async function makeFile(format) {
    if (format === "html") return client.comparePage(question(), settings.lang);
    if (!comparison || widget.classList.contains("stale")) throw new Refusal("The text above is not compared, so there is nothing to save.");
    return differences.file(format);
  }

  /** Put the opening text onto the page, and remember the reader's own. */
  async function prepareTour() {
    if (pageText.sample() === data.start) return true;
    const { lang } = settings;
    setAside = { text: editor.reading().text, source: editor.source(), escapes: editor.escapes(), lang };
    await pageText.loadSample(data.start);
    if (gone.signal.aborted) return false;
    if (!ownText()) setAside = null; // the tour's text did not come
    return setAside !== null;
  }

  /** The reader's own text while the tour's stands in for it; null once they go on with the tour's, which makes it theirs. */
  function ownText() {
    return pageText.sample() === data.start ? setAside : null;
  }

  /** The text and what is said of it stand at the same place of the screen at every stop. */
  function arriveAtStop() {
    widget.classList.add("touring");
    panes.scrollIntoView();
  }

  /** Give the reader's own text back. */
  function endTour() {
    widget.classList.remove("touring");
    walk("leave");
    const own = ownText();
    if (own) pageText.replace(own.text, own.lang);
    setAside = null;
  }

  // One segment: pointed at, walked to

  /** @param {number | null} segment */
  function point(segment) {
    showCard(segment ?? chosen);
  }

  /** @param {number} segment @param {boolean} scroll */
  function choose(segment, scroll) {
    chosen = segment;
    score.choose(segment);
    if (scroll) (own.view === "sides" ? sides : score).scrollTo(segment);
    else differences.standAt(segment);
    showCard(segment);
  }

  /** The page follows to where one was led, so far that the buttons that lead on are in sight, too, and stand still. */
  function follow() {
    const box = own.view === "sides" ? sides.node : score.node;
    const { top, bottom } = (box.querySelector(".block.chosen, .t.same") ?? box).getBoundingClientRect();
    if (top < 0 || bottom > window.innerHeight) differences.node.scrollIntoView();
  }

  /** @param {"next" | "previous" | "first" | "last" | "leave"} where */
  function walk(where) {
    if (where !== "leave") return differences.walk(where);
    chosen = null;
    score.choose(null);
    showCard(null);
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    event.stopPropagation(); // Streamlit listens for single letters at the document
    const typing = /** @type {Element} */ (event.composedPath()[0]).matches?.("textarea, input, select");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "n") tour.isOn() ? tour.step(1) : differences.walk("next");
    if (event.key === "p") tour.isOn() ? tour.step(-1) : differences.walk("previous");
  }

  /** @param {number | null} segment */
  function showCard(segment) {
    onCard = segment;
    const difference = comparison && segment !== null ? differenceOf(comparison, segment) : -1;
    if (!comparison || segment === null || difference < 0) return card.show(comparison, segment, null);
    const sentences = explaining.recall(comparison, segment);
    const place = differences.placeOf(difference);
    card.show(comparison, segment, { place, bits: comparison.bits[difference], refusal: noReasons, sentences });
    if (!sentences) askSentences.later();
    else if (segment === chosen) fill(spoken, `${place}. ${sentences.filter(Boolean).join(" ")}`);
  }

  async function loadSentences() {
    if (!comparison || onCard === null) return;
    const [asked, segment] = [comparison, onCard];
    const [found] = await explaining.explain(asked, [segment]).catch(() => [null]);
    if (found && asked === comparison && segment === onCard) showCard(segment);
  }

  return {
    /** @param {any} newer new choices; the editor's text is the reader's and stays as it is */
    update(newer) {
      data = newer;
      chooser.update(data.tokenizers, own.tokenizers);
    },
    dispose() {
      gone.abort();
      memory.dispose();
      for (const timer of [askReasons, askSentences]) timer.cancel();
      for (const part of [pageText, live, reasonsLate, score, sides, texts, card, share, opening, presenter, typing]) part.dispose();
      widget.remove();
    },
  };
}

/** The number of a segment among the differences; -1 if all cut it alike. @param {Comparison} comparison @param {number} segment */
function differenceOf({ differing, isDiffering }, segment) {
  return isDiffering[segment] ? differing.indexOf(segment) : -1;
}

/** @param {string[]} ids @param {string[]} names @returns {[string, string][]} */
const offersOf = (ids, names) => ids.map((id, t) => [id, names[t]]);

/** @param {{name: string}[]} tokenizers @returns {string[]} */
const namesOf = (tokenizers) => tokenizers.map(({ name }) => name);
