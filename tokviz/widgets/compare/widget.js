/**
 * The Compare page: where tokenizers differ on one text, by how much, and why. This module connects the parts.
 *
 * Data flows one way: the editor's text and the chosen tokenizers make a request, the response becomes a comparison,
 * and every part shows it.
 */

import { Client, Refusal } from "../shared/net/client.js";
import { Latest } from "../shared/net/latest.js";
import { debounce, element, fill, menu, toggle } from "../shared/dom/elements.js";
import { Editor } from "../shared/ui/editor.js";
import { readFields, unpackText } from "../shared/net/links.js";
import { createMemory, recall } from "../shared/page/memory.js";
import { Opening } from "../shared/ui/opening.js";
import { PageText } from "../shared/page/pagetext.js";
import { createPresenter } from "../shared/page/presenter.js";
import { createSaving } from "../shared/ui/saving.js";
import { ownOf } from "../shared/net/recipes.js";
import { Share } from "../shared/ui/share.js";
import { createStore } from "../shared/page/store.js";
import { keepTyping } from "../shared/page/typing.js";
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

/** @typedef {import("../shared/net/client.js").Comparing} Question */
/** @typedef {import("./model.js").Comparison} Comparison */
/** @typedef {import("./link.js").Settings} Settings */

/**
 * Maximum text, in UTF-16 units, whose reasons come with the comparison. Reasons take a few times as long as
 * tokenizing, so a longer text needs a second, later request.
 */
const REASONS_AT_ONCE = 20_000;
const REASONS_AFTER_MS = 400;
const SENTENCES_AFTER_MS = 80;

/** The file format that is a web page. @type {[format: string, label: string, says: string]} */
const PAGE = ["html", "web page", "The aligned view of the whole text with all reasons, in one file that opens without a network"];

const CONNECTION = {
  connected: "",
  slow: "No answer yet: your text is safe, the bands will catch up",
  lost: "Not connected: your text is safe, the bands will catch up",
};

/**
 * @param {HTMLElement} root
 * @param {any} data `base`: the app's root; `state`: the session's state, or null; `start`: the initial sample;
 *   `tokenizers`, `samples`, `kinds`: the choices
 * @param {{text: (text: string) => boolean | void, state: (view: any) => void}} on `text`: called when typing pauses;
 *   `state`: called at each change of a setting
 */
