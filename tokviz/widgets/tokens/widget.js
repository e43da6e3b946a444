/**
 * The Tokens page: an editor and the tokens of its text. This module wires the parts together.
 *
 * Data flows one way: the editor's text and the settings form a question, the server answers, the answer becomes a
 * model, and every part shows the model.
 */

import { Client, sentenceOf } from "../shared/net/client.js";
import { Latest } from "../shared/net/latest.js";
import { Editor } from "../shared/ui/editor.js";
import { button, debounce, element, fill, menu, plural, toggle } from "../shared/dom/elements.js";
import { readFields } from "../shared/net/links.js";
import { withSigns } from "../shared/text/marks.js";
import { createMemory, recall } from "../shared/page/memory.js";
import { Opening } from "../shared/ui/opening.js";
import { PageText } from "../shared/page/pagetext.js";
import { Picker } from "../shared/ui/picker.js";
import { createPresenter } from "../shared/page/presenter.js";
import { ownOf } from "../shared/net/recipes.js";
import { Share } from "../shared/ui/share.js";
import { isUnknown } from "../shared/text/speak.js";
import { createStore } from "../shared/page/store.js";
import { makeTokenization, tokenAt, tokenEnd } from "../shared/text/tokenization.js";
import { keepTyping } from "../shared/page/typing.js";
import { createCard } from "../token_view/card.js";
import { COLORINGS, createLegend, ranksById } from "../token_view/colors.js";
import { createCounts } from "./counts.js";
import { createExport } from "./export.js";
import { createIds } from "./ids.js";
import { linked, linkFields } from "./link.js";
import { createLookup } from "./lookup.js";
import { pretokensOf } from "../token_view/pretokens.js";
import { createTries } from "./trybuttons.js";
import {
  afterwards,
  describeChange,
  describeSpace,
  describeWord,
  putSpaceInFront,
  tokensAround,
  tokensOf,
  useCapital,
  writeInAnotherLanguage,
} from "./tries.js";
import { TokenView } from "../token_view/view.js";

/** @typedef {import("../shared/net/client.js").Question} Question */
/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {import("./tries.js").Change} Change */

const WORDS = "words";
/** Maximum text length counted in the same request; longer texts are colored first and counted in a later request. */
const COUNT_WITH_TOKENS = 20_000;
const COUNT_AFTER_MS = 400;
const DETAILS_AFTER_MS = 80;
/** The caret's token is scrolled into view when typing pauses, since that makes the browser lay out the page. */
const CARET_AFTER_MS = 120;
/** Maximum token details cached. */
const MAX_DETAILS = 500;

const CONNECTION = {
  connected: "",
  slow: "No answer yet: your text is safe, colors will catch up",
  lost: "Not connected: your text is safe, colors will catch up",
};
const FEW_WORDS =
  "Only a few words can be translated here, such as hello, cat, water or friend. Whole passages are under Examples.";
/** Translations of one of our passages, through which "another language" cycles. */
const PASSAGES = ["prose-hi", "prose-ru", "prose-ar", "prose-ja", "prose-de", "prose-es", "prose-en"];

/**
 * @param {HTMLElement} root
 * @param {any} data `base`: the app's root; `state`: the session's state, or null; `start`: the initial sample;
 *   `tokenizers`, `samples`, `kinds`: the choices
 * @param {{text: (text: string) => boolean | void, state: (view: any) => void, brought?: (names: string[]) => void}} on called
 *   when typing pauses, on each change of a setting, and when a tokenizer was opened from a file
 */
