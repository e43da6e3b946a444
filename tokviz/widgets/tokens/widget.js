/**
 * The Tokens page: an editor and the tokens of its text. This module connects the parts.
 *
 * Data flows one way: the editor's text and the settings form a question, the server answers, the answer becomes a
 * model, and every part shows the model.
 */

import { element, press } from "../shared/dom/elements.js";
import { ownOf } from "../shared/net/madetokenizers.js";
import { createMemory, recall } from "../shared/page/memory.js";
import { PageText } from "../shared/page/pagetext.js";
import { PageShell } from "../shared/page/shell.js";
import { sayCounts } from "../shared/page/title.js";
import { tokenAt, WORDS } from "../shared/text/tokenization.js";
import { Editor } from "../shared/ui/editor.js";
import { createCard } from "../token_view/card.js";
import { createLegend } from "../token_view/colors.js";
import { fitType, unfitType } from "../token_view/fitting.js";
import { TokenView } from "../token_view/view.js";
import { Answers } from "./answers.js";
import { TokenizerChoice } from "./choice.js";
import { windowOf } from "./contextwindow.js";
import { CostMap } from "./costmap.js";
import { Counts } from "./counts.js";
import { createExperiments } from "./experiments.js";
import { createExport } from "./export.js";
import { FewerMerges } from "./fewermerges.js";
import { chosenInQuery, linked, linkFields } from "./link.js";
import { Lookup } from "./lookup.js";
import { scrollTogether } from "./scrolling.js";
import { Selection } from "./selection.js";
import { Stages } from "./stages.js";
import { createSettingsRow } from "./settingsrow.js";
import { Tail } from "./tail.js";
import { TokenCard } from "./tokencard.js";
import { Doors } from "./doors.js";
import { TextSize } from "./textsize.js";
import { createUnknownWords } from "./unknownwords.js";
import { createViews } from "./views.js";

/** Length of texts whose lines are all laid out, so that both panes scroll alike, in UTF-16 units. */
const LAID_OUT = 20_000;
/** Whether the editor stands beside the tokens (widget.css). */
const isBeside = () => matchMedia("(min-width: 62rem)").matches;

/** @typedef {import("../shared/text/tokenization.js").TokenizationModel} Model */
/** @typedef {import("../shared/page/memory.js").Settings} Settings */

/**
 * @param {HTMLElement} root
 * @param {any} data `base`: the app's root; `start`: the initial sample;
 *   `tokenizers`, `samples`, `kinds`: the choices; `limits`: the longest text of which fewer merges are shown
 * @param {import("../shared/page/shell.js").Host} host
 */
export const mount = (root, data, host) => new TokensPage(new PageShell(root, data, { name: "tokens", late: "colors", host }));