export function mount(root, data, on) {
  const client = new Client(data.base);
  const store = createStore(data.base);
  const link = readFields(location.hash);
  const fromLink = link && linked(link, data);
  const stored = store.read();
  /** Settings shared by all pages, and under `compare` those of this page. */
  const settings = { ...recall(data.state, stored, namesOf(data.tokenizers)), compare: { ...DEFAULTS, ...stored?.compare } };
  if (fromLink) Object.assign(settings, fromLink.shared, { compare: { ...settings.compare, ...fromLink.settings } });
  /** @type {Settings} */
  const pageSettings = settings.compare;
  pageSettings.tokenizers = readable(pageSettings.tokenizers.filter((name) => namesOf(data.tokenizers).includes(name)));
  const aborter = new AbortController();

  /** @type {Comparison | null} */
  let comparison = null;
  /** The selected segment, and the segment linkContent on the card. @type {number | null} */
  let chosen = null;
  /** @type {number | null} */
  let cardSegment = null;
  /** The server's message if it gave no reasons for this comparison. */
  let reasonsRefusal = "";
  /** Byte offset of the difference to start at, from a link. @type {number | null} */
  let startByte = null;

  const editor = new Editor({
    change: () => pageText.changed(),
    caret: () => {},
    leave: () => memory.leave(),
    tooLong: () => pageText.tooLong(),
  });
  const memory = createMemory(settings, () => editor.reading().text, store, on, readerTextBehindTour);
  const chooser = createChooser((tokenizers) => (setPageSettings({ tokenizers }), ask()));
  const shell = {
    ...{ data, client, link },
    report: (/** @type {string} */ sentence) => fill(problem, sentence),
    get isDisposed() {
      return aborter.signal.aborted;
    },
  };
  const pageText = new PageText(shell, settings, { editor, memory }, {
    ask,
    escaped: () => void (pageText.escapes.hidden = false),
  });
  // Show the switch only when the text is written with escapes; otherwise there is no room for it.
  pageText.escapes.hidden = !settings.escapes;
  const totals = createTotals();
  const bill = createBill(
    { window: settings.window, prices: pageSettings.prices },
    { window: setWindow, prices: (prices) => setPageSettings({ prices: { ...prices } }) },
  );
  const sources = createSources(goTo);
  const texts = createTexts(pageSettings, {
    ask: (asked, signal) => client.texts({ ...asked, special: settings.special }, signal),
    change: setPageSettings,
    sample: (name) => client.sample(name),
    useFirst: (text) => pageText.replace(text),
  });
  const explaining = createExplaining((text, segments, goesOn) => client.explain({ ...question(), text }, segments, goesOn));
  const differences = createDifferences(
    { reason: pageSettings.reason, kind: pageSettings.kind },
    {
      go: (segment) => (choose(segment, true), follow()),
      filter: (filter) => setPageSettings(filter),
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
  const viewMenu = menu("View", [["aligned", "aligned"], ["sides", "side by side"]], pageSettings.view, (view) =>
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
  /**
   * The reader's text, which the tour's text replaces.
   *
   * @type {{text: string, source: string, escapes: boolean, lang: string} | null}
   */
  let readerText = null;
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
  const share = new Share(client, linkContent);
  const opening = new Opening(widget, { use: (text) => pageText.replace(text, ""), problem: (sentence) => fill(problem, sentence) });
  tools.append(opening.node, share.node, presenter.enter);
  widget.append(share.dialog, opening.dialog, presenter.leave);

  const score = createScore(scorePane, { point, select: (segment) => choose(segment, false), walk });
  const sides = createSides({ point, select: (segment) => choose(segment, false) });
  scorePane.append(sides.node);
  const card = createCard(cardPane);
  cardPane.append(tour.start);

  const live = new Latest(compare, { answer: showAnswer, refusal: showProblem, connection: showConnection });
  const reasonsLate = new Latest((/** @type {Question} */ asked, signal) => client.reasons(asked, signal), {
    answer: showReasons,
    refusal: (message) => {
      reasonsRefusal = message;
      showCard(cardSegment);
    },
  });
  const askReasons = debounce(() => reasonsLate.ask(question()), REASONS_AFTER_MS);
  const askSentences = debounce(() => void loadSentences(), SENTENCES_AFTER_MS);
  window.addEventListener("pagehide", () => memory.leave(), { signal: aborter.signal });
  // A tokviz link pasted into the address bar of this page.
  window.addEventListener("hashchange", () => readFields(location.hash) && location.reload(), { signal: aborter.signal });

  chooser.update(data.tokenizers, pageSettings.tokenizers);
  setView(pageSettings.view);
  card.show(null, null, null);
  void begin();

  // Initial state and links

  async function begin() {
    await pageText.begin(fromLink);
    if (aborter.signal.aborted || !link || !fromLink) return;
    startByte = fromLink.at;
    if (!link.second) return;
    const second = await unpackText(link.second).catch((error) => void fill(pageText.note, error.message));
    if (typeof second === "string" && !aborter.signal.aborted) texts.setSecond(second);
  }

  /** Content of a link to the current view. */
  async function linkContent() {
    const at = comparison && chosen !== null ? comparison.boundaries[chosen] : null;
    const sample = pageText.sample();
    const text = sample ? null : editor.reading().text;
    const names = pageSettings.second ? [...pageSettings.tokenizers, pageSettings.textTokenizer] : pageSettings.tokenizers;
    return { fields: await linkFields(pageSettings, settings, sample, at), text, own: ownOf(names, data.tokenizers) };
  }

  // Settings

  /** @param {Partial<Settings>} change */
  function setPageSettings(change) {
    Object.assign(pageSettings, change);
    memory.settingsChanged({});
  }

  /** @param {string} size of the context window */
  function setWindow(size) {
    settings.window = size;
    memory.settingsChanged({});
  }

  /** @param {Settings["view"]} view */
  function setView(view) {
    setPageSettings({ view });
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
    return { text: editor.reading().text, tokenizers: pageSettings.tokenizers, special: settings.special };
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
    reasonsRefusal = "";
    fill(problem);
    widget.classList.remove("stale");
    score.show(comparison, settings.lang);
    if (pageSettings.view === "sides") sides.show(comparison, settings.lang);
    totals.show(comparison);
    bill.show(comparison, asked.tokenizers);
    sources.show(comparison);
    texts.update(asked.text, offersOf(asked.tokenizers, comparison.names));
    differences.show(comparison);
    chosen = null;
    showCard(null);
    if (before !== null) keepChosen(before);
    if (startByte !== null) goTo(firstAbove(comparison.boundaries, startByte) - 1);
    startByte = null;
    if (asked.text.length > REASONS_AT_ONCE) askReasons.later();
    tour.show(comparison);
  }

  /** Keep the position when the same text is compared with other tokenizers. @param {number} place in UTF-16 units */
  function keepChosen(place) {
    const current = /** @type {Comparison} */ (comparison);
    const found = current.differing.find((segment) => placeOf(current, segment)[1] > place);
    if (found === undefined) return;
    differences.standAt(found);
    choose(found, true);
  }

  /** Go to a segment, if it exists. @param {number} segment */
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
    showCard(cardSegment);
  }

  /** Show why the server refused the request. @param {string} message */
  function showProblem(message) {
    fill(problem, message);
    widget.classList.add("stale");
  }

  /** @param {keyof typeof CONNECTION} state */
  function showConnection(state) {
    fill(connection, CONNECTION[state]);
    widget.classList.toggle("stale", state !== "connected");
  }

  // Files and the tour

  /** @param {string} format */
  async function makeFile(format) {
    if (format === "html") return client.comparePage(question(), settings.lang);
    if (!comparison || widget.classList.contains("stale")) throw new Refusal("The text above is not compared, so there is nothing to save.");
    return differences.file(format);
  }

  /** Show the opening text, and keep the reader's own. Resolves to false if the opening text could not be loaded. */
  async function prepareTour() {
    if (pageText.sample() === data.start) return true;
    const { lang } = settings;
    readerText = { text: editor.reading().text, source: editor.source(), escapes: editor.escapes(), lang };
    await pageText.loadSample(data.start);
    if (aborter.signal.aborted) return false;
    if (!readerTextBehindTour()) readerText = null; // the tour's text could not be loaded
    return readerText !== null;
  }

  /**
   * The reader's own text while the tour's replaces it; null once they edit the tour's text, which then becomes theirs.
   */
  function readerTextBehindTour() {
    return pageText.sample() === data.start ? readerText : null;
  }

  /** Scroll so that the text and its explanation are at the same position on screen at every stop. */
  function arriveAtStop() {
    widget.classList.add("touring");
    panes.scrollIntoView();
  }

  /** Restore the reader's own text. */
  function endTour() {
    widget.classList.remove("touring");
    walk("leave");
    const restored = readerTextBehindTour();
    if (restored) pageText.replace(restored.text, restored.lang);
    readerText = null;
  }

  // Selecting a segment

  /** @param {number | null} segment */
  function point(segment) {
    showCard(segment ?? chosen);
  }

  /** @param {number} segment @param {boolean} scroll */
  function choose(segment, scroll) {
    chosen = segment;
    score.choose(segment);
    if (scroll) (pageSettings.view === "sides" ? sides : score).scrollTo(segment);
    else differences.standAt(segment);
    showCard(segment);
  }

  /** Scroll the page to the chosen segment, keeping the navigation buttons visible and in place. */
  function follow() {
    const box = pageSettings.view === "sides" ? sides.node : score.node;
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
    cardSegment = segment;
    const difference = comparison && segment !== null ? differenceOf(comparison, segment) : -1;
    if (!comparison || segment === null || difference < 0) return card.show(comparison, segment, null);
    const sentences = explaining.recall(comparison, segment);
    const place = differences.placeOf(difference);
    card.show(comparison, segment, { place, bits: comparison.bits[difference], refusal: reasonsRefusal, sentences });
    if (!sentences) askSentences.later();
    else if (segment === chosen) fill(spoken, `${place}. ${sentences.filter(Boolean).join(" ")}`);
  }

  async function loadSentences() {
    if (!comparison || cardSegment === null) return;
    const [asked, segment] = [comparison, cardSegment];
    const [found] = await explaining.explain(asked, [segment]).catch(() => [null]);
    if (found && asked === comparison && segment === cardSegment) showCard(segment);
  }

  return {
    /** @param {any} newer new choices; the editor's text belongs to the reader and is kept */
    update(newer) {
      data = newer;
      chooser.update(data.tokenizers, pageSettings.tokenizers);
    },
    dispose() {
      aborter.abort();
      memory.dispose();
      for (const timer of [askReasons, askSentences]) timer.cancel();
      for (const part of [live, reasonsLate, score, sides, texts, card, share, opening, presenter, typing]) part.dispose();
      widget.remove();
    },
  };
}

/**
 * Index of a segment among the differences; -1 if all cut it alike.
 *
 * @param {Comparison} comparison
 * @param {number} segment
 */
function differenceOf({ differing, isDiffering }, segment) {
  return isDiffering[segment] ? differing.indexOf(segment) : -1;
}

/** @param {string[]} ids @param {string[]} names @returns {[string, string][]} */
const offersOf = (ids, names) => ids.map((id, t) => [id, names[t]]);

/** @param {{name: string}[]} tokenizers @returns {string[]} */
const namesOf = (tokenizers) => tokenizers.map(({ name }) => name);
