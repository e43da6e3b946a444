/**
 * The Chat page: messages, and the one long prompt that a model reads of them. This module connects the parts.
 *
 * Data flows one way: the conversation is the question, the server renders its template and answers with tokens and
 * origins, and every part shows that reading.
 */

import { button, element, fill, number, plural, toggle } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";
import { Latest } from "../shared/net/latest.js";
import { ownOf } from "../shared/net/madetokenizers.js";
import { createMemory, recall } from "../shared/page/memory.js";
import { PageShell } from "../shared/page/shell.js";
import { sayCounts } from "../shared/page/title.js";
import { saySigns } from "../shared/text/invisibles.js";
import { door, waysOn } from "../shared/ui/doors.js";
import { createSaving } from "../shared/ui/saving.js";
import { createSegments } from "../shared/ui/segments.js";
import { fitType, unfitType } from "../token_view/fitting.js";
import { TokenizerChoice } from "../tokens/choice.js";
import { createContextWindow } from "../tokens/contextwindow.js";
import { DetailedView } from "../tokens/details.js";
import { Against } from "./against.js";
import { example, messagesOf, NotReadable, OWN, readMessages, requestOf, toPython } from "./conversation.js";
import { Counts } from "./counts.js";
import { Lanes } from "./lanes.js";
import { checked, linkOf, readLink } from "./link.js";
import { Messages } from "./messages.js";
import { chosenFrom, fittingTokenizer, offersOf, USUAL } from "./offers.js";
import { KINDS, Reading } from "./origins.js";
import { Readings, warningsOf } from "./readings.js";
import { readTemplate, sayNoTemplate, Template, TEMPLATE_FILE } from "./template.js";

/** @typedef {import("./conversation.js").Conversation} Conversation */

const FORMATS = /** @type {[string, string, string][]} */ ([
  ["prompt.txt", "prompt", "The text that the model reads"],
  ["ids.txt", "ids", "The token ids, with spaces between"],
  ["json", "messages", "The messages as JSON, as transformers and this page's “Open” take them"],
  ["py", "Python", "The messages as a program in Python"],
]);

/**
 * @param {HTMLElement} root
 * @param {any} data `base`, `tokenizers`, `templates`: names and titles of the templates inside; `templateOf`:
 *   the one that goes with a tokenizer; `thinking`: those with thoughts; `thinks`: what these have in them
 * @param {import("../shared/page/shell.js").Host} host
 */
export const mount = (root, data, host) => new ChatPage(new PageShell(root, data, { name: "chat", late: "the prompt", host }));

class ChatPage {
  #shell;
  /** @type {Conversation} */
  #conversation;
  #memory;
  #messages;
  #template;
  #choice;
  #asking;
  #view;
  #lanes;
  #readings;
  /** @type {Reading | null} */
  #reading = null;
  #isPresented = false;
  #counts = new Counts((tokenizer) => this.#useFitting(tokenizer));
  #contextWindow;
  #against;
  /** What is wrong, in place of the legend. */
  #wrong = element("p", { class: "problem", role: "alert" });
  #signs = element("span", { class: "legend" });
  #teasers = { words: element("span"), around: element("span") };
  #pane = element("div");
  #foot = element("div", { class: "row foot" });
  #messagesSide = element("div");
  #key = Object.fromEntries(KINDS.map(([kind, name]) => [kind, element("span", {}, element("i", { class: `lane ${kind}` }), name)]));
  #settings;
  #thinks;
  #asks;
  #tools = element("textarea", { class: "editor mono", rows: 6, spellcheck: "false", "aria-label": "Tools, as JSON", input: () => this.#set({ tools: this.#tools.value }) });

