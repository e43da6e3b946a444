/**
 * The Tokens page: an editor, and how a tokenizer cuts what stands in it. This module wires the parts together.
 *
 * Data flows one way: the editor's text and the settings make a question, the server answers, the answer becomes a
 * model, and every part shows the model.
 */

import { createClient, latest, sentenceOf } from "../shared/client.js";
import { createEditor } from "../shared/editor.js";
import { button, debounce, element, fill, menu, plural, toggle } from "../shared/elements.js";
import { readFields } from "../shared/links.js";
import { withSigns } from "../shared/marks.js";
import { createMemory, recall } from "../shared/memory.js";
import { createOpening } from "../shared/opening.js";
import { createPageText } from "../shared/pagetext.js";
import { createPicker } from "../shared/picker.js";
import { createPresenter } from "../shared/presenter.js";
import { ownOf } from "../shared/recipes.js";
import { createShare } from "../shared/share.js";
import { isUnknown } from "../shared/speak.js";
import { createStore } from "../shared/store.js";
import { makeTokenization, tokenAt, tokenEnd } from "../shared/tokenization.js";
import { keepTyping } from "../shared/typing.js";
import { createCard } from "./card.js";
import { COLORINGS, createLegend, ranksById } from "./colors.js";
import { createCounts } from "./counts.js";
import { createExport } from "./export.js";
import { createIds } from "./ids.js";
import { linked, linkFields } from "./link.js";
import { createLookup } from "./lookup.js";
import { pretokensOf } from "./pretokens.js";
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
import { createTokenView } from "./view.js";

/** @typedef {import("../shared/client.js").Question} Question */
/** @typedef {import("../shared/tokenization.js").TokenizationModel} Model */
/** @typedef {import("./tries.js").Change} Change */

const WORDS = "words";
/** Longer texts are colored first and counted in a second, later request. */
const COUNT_WITH_TOKENS = 20_000;
const COUNT_AFTER_MS = 400;
const DETAILS_AFTER_MS = 80;
/** The caret's token is marked when the typist rests: bringing it into sight makes the browser lay out the page. */
const CARET_AFTER_MS = 120;
const DETAILS_KEPT = 500;

const CONNECTION = {
  connected: "",
  slow: "No answer yet: your text is safe, colors will catch up",
  lost: "Not connected: your text is safe, colors will catch up",
};
const FEW_WORDS =
  "Only a few words can be translated here, such as hello, cat, water or friend. Whole passages are under Examples.";
/** "Another language" for a passage of ours: the next of these. */
const PASSAGES = ["prose-hi", "prose-ru", "prose-ar", "prose-ja", "prose-de", "prose-es", "prose-en"];

/**
 * @param {HTMLElement} root
 * @param {any} data `base`: the app's root; `state`: what the session knows, or null; `start`: the sample to begin with;
 *   `tokenizers`, `samples`, `kinds`: what there is to choose
 * @param {{text: (text: string) => boolean | void, state: (view: any) => void, brought?: (names: string[]) => void}} on told when
 *   the typist pauses; at each setting; when a file brought a tokenizer
 */