class TokensPage {
  #panes = {
    text: element("div", { class: "text-pane", dblclick: () => this.#selection.edit() }),
    legend: element("div", { class: "legend-pane" }),
  };
  #sides = element("div", { class: "sides" });
  #hint = element("p", { class: "own", hidden: true }, "An example. Type or paste your own text over it.");
  #editor = new Editor({
    change: (_, isPaste) => {
      this.#pageText.remember();
      this.#view.pointAtLine(null);
      if (isPaste) this.#size.settle();
      void this.#ask();
    },
    caret: (offset, isTyped) => this.#selection.caretMoved(offset, isTyped),
    leave: () => this.#size.settleOnceReleased(),
    tooLong: () => this.#pageText.tooLong(),
  });
  #view = new TokenView(this.#panes.text, {
    onPoint: (i, _, isByKey) => (isByKey && i !== null ? this.#selection.walkTo(i) : this.#selection.point(i)),
    onSelect: (i) => this.#selection.selectInText(i),
    onRows: (rows) => this.#showRows(rows),
    doLinesAlign: () => isBeside() || this.#shell.node.classList.contains("present"),
  });
  #legend = createLegend(this.#panes.legend);
  #counts = new Counts();
  /** The text whose type fits the screen, while presenting. @type {string | null} */
  #fitted = null;
  /** @type {FewerMerges} */
  #fewer;
  #unknownWords = createUnknownWords(() => this.#set({ known: this.#editor.reading().text }));
  #shell;
  #settings;
  #memory;
  #pageText;
  #choice;
  /** @type {Answers} */
  #answers;
  #card;
  #selection;
  #tries;
  #lookup;
  #tail;
  #views;
  #doors;
  #stages;
  #size;
  #map;
  #scrolling;

  /** @param {PageShell} shell */
  constructor(shell) {
    const { client, data, store } = shell;
    const editor = this.#editor;
    const understood = shell.link && linked(shell.link, data);
    /** @type {Settings} */
    const settings = { ...recall(store.read(), data.tokenizers), ...chosenInQuery(data.tokenizers), ...understood?.settings };
    this.#shell = shell;
    this.#settings = settings;
    this.#size = new TextSize(() => editor.reading().text, () => (this.#showTokens(), this.#map.outdate()), shell.signal);
    this.#memory = shell.ownMemory(createMemory(settings, store));
    this.#pageText = new PageText(shell, settings, { editor, memory: this.#memory }, {
      ask: () => {
        this.#size.settle();
        void this.#ask();
      },
      replaced: () => {
        this.#selection.clear();
        this.#size.settle();
      },
      sample: (name) => (this.#hint.hidden = !name),
    });
    this.#choice = new TokenizerChoice(shell, settings, (name) => this.#choose(name));
    this.#counts.useWindow(windowOf(settings.window));
    this.#fewer = new FewerMerges({ limit: data.limits.bytes, settings, answers: () => this.#answers }, {
      known: (before, merges) => {
        this.#memory.save();
        if (before !== this.#answers.model) this.#merged(before);
      },
      loaded: () => this.#doors.mergesKnown(this.#answers.seeking),
    });
    const needsMerges = (/** @type {string} */ text) => this.#fewer.needs(text);
    this.#answers = new Answers({ client, settings, editor, needsMerges, alternation: () => this.#view.alternation }, {
      pretokens: () => this.#pretokensChanged(),
      ranks: () => this.#showTokens(),
      counts: (meta) => this.#showCounts(meta),
      refusal: (message) => shell.refuse(message),
      connection: (connection) => shell.showConnection(connection),
    });
    this.#card = new TokenCard(shell.own(createCard(this.#panes.text, this.#view, () => this.#selection.close())), client, this.#answers, (i) => this.#tail.about(i));
    const lead = () => this.#scrolling.lead(this.#view.node);
    const showCaret = () => {
      this.#scrolling.align(); // the text was scrolled before its tokens were there
      lead();
    };
    this.#selection = new Selection({ editor, answers: this.#answers, view: this.#view, card: this.#card, lead: showCaret });
    this.#tries = createExperiments({ shell, editor, pageText: this.#pageText, answers: this.#answers });
    this.#lookup = new Lookup(
      {
        token: (id) => client.token(settings.tokenizer, id),
        find: (text) => client.json("find", { tokenizer: settings.tokenizer }, text),
        decode: (ids) => client.json("decode", { tokenizer: settings.tokenizer }, JSON.stringify({ ids })),
      },
      { point: (id) => this.#selection.pointAtId(id), use: (text) => this.#pageText.replace(text) },
    );
    this.#tail = new Tail(client, this.#answers, () => shell.offerOf(settings.tokenizer)?.algorithm === "bpe", (stable) => this.#view.markUnsettled([stable, this.#answers.model?.n ?? 0]));
    this.#views = createViews(settings.view, (view) => this.#set({ view }));
    this.#doors = new Doors(client, () => this.#answers.question());
    this.#stages = new Stages(client, () => this.#answers.question(), (name) => shell.offerOf(name)?.kind !== "simple");
    for (const part of [this.#views, this.#doors, this.#stages, this.#answers, this.#fewer, this.#card, this.#selection, this.#view, this.#counts, this.#lookup, this.#tail]) shell.own(part);
    this.#scrolling = scrollTogether(editor.box, this.#view.node, () => !editor.holdsPart, shell.signal);
    for (const move of ["wheel", "touchmove"]) this.#sides.addEventListener(move, () => (this.#selection.hasScrolled = true), { signal: shell.signal, passive: true });
    const mapped = () => (this.#size.ids === "line" ? this.#answers.full : null);
    this.#map = shell.own(new CostMap(this.#view.node, mapped, { lead, mapped: (line) => this.#doors.lineCosts(line, () => line && this.#goTo(line.start, lead)) }, shell.signal));
    this.#build();
    // The line of the pointer, until it leaves the tokens or a key is pressed.
    shell.listen(this.#panes.text, "pointermove", ({ clientY, pointerType }) => pointerType !== "touch" && this.#view.pointAtLine(clientY));
    shell.listen(this.#panes.text, "pointerleave", () => this.#view.pointAtLine(null));
    this.#fewer.use(shell.offerOf(settings.tokenizer)?.algorithm);
    void this.#pageText.begin(understood);
  }

  /** @param {any} newer new choices; the editor's text belongs to the reader and is kept */
  update(newer) {
    this.#shell.data = newer;
    this.#choice.update();
  }

  dispose() {
    this.#shell.dispose();
  }

  // Layout

  #build() {
    const { text, legend } = this.#panes;
    const { presets, escapes, note } = this.#pageText;
    const editor = this.#editor;
    const { node } = this.#shell;
    const tools = element("div", { class: "row tools" });
    const settings = createSettingsRow(this.#settings, { views: this.#views.node, escapes, notes: this.#choice.notes }, (change) => this.#set(change));
    const said = element("div", { class: "beneath said quiet" }, this.#hint, this.#tries.outcome, editor.notices);
    const writing = element("div", { class: "writing" }, element("div", { class: "row head" }, presets, this.#tries.node), editor.node, said);
    editor.frame = writing;
    const head = element("div", { class: "row head" }, this.#counts.total, element("span", { class: "in quiet" }, "in"), this.#choice.node);
    text.append(this.#map.node, element("p", { class: "hint quiet" }, `${press()} a token, and it stays here.`));
    const reading = element("div", { class: "reading" }, head, text, element("div", { class: "beneath" }, legend, this.#fewer.newest));
    this.#sides.append(writing, reading, this.#fewer.node);
    node.append(
      tools,
      note,
      this.#sides,
      this.#unknownWords.node,
      this.#counts.node,
      this.#doors.node,
      element("div", { class: "on-demand" }, settings, this.#stages.node, this.#lookup.node),
    );
    this.#addTools(tools);
  }

  /** @param {HTMLElement} row */
  #addTools(row) {
    const shell = this.#shell;
    const share = shell.addShare(() => this.#shown(), () => this.#picture(), () => createExport((format) => this.#makeFile(format), () => this.#answers.model?.ids ?? []));
    const opening = shell.addOpening({
      use: (text) => this.#pageText.replace(text),
      useTokenizer: (...opened) => void this.#choice.adding.open(...opened),
    });
    shell.addAsking("");
    row.append(opening, share, shell.addPresenter(shell.node, () => this.#fit()));
  }

  /** The current state, for a link. */
  #shown() {
    const settings = this.#settings;
    const sample = this.#pageText.sample();
    const own = ownOf([settings.tokenizer], this.#shell.data.tokenizers);
    return { fields: linkFields(settings, sample), text: sample ? null : this.#editor.reading().text, own };
  }

  /** The tokens in sight. */
  async #picture() {
    const { pictureOfTokens } = await import("../shared/ui/tokenpicture.js");
    const { model, full } = this.#answers; // read after that wait, as what is in sight is
    if (!model || !full) return null;
    const label = this.#shell.labelOf(this.#settings.tokenizer);
    const name = model === full ? label : `${label} after fewer merges`;
    return pictureOfTokens(this.#shell.client, this.#shell.node, model, name, this.#view.firstVisible);
  }

  /** @param {string} format */
  #makeFile(format) {
    const { colorBy, marks, lang } = this.#settings;
    return this.#shell.client.file(this.#answers.question(), { format, color_by: colorBy, marks, lang });
  }

  // Changes of text and settings

  /** @param {Partial<Settings>} change */
  #set(change) {
    Object.assign(this.#settings, change);
    this.#memory.save();
    if (change.window) this.#counts.useWindow(windowOf(change.window));
    if ("special" in change || "tokenizer" in change || "known" in change) void this.#ask();
    else this.#showTokens();
  }

  /** @param {string} name of a tokenizer */
  #choose(name) {
    this.#fewer.use(this.#shell.offerOf(name)?.algorithm);
    this.#set({ tokenizer: name, known: name === WORDS ? this.#editor.reading().text : "" });
    void this.#lookup.renew();
  }

  /** Ask for the tokens of the editor's text, and show them. */
  async #ask() {
    const before = this.#answers.model;
    this.#tries.experiments.tokensOutdated();
    this.#lookup.tokensChanged();
    const model = await this.#answers.ask();
    if (!model) return;
    this.#shell.accept();
    this.#fewer.tokensChanged();
    this.#showTokens();
    this.#lookup.suggest(model);
    this.#unknownWords.show(model);
    this.#stages.tokensChanged();
    if (before) this.#selection.keep(before);
    this.#selection.followCaret();
    this.#doors.mergesKnown(this.#answers.seeking);
    this.#map.outdate();
    this.#tries.experiments.tokensChanged();
    this.#showCounts(model.meta);
  }

  /** The same text is shown after another number of merges. @param {Model} before */
  #merged(before) {
    this.#showTokens();
    this.#selection.keep(before, true);
    this.#counts.roll(/** @type {Model} */ (this.#answers.model).n);
  }

  // Showing

  /** @param {number} offset in the text @param {() => void} lead */
  #goTo(offset, lead) {
    lead();
    if (this.#answers.model) this.#view.scrollTo(tokenAt(this.#answers.model, offset));
  }

  /** While presenting, the type is as large as there is room for. */
  #fit() {
    const { model } = this.#answers;
    if (!this.#shell.node.classList.contains("present")) return unfitType(this.#view.node);
    const beneath = this.#sides.querySelectorAll(".reading > .beneath, .writing, .fewer");
    const room = Array.from(beneath, (each) => /** @type {HTMLElement} */ (each).offsetHeight).reduce((sum, height) => sum + height, 0);
    if (model) fitType(this.#view.node, model.text.length, [this.#view.node], room);
    this.#fitted = model?.text ?? null;
  }

  /** Give the editor's lines the height of those with so many rows of ids. @param {number} rows */
  #showRows(rows) {
    this.#shell.node.dataset.idRows = String(rows);
    if (this.#shell.node.classList.contains("present")) this.#fit();
  }

  #pretokensChanged() {
    if (this.#settings.colorBy === "pretoken") this.#showTokens();
    this.#card.loadSoon();
  }

  #showTokens() {
    const { model } = this.#answers;
    if (!model) return;
    const { colorBy, marks, lang, view } = this.#settings;
    const { node } = this.#shell;
    const isPresented = node.classList.contains("present");
    const isAtLine = view === "both" && this.#size.ids === "line" && !isPresented;
    const isSeeking = this.#fewer.isUsed;
    const shown = view === "all" ? "both" : view;
    const isOther = node.dataset.view !== shown || node.dataset.type !== this.#size.type || node.classList.contains("at-line") !== isAtLine;
    if (isOther) Object.assign(node.dataset, { view: shown, type: this.#size.type });
    node.classList.toggle("at-line", isAtLine);
    node.classList.toggle("laid-out", model.text.length <= LAID_OUT);
    node.classList.toggle("ends-line", model.text.endsWith("\n"));
    node.classList.toggle("knows-less", model !== this.#answers.full);
    const pretokens = colorBy === "pretoken" ? this.#answers.pretokens : null;
    if (colorBy === "pretoken" && !pretokens) void this.#answers.askPretokens();
    if (colorBy === "rank" && !model.ranks) void this.#answers.askRanks();
    this.#view.show(model, { view: shown, isWhole: isPresented, isAtLine, colorBy, marks, lang, dir: "auto", isSeeking, ranks: model.ranks, pretokenIndex: pretokens?.index ?? null });
    this.#legend.show(colorBy, model, marks);
    // Letters don't move while only their tokens change.
    if (isPresented && !(isSeeking && this.#fitted === model.text)) this.#fit();
    if (isOther) requestAnimationFrame(() => this.#scrolling.align());
  }

  /** @param {any} meta of tokens */
  #showCounts({ characters, code_points: codePoints, words }) {
    const { model, full } = /** @type {Record<"model" | "full", Model>} */ (this.#answers);
    this.#counts.show({ tokens: model.n, bytes: full.byteOffsets[full.n], characters, codePoints, words });
    this.#doors.tokensChanged(full.n);
    this.#shell.showTitle(sayCounts([[this.#shell.labelOf(this.#settings.tokenizer), full.n]]));
  }
}