export function mount(root, data, on) {
  const client = new Client(data.base);
  const store = createStore(data.base);
  const link = readFields(location.hash);
  const fromLink = link && linked(link, data);
  const settings = { ...recall(data.state, store.read(), namesOf(data.tokenizers)), ...fromLink?.settings };
  const disposal = new AbortController();

  /** @type {Model | null} */
  let model = null;
  /** The pre-tokens of the model's text, once asked for. @type {ReturnType<typeof pretokensOf> | null} */
  let pretokens = null;
  /** The caret's offset in the text, until its token is selected. @type {number | null} */
  let caret = null;
  /** The selected token, and below it the one shown on the card. @type {number | null} */
  let selected = null;
  /** @type {number | null} */
  let cardToken = null;
  /** The selected token, if the caret selected it. @type {number | null} */
  let caretToken = null;
  /** True from an answer until the frame in which the caret's new token is selected. */
  let isFollowing = false;
  /** Called once the text on screen is colored. @type {(() => void) | null} */
  let afterColoring = null;
  /** @type {Map<string, any>} */
  const details = new Map();

  const editor = new Editor({
    change: () => pageText.changed(),
    caret: caretMoved,
    leave: () => memory.leave(),
    tooLong: () => pageText.tooLong(),
  });
  const memory = createMemory(settings, () => editor.reading().text, store, on);
  const counts = createCounts(settings.window, (size) => set({ window: size }));
  const picker = new Picker(chooseTokenizer);
  const shell = {
    ...{ data, client, link },
    report: (/** @type {string} */ sentence) => fill(problem, sentence),
    get isDisposed() {
      return disposal.signal.aborted;
    },
  };
  const pageText = new PageText(shell, settings, { editor, memory }, {
    ask,
    replaced: deselect,
  });
  const tries = createTries({
    space: () => tryOut(putSpaceInFront, sayHasSpace),
    capital: () => tryOut(useCapital, () => "No letter here has a capital."),
    language: tryAnotherLanguage,
    undo: () => (editor.undo(), tries.say("", false)),
  });
  const lookup = createLookup(
    {
      token: (id) => client.token(settings.tokenizer, id),
      find: (text) => client.find(settings.tokenizer, text),
      decode: (ids) => client.decode(settings.tokenizer, ids),
    },
    { point: pointAtId, use: (text) => pageText.replace(text) },
  );
  const saving = createExport(makeFile);
  const ids = createIds({ point: pointAt, select: (i) => select(i, { fromList: true }) });

  const specialSwitch = toggle(
    "special tokens",
    settings.special,
    (special) => set({ special }),
    "Read <|endoftext|> and its like as control tokens, not as text",
  );
  const marksSwitch = toggle(
    "marks",
    settings.marks,
    (marks) => set({ marks }),
    "Draw spaces, line ends and other invisible characters",
  );
  const idsSwitch = toggle(
    "ids",
    settings.ids,
    (shown) => (showIds(shown), set({ ids: shown })),
    "List the tokens' ids",
  );
  const coloring = menu(
    "Color by",
    COLORINGS.map(({ value, label }) => [value, label]),
    settings.colorBy,
    (colorBy) => set({ colorBy: /** @type {typeof settings.colorBy} */ (colorBy) }),
  );
  const legendPane = element("div", { class: "legend-pane" });

  const connection = element("p", { class: "connection", role: "status" });
  const problem = element("p", { class: "problem", role: "alert" });
  const progress = element("p", { class: "connection", role: "status" });
  const unknownWords = element("div", { class: "notice", role: "status" });
  const textPane = element("div", { class: "text-pane" });
  const cardPane = element("div", { class: "card-pane" });
  const idsPane = element("div", { class: "ids-pane", hidden: true }, ids.node);

  const tools = element("div", { class: "row tools" });
  const widget = element(
    "div",
    { class: "tokviz tokens", keydown: (/** @type {Event} */ event) => event.stopPropagation() },
    element("div", { class: "row top" }, tries.node, tools),
    pageText.note,
    element("div", { class: "row choices" }, picker.node, pageText.presets),
    editor.node,
    unknownWords,
    counts.node,
    element(
      "div",
      { class: "row settings" },
      coloring.node,
      marksSwitch.node,
      specialSwitch.node,
      pageText.escapes,
      idsSwitch.node,
      legendPane,
    ),
    connection,
    progress,
    problem,
    element("div", { class: "panes" }, textPane, cardPane, idsPane),
    element("div", { class: "on-demand" }, counts.windows, lookup.node, saving.node),
  );
  root.append(widget);

  const presenter = createPresenter(widget, data.presenting);
  const typing = keepTyping(widget);
  const share = new Share(client, shown);
  const opening = new Opening(widget, {
    use: (text) => pageText.replace(text, ""),
    useTokenizer: (name, bytes) => void openTokenizer(name, bytes),
    problem: (sentence) => fill(problem, sentence),
  });
  tools.append(opening.node, share.node, presenter.enter);
  widget.append(share.dialog, opening.dialog, presenter.leave);

  const view = new TokenView(textPane, { onPoint: pointAt, onSelect: selectInText });
  const card = createCard(cardPane, () => {
    view.select(null);
    select(null, { fromList: false });
  });
  const legend = createLegend(legendPane);
  textPane.addEventListener("dblclick", editSelected);

  const tokenRequests = new Latest(tokenize, { answer: showAnswer, refusal: showProblem, connection: showConnection });
  const lateCounts = new Latest((/** @type {Question} */ question, signal) => client.tokenize(question, true, signal), {
    answer: ({ meta }, asked) => asked.text === model?.text && showCounts(meta),
    refusal: () => {},
  });
  const askCounts = debounce(() => lateCounts.ask(question()), COUNT_AFTER_MS);
  const latePretokens = new Latest(askPretokens, { answer: showPretokens, refusal: () => {} });
  const showDetails = debounce(() => void loadDetails(), DETAILS_AFTER_MS);
  const followCaret = debounce(markCaret, CARET_AFTER_MS);
  const followSoon = debounce(() => void requestAnimationFrame(followWithCard), 0);
  window.addEventListener("pagehide", () => memory.leave(), { signal: disposal.signal });
  // One of our links was put into the address of this page.
  window.addEventListener("hashchange", () => readFields(location.hash) && location.reload(), { signal: disposal.signal });

  picker.update(data.tokenizers, settings.tokenizer);
  showIds(settings.ids);
  void pageText.begin(fromLink);

  /** The current state, for a link. */
  function shown() {
    const sample = pageText.sample();
    const own = ownOf([settings.tokenizer], data.tokenizers);
    return { fields: linkFields(settings, sample), text: sample ? null : editor.reading().text, own };
  }

  // Changes of text and settings

  /** Deselect after the whole text was replaced; the reader has not placed the caret yet. */
  function deselect() {
    for (const timer of [followCaret, followSoon]) timer.cancel();
    caret = null;
    select(null, { fromList: false });
  }

  /** @param {Partial<import("../shared/page/memory.js").Settings>} change */
  function set(change) {
    Object.assign(settings, change);
    memory.settingsChanged(change);
    if ("special" in change || "tokenizer" in change || "known" in change) ask();
    else showModel();
  }

  /** @param {string} name */
  function chooseTokenizer(name) {
    set({ tokenizer: name, known: name === WORDS ? editor.reading().text : "" });
    lookup.renew();
  }

  /** @param {string} name @param {Uint8Array<ArrayBuffer>} bytes of a tokenizer file */
  async function openTokenizer(name, bytes) {
    fill(progress, `Reading the tokenizer in “${name}” …`);
    try {
      const opened = await client.openTokenizer(name, bytes);
      if (disposal.signal.aborted) return;
      data.tokenizers.push(opened);
      picker.update(data.tokenizers, opened.name);
      on.brought?.([opened.name]);
      chooseTokenizer(opened.name);
    } catch (error) {
      fill(problem, sentenceOf(error));
    } finally {
      fill(progress);
    }
  }

  /** If there is no word vocabulary yet, the server builds it from the text itself. @returns {Question} */
  function question() {
    const { tokenizer, special, known } = settings;
    return { text: editor.reading().text, tokenizer, special, ...(tokenizer === WORDS && known && { known }) };
  }

  function ask() {
    // These messages were about other tokens.
    tries.say("", false);
    lookup.tokensChanged();
    afterColoring = null;
    tokenRequests.ask(question());
  }

  /** @param {string} format */
  function makeFile(format) {
    const { colorBy, marks, lang } = settings;
    return client.file(question(), { format, color_by: colorBy, marks: marks ? 1 : 0, lang });
  }

  // Answers

  /** @param {Question} question @param {AbortSignal} signal */
  async function tokenize(question, signal) {
    const withCounts = question.text.length <= COUNT_WITH_TOKENS;
    const [tokens, pieces] = await Promise.all([
      client.tokenize(question, withCounts, signal),
      settings.colorBy === "pretoken" ? askPretokens(question, signal) : null,
    ]);
    return { tokens, pieces };
  }

  /** @param {Question} question @param {AbortSignal} signal */
  function askPretokens({ text, tokenizer, special }, signal) {
    return client.pretokens({ text, tokenizer, special }, signal);
  }

  /** @param {{tokens: any, pieces: any}} answer @param {Question} asked */
  function showAnswer({ tokens, pieces }, asked) {
    const before = model;
    model = makeTokenization(asked.text, tokens);
    pretokens = pieces && pretokensOf(model, pieces);
    fill(problem);
    widget.classList.remove("stale");
    showModel();
    showCounts(tokens.meta);
    showUnknownWords();
    if (before) keepSelected(before);
    followCaret.later();
    afterColoring?.();
    afterColoring = null;
  }

  function showModel() {
    if (!model) return;
    const { colorBy, marks, lang } = settings;
    if (colorBy === "pretoken" && !pretokens) latePretokens.ask(question());
    view.show(model, {
      colorBy,
      marks,
      lang,
      dir: "auto",
      ranks: colorBy === "rank" ? ranksOf(model) : null,
      pretokenIndex: pretokens?.index ?? null,
    });
    legend.show(colorBy, model);
    if (settings.ids) ids.show(model);
  }

  /** Ranks of the tokens; -1 for those that no merge made. @param {Model} shown */
  function ranksOf(shown) {
    if (shown.ranks) return shown.ranks;
    const merged = data.tokenizers.find((/** @type {any} */ { name }) => name === shown.meta.tokenizer)?.kind === "bpe";
    return merged ? ranksById(shown) : new Int32Array(shown.n).fill(-1);
  }

  /** @param {any} columns @param {Question} asked */
  function showPretokens(columns, asked) {
    if (!model || asked.text !== model.text || asked.tokenizer !== model.meta.tokenizer) return;
    pretokens = pretokensOf(model, columns);
    if (settings.colorBy === "pretoken") showModel();
    showDetails.later();
  }

  /** @param {any} meta */
  function showCounts(meta) {
    if (!model) return;
    const { characters, code_points: codePoints, words } = meta;
    counts.show({ tokens: model.n, bytes: model.byteOffsets[model.n], characters, codePoints, words });
    if (characters === undefined) askCounts.later();
  }

  function showUnknownWords() {
    const shown = model;
    const unknown = shown?.special.reduce((sum, _, i) => sum + Number(isUnknown(shown, i)), 0) ?? 0;
    if (!unknown) return fill(unknownWords);
    const says = `${plural(unknown, "token")} here ${unknown === 1 ? "is" : "are"} <unk>: unknown, for the words were learned from the text as it was.`;
    fill(unknownWords, element("span", {}, says), button("learn the words of this text", learnWords));
  }

  function learnWords() {
    set({ known: editor.reading().text });
  }

  /** Show why the server can't tokenize this text. @param {string} message */
  function showProblem(message) {
    fill(problem, message);
    widget.classList.add("stale");
  }

  /** @param {keyof typeof CONNECTION} state */
  function showConnection(state) {
    fill(connection, CONNECTION[state]);
    widget.classList.toggle("stale", state !== "connected");
  }

  // The token that is pointed at, selected or at the caret

  /** @param {number | null} i */
  function pointAt(i) {
    if (!model) return;
    const shown = i ?? selected;
    view.highlightId(shown === null ? null : model.ids[shown]);
    showCard(shown);
  }

  /** @param {number} id */
  function pointAtId(id) {
    const first = model ? model.ids.indexOf(id) : -1;
    if (!model || first < 0) return 0;
    view.highlightId(id);
    view.scrollTo(first);
    return model.ids.reduce((sum, each) => sum + (each === id ? 1 : 0), 0);
  }

  /** @param {number | null} i null if a second click deselects a token */
  function selectInText(i) {
    // The caret selected the token, so this is the first click on it, which must not deselect it.
    if (i === null && caretToken !== null) view.select((i = caretToken));
    select(i, { fromList: false });
  }

  /** @param {number | null} i @param {{fromList: boolean}} how */
  function select(i, { fromList }) {
    if (!model) return;
    selected = i;
    caretToken = caret = null;
    isFollowing = false;
    card.pin(i !== null);
    pointAt(i);
    if (i === null) return;
    if (fromList) view.select(i, { scroll: true, focus: false });
    else if (settings.ids) ids.mark(i);
    if (model.text !== editor.reading().text) return;
    editor.select(model.starts[i], tokenEnd(model, i), false);
  }

  /** A double click selects the token in the focused editor. A single click doesn't: the next key would replace it. */
  function editSelected() {
    if (!model || selected === null || model.text !== editor.reading().text) return;
    editor.select(model.starts[selected], tokenEnd(model, selected), true);
  }

  /**
   * Update the selection and card for new tokens: select the token at the same offset if the text is the same, the
   * corresponding token if the text was edited, or none.
   *
   * @param {Model} before
   */
  function keepSelected(before) {
    if (!model) return;
    if (caret !== null && (selected !== null || isFollowing)) return waitForCaret();
    if (cardToken === null) return;
    let place = view.selected;
    if (selected !== null && before.text === model.text) place = tokenAt(model, before.starts[selected]);
    selected = place === -1 ? null : place;
    caretToken = caretToken === null ? null : selected;
    view.select(selected);
    card.pin(selected !== null);
    pointAt(selected);
  }

  /** Until the card follows the caret, keep it from requesting or showing a token that no longer exists. */
  function waitForCaret() {
    isFollowing = true;
    cardToken = selected = view.selected;
    caretToken = caretToken === null ? null : selected;
    followSoon.later();
  }

  /** @param {number} offset */
  function caretMoved(offset) {
    caret = offset;
    followCaret.later();
  }

  function markCaret() {
    const i = tokenAtCaret();
    if (i === null) return;
    caret = null;
    markToken(i, true);
  }

  /** While typing, update the card without scrolling, in the frame in which the text is colored. */
  function followWithCard() {
    const i = tokenAtCaret();
    if (i !== null) markToken(i, false);
  }

  /** The caret's token: -1 if there are no tokens, null if the caret wasn't moved or its text isn't colored yet. */
  function tokenAtCaret() {
    if (caret === null || !model || model.text !== editor.reading().text) return null;
    return tokenAt(model, caret);
  }

  /** @param {number} i -1 for none @param {boolean} scroll */
  function markToken(i, scroll) {
    selected = caretToken = i < 0 ? null : i;
    isFollowing = false;
    view.select(selected, { scroll, focus: false });
    if (settings.ids && selected !== null) ids.mark(selected);
    card.pin(selected !== null);
    pointAt(selected);
  }

  /** @param {number | null} i */
  function showCard(i) {
    cardToken = i;
    if (!model || i === null) return card.show(model, null, null, null);
    card.show(model, i, details.get(keyOf(i)) ?? null, pretokenAt(i));
    if (!details.has(keyOf(i)) || !pretokens) showDetails.later();
  }

  /** Load the details that the card lacks. */
  async function loadDetails() {
    if (!model || cardToken === null) return;
    const key = keyOf(cardToken);
    const { tokenizer } = model.meta;
    if (!pretokens) latePretokens.ask({ ...question(), text: model.text, tokenizer });
    if (!details.has(key) && tokenizer !== WORDS) {
      const found = await client.token(tokenizer, model.ids[cardToken]).catch(() => null);
      if (!found) return;
      if (details.size >= MAX_DETAILS) details.clear();
      details.set(key, found);
    }
    if (cardToken !== null && model && keyOf(cardToken) === key)
      card.show(model, cardToken, details.get(key) ?? null, pretokenAt(cardToken));
  }

  /** @param {number} i */
  function keyOf(i) {
    return `${model?.meta.tokenizer} ${model?.ids[i]}`;
  }

  /** @param {number} i */
  function pretokenAt(i) {
    return pretokens && model ? pretokens.at(i) : null;
  }

  // Things to try

  /**
   * @param {(text: string, selection: [number, number]) => Change | null} makeChange
   * @param {() => string} otherwise the message if there is nothing to change
   */
  function tryOut(makeChange, otherwise) {
    if (!editor.source()) editor.replace(0, 0, "hello");
    const { text, toSource } = editor.reading();
    const change = makeChange(text, selectionInText());
    if (!change) return tries.say(otherwise(), false);
    const before = model?.text === text ? model : null;
    editor.replace(toSource(change.start), toSource(change.end), change.replacement);
    editor.select(...afterwards(change), false);
    afterColoring = () => model && tries.say(sayChange(before, model, change), true);
  }

  /** The editor's selection as a range of the text. @returns {[number, number]} */
  function selectionInText() {
    const { toText } = editor.reading();
    const [start, end] = editor.selection();
    return [toText(start), toText(end)];
  }

  /** @param {Model | null} before null if the text was not colored yet @param {Model} after @param {Change} change */
  function sayChange(before, after, change) {
    if (before) {
      const tokens = tokensAround(before, after, change);
      return describeChange(withSigns(tokens.text), tokens.before, tokens.after, change.how);
    }
    const { text, ids } = tokensOf(after, [change.word[0], afterwards(change)[1]]);
    return describeWord(withSigns(text), ids);
  }

  /** Describe the selection that already starts with a space. */
  function sayHasSpace() {
    if (!model || model.text !== editor.reading().text) return "";
    const { text, ids } = tokensOf(model, selectionInText());
    return describeSpace(withSigns(text), ids);
  }

  async function tryAnotherLanguage() {
    const { text } = editor.reading();
    const place = PASSAGES.indexOf(pageText.sample());
    const isPassage = place >= 0;
    if (!isPassage && (!text || writeInAnotherLanguage(text, selectionInText())))
      return tryOut(writeInAnotherLanguage, () => FEW_WORDS);
    if (!isPassage) return tries.say(FEW_WORDS, false);
    const next = PASSAGES[(place + 1) % PASSAGES.length];
    await pageText.loadSample(next);
    if (pageText.sample() !== next) return; // loading failed, which the page reports
    const { title } = data.samples.find((/** @type {any} */ { name }) => name === next) ?? { title: "" };
    tries.say(`The same passage: ${title}.`, true);
  }

  /** @param {boolean} shown */
  function showIds(shown) {
    idsPane.hidden = !shown;
    widget.classList.toggle("with-ids", shown);
    if (shown && model) ids.show(model);
  }

  return {
    /** @param {any} newer new choices; the editor's text belongs to the reader and is kept */
    update(newer) {
      data = newer;
      picker.update(data.tokenizers, settings.tokenizer);
    },
    dispose() {
      disposal.abort();
      memory.dispose();
      for (const timer of [askCounts, showDetails, followCaret, followSoon]) timer.cancel();
      for (const part of [tokenRequests, lateCounts, latePretokens, view, card, legend, counts, ids, lookup, share, opening, presenter, typing])
        part.dispose();
      widget.remove();
    },
  };
}

/** @param {{name: string}[]} tokenizers */
const namesOf = (tokenizers) => tokenizers.map(({ name }) => name);