export function mount(root, data, on) {
  const client = createClient(data.base);
  const store = createStore(data.base);
  const link = readFields(location.hash);
  const fromLink = link && linked(link, data);
  const settings = { ...recall(data.state, store.read(), namesOf(data.tokenizers)), ...fromLink?.settings };
  const gone = new AbortController();

  /** @type {Model | null} */
  let model = null;
  /** The pre-tokens of the model's text, once asked for. @type {ReturnType<typeof pretokensOf> | null} */
  let pretokens = null;
  /** Where in the text the reader's caret is, as long as its token is not yet marked. @type {number | null} */
  let caret = null;
  /** The token that was selected, and the one that the card shows. @type {number | null} */
  let selected = null;
  /** @type {number | null} */
  let onCard = null;
  /** The selected token, if it is the caret that marked it. @type {number | null} */
  let marked = null;
  /** True from new tokens until the frame that marks the caret's among them. */
  let isFollowing = false;
  /** What waits for the text on screen to be colored. @type {(() => void) | null} */
  let whenColored = null;
  /** @type {Map<string, any>} */
  const details = new Map();

  const editor = createEditor({
    change: () => pageText.changed(),
    caret: caretMoved,
    leave: () => memory.leave(),
    tooLong: () => pageText.tooLong(),
  });
  const memory = createMemory(settings, () => editor.reading().text, store, on);
  const counts = createCounts(settings.window, (size) => set({ window: size }));
  const picker = createPicker(chooseTokenizer);
  const parts = { editor, memory, client };
  const pageText = createPageText(data, settings, parts, {
    ask,
    problem: (sentence) => fill(problem, sentence),
    replaced: letGo,
  });
  const tries = createTries({
    space: () => tryOut(putSpaceInFront, sayItsSpace),
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
    { point: pointAtId, use: pageText.replace },
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
  const reading = element("p", { class: "connection", role: "status" });
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
    reading,
    problem,
    element("div", { class: "panes" }, textPane, cardPane, idsPane),
    element("div", { class: "on-demand" }, counts.windows, lookup.node, saving.node),
  );
  root.append(widget);

  const presenter = createPresenter(widget, data.presenting);
  const typing = keepTyping(widget);
  const share = createShare(client, shown);
  const opening = createOpening(widget, {
    use: (text) => pageText.replace(text, ""),
    useTokenizer: (name, bytes) => void openTokenizer(name, bytes),
    problem: (sentence) => fill(problem, sentence),
  });
  tools.append(opening.node, share.node, presenter.enter);
  widget.append(share.dialog, opening.dialog, presenter.leave);

  const view = createTokenView(textPane, { onPoint: pointAt, onSelect: selectInText });
  const card = createCard(cardPane, () => {
    view.select(null);
    select(null, { fromList: false });
  });
  const legend = createLegend(legendPane);
  textPane.addEventListener("dblclick", editSelected);

  const live = latest(tokenize, { answer: showAnswer, refusal: showProblem, connection: showConnection });
  const countLate = latest((/** @type {Question} */ question, signal) => client.tokenize(question, true, signal), {
    answer: ({ meta }, asked) => asked.text === model?.text && showCounts(meta),
    refusal: () => {},
  });
  const askCounts = debounce(() => countLate.ask(question()), COUNT_AFTER_MS);
  const pretokensLate = latest(askPretokens, { answer: pretokensCame, refusal: () => {} });
  const showDetails = debounce(() => void loadDetails(), DETAILS_AFTER_MS);
  const followCaret = debounce(markCaret, CARET_AFTER_MS);
  const cardFollows = debounce(() => void requestAnimationFrame(followWithCard), 0);
  window.addEventListener("pagehide", () => memory.leave(), { signal: gone.signal });
  // A link of ours that is put into the address of this very page.
  window.addEventListener("hashchange", () => readFields(location.hash) && location.reload(), { signal: gone.signal });

  picker.update(data.tokenizers, settings.tokenizer);
  showIds(settings.ids);
  void pageText.begin(link, fromLink);

  /** What is on screen, for a link. */
  function shown() {
    const sample = pageText.sample();
    const own = ownOf([settings.tokenizer], data.tokenizers);
    return { fields: linkFields(settings, sample), text: sample ? null : editor.reading().text, own };
  }

  // The text changes, or a setting does

  /** A new text is read from its beginning, and nobody has put the caret anywhere yet. */
  function letGo() {
    for (const timer of [followCaret, cardFollows]) timer.cancel();
    caret = null;
    select(null, { fromList: false });
  }

  /** @param {Partial<import("../shared/memory.js").Settings>} change */
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

  /** @param {string} name @param {Uint8Array<ArrayBuffer>} bytes of a file that holds a tokenizer */
  async function openTokenizer(name, bytes) {
    fill(reading, `Reading the tokenizer in “${name}” …`);
    try {
      const opened = await client.openTokenizer(name, bytes);
      if (gone.signal.aborted) return;
      data.tokenizers.push(opened);
      picker.update(data.tokenizers, opened.name);
      on.brought?.([opened.name]);
      chooseTokenizer(opened.name);
    } catch (error) {
      fill(problem, sentenceOf(error));
    } finally {
      fill(reading);
    }
  }

  /** Where no words are known yet, they are learned from the text itself. @returns {Question} */
  function question() {
    const { tokenizer, special, known } = settings;
    return { text: editor.reading().text, tokenizer, special, ...(tokenizer === WORDS && known && { known }) };
  }

  function ask() {
    // What was said there is of other tokens.
    tries.say("", false);
    lookup.tokensChanged();
    whenColored = null;
    live.ask(question());
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
    whenColored?.();
    whenColored = null;
  }

  function showModel() {
    if (!model) return;
    const { colorBy, marks, lang } = settings;
    if (colorBy === "pretoken" && !pretokens) pretokensLate.ask(question());
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

  /** @param {Model} shown what the tokens' ranks are; -1 for those that no merge made */
  function ranksOf(shown) {
    if (shown.ranks) return shown.ranks;
    const merged = data.tokenizers.find((/** @type {any} */ { name }) => name === shown.meta.tokenizer)?.kind === "bpe";
    return merged ? ranksById(shown) : new Int32Array(shown.n).fill(-1);
  }

  /** @param {any} columns @param {Question} asked */
  function pretokensCame(columns, asked) {
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

  /** The server can't cut this text, and says why. @param {string} message */
  function showProblem(message) {
    fill(problem, message);
    widget.classList.add("stale");
  }

  /** @param {keyof typeof CONNECTION} state */
  function showConnection(state) {
    fill(connection, CONNECTION[state]);
    widget.classList.toggle("stale", state !== "connected");
  }

  // One token: pointed at, selected, under the caret

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

  /** @param {number | null} i null where a second click on a token lets go of it */
  function selectInText(i) {
    // The caret has marked the token, which is not yet a click that a second one could take back.
    if (i === null && marked !== null) view.select((i = marked));
    select(i, { fromList: false });
  }

  /** @param {number | null} i @param {{fromList: boolean}} how */
  function select(i, { fromList }) {
    if (!model) return;
    selected = i;
    marked = caret = null;
    isFollowing = false;
    card.pin(i !== null);
    pointAt(i);
    if (i === null) return;
    if (fromList) view.select(i, { scroll: true, focus: false });
    else if (settings.ids) ids.mark(i);
    if (model.text !== editor.reading().text) return;
    editor.select(model.starts[i], tokenEnd(model, i), false);
  }

  /** A double click goes to the editor, where the token's text is selected. A click doesn't: the next key would replace it. */
  function editSelected() {
    if (!model || selected === null || model.text !== editor.reading().text) return;
    editor.select(model.starts[selected], tokenEnd(model, selected), true);
  }

  /**
   * The tokens are others now, and the card must not go on about one of the old: it shows the token that is at the same
   * place of the same text, or that is the same in an edited one, or else none.
   *
   * @param {Model} before
   */
  function keepSelected(before) {
    if (!model) return;
    if (caret !== null && (selected !== null || isFollowing)) return waitForCaret();
    if (onCard === null) return;
    let place = view.selected();
    if (selected !== null && before.text === model.text) place = tokenAt(model, before.starts[selected]);
    selected = place === -1 ? null : place;
    marked = marked === null ? null : selected;
    view.select(selected);
    card.pin(selected !== null);
    pointAt(selected);
  }

  /** Until the card follows, nothing may be asked or said about the number of a token that is gone. */
  function waitForCaret() {
    isFollowing = true;
    onCard = selected = view.selected();
    marked = marked === null ? null : selected;
    cardFollows.later();
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

  /** While one types, the card follows the caret at once. It waits for the frame in which the text is colored. */
  function followWithCard() {
    const i = tokenAtCaret();
    if (i !== null) markToken(i, false);
  }

  /** -1 where there are no tokens, null where the caret wasn't moved or its text isn't colored yet. */
  function tokenAtCaret() {
    if (caret === null || !model || model.text !== editor.reading().text) return null;
    return tokenAt(model, caret);
  }

  /** @param {number} i -1 for none @param {boolean} scroll */
  function markToken(i, scroll) {
    selected = marked = i < 0 ? null : i;
    isFollowing = false;
    view.select(selected, { scroll, focus: false });
    if (settings.ids && selected !== null) ids.mark(selected);
    card.pin(selected !== null);
    pointAt(selected);
  }

  /** @param {number | null} i */
  function showCard(i) {
    onCard = i;
    if (!model || i === null) return card.show(model, null, null, null);
    card.show(model, i, details.get(keyOf(i)) ?? null, pretokenAt(i));
    if (!details.has(keyOf(i)) || !pretokens) showDetails.later();
  }

  /** Ask for what the card lacks. */
  async function loadDetails() {
    if (!model || onCard === null) return;
    const key = keyOf(onCard);
    const { tokenizer } = model.meta;
    if (!pretokens) pretokensLate.ask({ ...question(), text: model.text, tokenizer });
    if (!details.has(key) && tokenizer !== WORDS) {
      const found = await client.token(tokenizer, model.ids[onCard]).catch(() => null);
      if (!found) return;
      if (details.size >= DETAILS_KEPT) details.clear();
      details.set(key, found);
    }
    if (onCard !== null && model && keyOf(onCard) === key)
      card.show(model, onCard, details.get(key) ?? null, pretokenAt(onCard));
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
   * @param {() => string} otherwise what to say where there is nothing to change
   */
  function tryOut(makeChange, otherwise) {
    if (!editor.source()) editor.replace(0, 0, "hello");
    const { text, toSource } = editor.reading();
    const change = makeChange(text, selectionInText());
    if (!change) return tries.say(otherwise(), false);
    const before = model?.text === text ? model : null;
    editor.replace(toSource(change.start), toSource(change.end), change.replacement);
    editor.select(...afterwards(change), false);
    whenColored = () => model && tries.say(sayChange(before, model, change), true);
  }

  /** The editor's selection, as a stretch of the text that is meant. @returns {[number, number]} */
  function selectionInText() {
    const { toText } = editor.reading();
    const [start, end] = editor.selection();
    return [toText(start), toText(end)];
  }

  /** @param {Model | null} before null where the text was not colored yet @param {Model} after @param {Change} change */
  function sayChange(before, after, change) {
    if (before) {
      const tokens = tokensAround(before, after, change);
      return describeChange(withSigns(tokens.text), tokens.before, tokens.after, change.how);
    }
    const { text, ids } = tokensOf(after, [change.word[0], afterwards(change)[1]]);
    return describeWord(withSigns(text), ids);
  }

  /** What the selection is with the space that it begins with. */
  function sayItsSpace() {
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
    if (pageText.sample() !== next) return; // it did not come, which the page says
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
    /** @param {any} newer new choices; the editor's text is the reader's and stays as it is */
    update(newer) {
      data = newer;
      picker.update(data.tokenizers, settings.tokenizer);
    },
    dispose() {
      gone.abort();
      memory.dispose();
      for (const timer of [askCounts, showDetails, followCaret, cardFollows]) timer.cancel();
      for (const part of [pageText, live, countLate, pretokensLate, view, card, legend, counts, ids, lookup, share, opening, presenter, typing])
        part.dispose();
      widget.remove();
    },
  };
}

/** @param {{name: string}[]} tokenizers */
const namesOf = (tokenizers) => tokenizers.map(({ name }) => name);