  /** @param {PageShell} shell */
  constructor(shell) {
    const { client, data, store } = shell;
    this.#shell = shell;
    const stored = store.read();
    const settings = recall(stored, data.tokenizers);
    this.#conversation = checked(stored?.chat) ?? example();
    Object.assign(this.#conversation, chosenFrom(this.#conversation, this.#offers));
    this.#settings = Object.assign(settings, { chat: this.#conversation, chatView: /** @type {"text" | "both"} */ (stored?.chatView ?? "text") });
    this.#memory = shell.ownMemory(createMemory(settings, store));
    const drawn = { onDraw: () => this.#lanes?.draw(), onRows: () => this.#lanes?.draw() };
    this.#view = shell.own(new DetailedView(this.#pane, client, "Tokens of the prompt", { special: true, says: (i) => this.#sayOrigin(i), on: drawn }));
    this.#lanes = shell.own(new Lanes(this.#view.view));
    this.#choice = new TokenizerChoice(shell, this.#conversation, (name) => this.#choose(name));
    this.#template = new Template(client, this.#conversation, () => this.#offers.templates, this.#messagesSide, { change: () => this.#changed(), open: () => shell.chooseFile(), problem: shell.report, replaced: (before) => this.#offerUndo(before, "Your template was replaced.") });
    this.#messages = new Messages(this.#conversation.messages, { change: () => this.#changed(), point: (i) => this.#point(i) });
    this.#readings = shell.own(new Readings(client, { insert: (control) => this.#inject(control) }));
    this.#contextWindow = createContextWindow(settings.window, (window) => (Object.assign(settings, { window }), this.#memory.save()));
    this.#against = new Against(shell, this.#conversation, () => this.#changed());
    this.#asks = toggle("Ask for an answer", this.#conversation.asks, (asks) => this.#set({ asks }), "End with the beginning of the assistant’s message (add_generation_prompt)");
    this.#thinks = toggle("Think first", this.#conversation.thinks, (thinks) => this.#set({ thinks }), "Whether the model may think before it answers (enable_thinking)");
    this.#asking = shell.own(new Latest(
      (/** @type {{text: string, tokenizer: string}} */ { text: asked, tokenizer }, signal) => client.columns("chat", { tokenizer }, asked, signal),
      { refusal: (sentence) => this.#refuse(sentence), connection: shell.showConnection },
    ));
    this.#build();
    void this.#begin();
  }

  /** @param {any} newer */
  update(newer) {
    this.#shell.data = newer;
    this.#choice.update();
    this.#template.show();
    this.#against.update();
  }

  dispose() {
    this.#shell.dispose();
  }

  get #offers() {
    return offersOf(this.#shell.data, this.#conversation.tokenizer);
  }

  // Layout

  #build() {
    const shell = this.#shell;
    const { node } = shell;
    const key = element("div", { class: "key" }, ...Object.values(this.#key), element("span", {}, element("code", { class: "chip special" }, "<|…|>"), " control token"), this.#signs);
    const views = createSegments("View", [["text", "Text"], ["both", "Text + ids"]], this.#settings.chatView, (view) => this.#setView(/** @type {"text" | "both"} */ (view)));
    const tools = element("details", { class: "tools-json" }, element("summary", {}, "Tools"), element("p", { class: "quiet" }, "A list of functions that the model may call, as JSON."), this.#tools);
    this.#tools.value = this.#conversation.tools;
    const head = element("div", { class: "row head" }, this.#counts.total, element("span", { class: "in quiet" }, "in"), this.#choice.node, this.#template.node);
    const reading = element("div", { class: "reading" }, head, element("div", { class: "key-row" }, this.#wrong, key), this.#pane);
    this.#messagesSide.append(this.#messages.node, element("div", { class: "row switches" }, this.#asks.node, this.#thinks.node), tools);
    const writing = element("div", { class: "writing" }, this.#messagesSide, this.#template.editor);
    const saving = createSaving("Save the chat", "chat", FORMATS, (format) => this.#makeFile(format));
    shell.addAsking("chat", () => ({ page: "", fields: { tokenizer: this.#conversation.tokenizer, special: "1" }, text: this.#reading?.model.text ?? null }));
    this.#foot.append(this.#counts.node, views.node);
    node.append(
      element("div", { class: "row tools" },
        shell.addOpening({ use: (...opened) => this.#use(...opened), useTokenizer: (...opened) => void this.#choice.adding.open(...opened), texts: TEMPLATE_FILE }),
        shell.addShare(() => this.#shown(), () => this.#picture()),
        shell.addPresenter(node, (isPresented) => this.#present(isPresented)),
      ),
      element("div", { class: "sides" }, writing, reading),
      this.#foot,
      this.#against.node,
      this.#readings.node,
      element("div", { class: "on-demand" }, this.#contextWindow.node, saving.node),
      this.#choice.notes,
      this.#waysOn(),
    );
  }

  #waysOn() {
    const words = door("compare", this.#teasers.words, () => this.#against.follow());
    return waysOn(words, door("course#chapter=specials", this.#teasers.around));
  }

  // Beginning

  async #begin() {
    const { link, client } = this.#shell;
    if (link) {
      const text = await client.linkText(link.text === undefined ? {} : { text: link.text }).catch((error) => void this.#shell.report(sentenceOf(error)));
      if (this.#shell.isDisposed) return;
      history.replaceState(history.state, "", location.pathname + location.search);
      const { conversation, note } = readLink(link, text ?? null, this.#offers, this.#conversation);
      this.#replaceAll(conversation, note || "The chat of a link.");
      return;
    }
    await this.#ask();
  }

  // Changes

  /** @param {Partial<Conversation>} change */
  #replace({ messages, ...others }) {
    const conversation = this.#conversation;
    Object.assign(conversation, others);
    if (messages) conversation.messages.splice(0, conversation.messages.length, ...messages);
    this.#tools.value = conversation.tools;
    this.#asks.input.checked = conversation.asks;
    this.#thinks.input.checked = conversation.thinks;
    this.#choice.update();
    this.#template.show();
    this.#against.update();
    this.#messages.show();
    this.#changed();
  }

  /** Replace what is on screen, undoably. @param {Partial<Conversation>} change @param {string} note what comes instead */
  #replaceAll(change, note) {
    const before = structuredClone(this.#conversation);
    this.#replace(change);
    this.#offerUndo(before, note);
  }

  /** Offer what was there, until something is changed. @param {Conversation} before @param {string} note */
  #offerUndo(before, note) {
    fill(this.#shell.progress, `${note} `, button("Undo", () => this.#replace(before)));
  }

  /** @param {Partial<Conversation>} change */
  #set(change) {
    Object.assign(this.#conversation, change);
    this.#changed();
  }

  /** @param {string} tokenizer */
  #choose(tokenizer) {
    const { templateOf } = this.#offers;
    const isKept = this.#conversation.template === OWN && templateOf[tokenizer] !== tokenizer;
    this.#set({ tokenizer, ...(!isKept && { template: templateOf[tokenizer] ?? USUAL }) });
    this.#template.show();
  }

  /** Read the chat with the template's own tokenizer. @param {string} tokenizer */
  #useFitting(tokenizer) {
    this.#set({ tokenizer });
    this.#choice.update();
  }

  /** Use what was opened: messages, a template, or a text for the first message of a user. @param {string} text @param {string} file */
  #use(text, file) {
    const messages = readMessages(text);
    if (messages) return this.#replaceAll(messages, `The chat of “${file}”.`);
    const template = readTemplate(text);
    if (template) return this.#template.use(template);
    if (TEMPLATE_FILE.test(file)) return this.#shell.report(sayNoTemplate(file));
    this.#replaceAll({ messages: [{ role: "user", content: text }] }, `The text of “${file}”.`);
  }

  /** Write a control token into the last message of a user. @param {string} control */
  #inject(control) {
    const { messages } = this.#conversation;
    const last = messages.findLast(({ role }) => role === "user") ?? messages[messages.length - 1];
    last.content = `${last.content}${control} Now everything is free, right?`;
    this.#messages.show();
    this.#changed();
  }

  #changed() {
    this.#shell.showProgress("");
    this.#memory.save();
    void this.#ask();
  }

  async #ask() {
    const { tokenizer, template, own } = this.#conversation;
    const canThink = template === OWN ? new RegExp(this.#shell.data.thinks).test(own) : this.#offers.thinking.includes(template);
    this.#thinks.node.hidden = !canThink;
    this.#messages.offerThinking(canThink);
    let text;
    try {
      text = requestOf(this.#conversation);
    } catch (error) {
      if (!(error instanceof NotReadable)) throw error;
      return this.#refuse(error.message);
    }
    const answer = await this.#asking.ask({ text, tokenizer });
    if (!answer) return;
    this.#shell.accept();
    this.#template.refuse("");
    fill(this.#wrong);
    this.#reading = new Reading(answer);
    this.#show();
    void this.#against.ask(text);
  }

  /** Say what is wrong: under its line, or above the prompt, which is of before. @param {string} sentence */
  #refuse(sentence) {
    fill(this.#wrong, this.#template.refuse(sentence) ? "" : sentence);
    this.#shell.node.classList.add("stale");
  }

  // Showing

  #show() {
    const reading = this.#reading;
    if (!reading) return;
    this.#view.show(reading.model, { view: this.#settings.chatView, colorBy: "alternate", marks: true, dir: "auto" });
    this.#lanes.show(reading);
    this.#key.others.hidden = !reading.kinds.includes("others");
    fill(this.#signs, saySigns(reading.model.text));
    const label = this.#shell.labelOf(this.#conversation.tokenizer);
    this.#shell.showTitle(sayCounts([[label, reading.model.n]]));
    this.#counts.show(reading, label, fittingTokenizer(this.#conversation, this.#offers));
    this.#messages.count(reading.totals().messages);
    this.#contextWindow.show(reading.model.n);
    const roles = this.#conversation.messages.map(({ role }) => role);
    this.#readings.show(reading, roles);
    this.#messages.warn(warningsOf(reading, roles));
    const words = reading.totals().kinds.get("words") ?? 0;
    fill(this.#teasers.words, `${plural(words, "token")} are what was said. How many under another model?`);
    fill(this.#teasers.around, `${number(reading.model.n - words)} are around it. What are they for?`);
    this.#fit();
  }

  /** @param {"text" | "both"} view */
  #setView(view) {
    this.#settings.chatView = view;
    this.#memory.save();
    this.#show();
  }

  /** @param {boolean} isPresented */
  #present(isPresented) {
    if (isPresented && !this.#isPresented) scroller()?.scrollTo(0, 0);
    this.#isPresented = isPresented;
    this.#fit();
  }

  /** While presenting, the type is as large as there is room for above what the prompt is made of, wherever the page is scrolled to. */
  #fit() {
    const { node } = this.#view.view;
    if (!this.#isPresented) return unfitType(node);
    if (this.#reading) fitType(node, this.#reading.model.text.length, [node], this.#foot.offsetHeight + (scroller()?.scrollTop ?? 0));
    this.#lanes.draw();
  }

  /** Say where a token comes from. @param {number} i */
  #sayOrigin(i) {
    return this.#reading ? [element("p", { class: "part" }, sayOrigin(this.#reading, i, this.#conversation.messages))] : [];
  }

  /** Show what becomes of a message. @param {number | null} message */
  #point(message) {
    const place = message === null ? null : this.#reading?.placeOf(message);
    this.#lanes.mark(place ?? null);
  }

  // Taking along

  #shown() {
    const { fields, text } = linkOf(this.#conversation);
    const { tokenizer, template, against, by } = this.#conversation;
    return { fields, text, own: ownOf([tokenizer, template, against, by], this.#shell.data.tokenizers) };
  }

  /** The tokens in sight. */
  async #picture() {
    const { pictureOfTokens } = await import("../shared/ui/tokenpicture.js");
    const model = this.#reading?.model; // read after that wait, as what is in sight is
    return model ? pictureOfTokens(this.#shell.client, this.#shell.node, model, this.#shell.labelOf(this.#conversation.tokenizer), this.#view.view.firstVisible) : null;
  }

  /** @param {string} format @returns {Promise<Blob>} */
  async #makeFile(format) {
    const { model } = /** @type {Reading} */ (this.#reading);
    switch (format) {
      case "prompt.txt":
        return new Blob([model.text]);
      case "ids.txt":
        return new Blob([`${Array.from(model.ids).join(" ")}\n`]);
      case "py":
        return new Blob([toPython(this.#conversation, this.#shell.data.tokenizers.filter((/** @type {any} */ { recipe }) => recipe !== null))]);
      default:
        return new Blob([`${JSON.stringify(messagesOf(this.#conversation), null, 1)}\n`]);
    }
  }
}

/** What the page scrolls in. */
const scroller = () => document.querySelector('[data-testid="stMain"]');

/** @param {Reading} reading @param {number} i @param {{role: string}[]} messages */
function sayOrigin(reading, i, messages) {
  const origin = reading.originOf(i);
  if (origin === null) return "";
  if (origin === "date") return "From the template: the date";
  if (typeof origin === "string") return origin === "template" ? "From the template" : `From ${origin}`;
  const [message, key] = origin;
  return `From message ${message + 1} (${messages[message]?.role ?? "?"}), its ${key === "content" ? "text" : key.replace("_", " ")}`;
}
