/**
 * The frame that all pages with a text have: the connection to the server, the link and the stored state that a page
 * starts from, its messages, its tools (open a file, share, present), and the end of everything in it.
 */

import { button, element, explainTerms, fill, introductionsOf } from "../dom/elements.js";
import { keepsKeys } from "../dom/fields.js";
import { Client, sentenceOf } from "../net/client.js";
import { followLink, readFields } from "../net/links.js";
import { rememberOwn, sayLost } from "../net/madetokenizers.js";
import { Opening } from "../ui/opening.js";
import { createShare } from "../ui/share.js";
import { closeMenuOnceChosen } from "./menu.js";
import { createPresenter } from "./presenter.js";
import { createStore } from "./store.js";
import { TabTitle } from "./title.js";

/** @typedef {{dispose: () => void}} Part */
/** @typedef {ReturnType<typeof import("./memory.js").createMemory>} Memory */
/** @typedef {import("../net/madetokenizers.js").Offer} Offer */
/**
 * @typedef {object} Host what shows a page's widget, and keeps what outlives the page
 * @property {(names: string[]) => void} [adopted] tokenizers are the reader's own from now on
 * @property {(names: string[]) => void} [removed] and are no longer
 * @property {(error: unknown) => void} [failed] the widget, or a part of it, could not be loaded
 */
/** @typedef {{page: string, fields: Record<string, string>, text: string | null}} Asked the page that could show it, and its link */

/** Store of a standalone page, which remembers nothing. @type {import("./store.js").Store} */
const NO_STORE = { read: () => null, write: () => {} };

export class PageShell {
  #disposal = new AbortController();
  /** @type {Part[]} */
  #parts = [];
  /** @type {Opening | null} */
  #opening = null;
  /** @type {string} */
  #late;
  /** @type {any} */
  #data;
  /** What is on screen, for links. @type {Parameters<typeof createShare>[1]} */
  #shown = () => ({ fields: {}, text: null });
  /** Offers to ask a question while presenting. @type {(isPresenting: boolean) => void} */
  #offerAsking = () => {};
  /** What stands beside the button that leaves presenter mode. @type {HTMLElement[]} */
  #controls = [];
  #title;
  /** @type {HTMLElement | null} */
  #headline = null;
  /** @type {Memory[]} */
  #memories = [];
  /** The new ids of tokenizers that were made again, or are being made. @type {Map<string, Promise<string | null>>} */
  #remade = new Map();

  /**
   * @param {HTMLElement} root
   * @param {any} data the widget's data, with the page's `headline` and `introduction`, whose *terms* are
   *   explained, and its name, `title`; a standalone page has no `base`, and makes no requests
   * @param {object} options
   * @param {string} options.name class of the page
   * @param {string} options.late what is late while there is no answer, for messages: "colors"
   * @param {(event: KeyboardEvent) => void} [options.keydown]
   * @param {Host} [options.host]
   * @param {() => void} [options.relinked] a link to this page was put into the address bar, which is not that of a standalone page
   */
  constructor(root, data, { name, late, keydown = (event) => event.stopPropagation(), host = {}, relinked = () => this.isStandalone || location.reload() }) {
    this.isStandalone = data.base === undefined;
    this.#data = data;
    this.host = host;
    this.client = /** @type {Client} */ (data.client ?? new Client(data.base ?? "/", (id) => this.#remake(id)));
    this.store = this.isStandalone ? NO_STORE : createStore(data.base);
    /** Fields of the link that the page was opened with. */
    this.link = this.isStandalone ? null : readFields(location.hash);
    this.root = root;
    this.node = element("div", { class: `tokviz ${name}${this.isStandalone ? "" : " in-app"}`, keydown });
    this.connection = element("p", { class: "connection", role: "status" });
    this.progress = element("p", { class: "connection", role: "status" });
    this.problem = element("p", { class: "problem", role: "alert" });
    this.#late = late;
    // Over the page, of which nothing moves when there is something to say.
    this.node.append(element("div", { class: "messages" }, this.connection, this.progress, this.problem));
    if (data.headline) this.node.append((this.#headline = element("h1", {}, data.headline)));
    if (data.introduction) this.node.append(...introductionsOf(data.introduction));
    root.append(this.node);
    this.own(explainTerms(this.node, this.isStandalone ? "" : "course", () => import("../ui/explanations.js")));
    if (!this.isStandalone) this.own(keepTyping(this.node));
    this.#title = data.title ? this.own(new TabTitle(data.title)) : null;
    closeMenuOnceChosen();
    this.listen(window, "hashchange", () => readFields(location.hash) && relinked());
  }

  /** The latest data from the session, with all of the reader's own tokenizers that the page has seen. */
  get data() {
    return this.#data;
  }

  set data(newer) {
    const known = new Set(newer.tokenizers?.map((/** @type {Offer} */ { name }) => name));
    const lost = newer.tokenizers ? this.#data.tokenizers.filter((/** @type {Offer} */ { name, recipe }) => (recipe ?? null) !== null && !known.has(name)) : [];
    this.#data = lost.length ? { ...newer, tokenizers: [...newer.tokenizers, ...lost] } : newer;
    if (newer.tokenizers && !this.isStandalone) rememberOwn(newer.base, this.#data.tokenizers);
  }

  /** What is said of a tokenizer; undefined if it is not on offer. @param {string} id @returns {any} */
  offerOf(id) {
    return this.data.tokenizers?.find((/** @type {Offer} */ { name }) => name === id);
  }

  /** The tokenizer's name for people. @param {string} id @returns {string} */
  labelOf(id) {
    return this.offerOf(id)?.label ?? id;
  }

  /** Make a tokenizer again that the server has lost: its new id; null if the tab does not know how. @param {string} id */
  #remake(id) {
    const remade = this.#remade.get(id) ?? this.#madeAgain(id);
    this.#remade.set(id, remade);
    remade.then((name) => name ?? this.#remade.delete(id), () => this.#remade.delete(id));
    return remade;
  }

  /** @param {string} id @returns {Promise<string | null>} */
  async #madeAgain(id) {
    const offer = this.offerOf(id);
    if (!offer?.recipe) return null;
    this.showProgress(sayLost(offer.label));
    try {
      const made = await this.client.made(id, offer.recipe);
      Object.assign(offer, { ...made, label: offer.label });
      rememberOwn(this.#data.base, this.#data.tokenizers);
      for (const memory of this.#memories) memory.renamed(id, made.name);
      history.replaceState(history.state, "", location.href.replaceAll(id, made.name));
      if (made.name !== id) this.host.adopted?.([made.name]);
      this.showProgress(made.name === id ? "" : `The server no longer had “${offer.label}”, so it was made again.`);
      return made.name === id ? null : made.name;
    } catch (error) {
      this.showProgress("");
      throw error;
    }
  }

  /** Aborted when the page is disposed of. */
  get signal() {
    return this.#disposal.signal;
  }

  get isDisposed() {
    return this.signal.aborted;
  }

  /** Dispose of a part together with the page. @template {Part} P @param {P} part @returns {P} */
  own(part) {
    this.#parts.push(part);
    return part;
  }

  /** @param {EventTarget} target @param {string} event @param {(event: any) => void} listener */
  listen(target, event, listener) {
    target.addEventListener(event, listener, { signal: this.signal });
  }

  /** Write a page's memory when the reader leaves. @param {Memory} memory */
  ownMemory(memory) {
    this.listen(window, "pagehide", () => memory.leave());
    this.#memories.push(memory);
    return this.own(memory);
  }

  // Messages

  /** Say what is wrong. @param {string} sentence "" if nothing is any more */
  report = (sentence) => fill(this.problem, sentence);

  /** Say what is being done. @param {string} sentence "" once it is done */
  showProgress = (sentence) => fill(this.progress, sentence);

  /** Say why the server can't answer, so that what is on screen is out of date. @param {string} sentence */
  refuse = (sentence) => {
    this.report(sentence);
    this.node.classList.add("stale");
  };

  /** What is on screen is the answer to the latest question. */
  accept() {
    this.report("");
    this.node.classList.remove("stale");
  }

  get isStale() {
    return this.node.classList.contains("stale");
  }

  /** @param {"connected" | "slow" | "lost"} state */
  showConnection = (state) => {
    const message = { connected: "", slow: "No answer yet: ", lost: "Not connected: " }[state];
    fill(this.connection, message && `${message}your text is safe, ${this.#late} will catch up`);
    this.node.classList.toggle("stale", state !== "connected");
  };

  /** Say in the tab's title what is on screen. @param {string} what "" for nothing in particular */
  showTitle(what) {
    this.#title?.show(what);
  }

  // Tools. Their dialogs and buttons are appended to the page; each method returns the button for its toolbar.

  /**
   * @param {Parameters<typeof createShare>[1]} shown @param {Parameters<typeof createShare>[2]} [picture]
   * @param {Parameters<typeof createShare>[3]} [saving] @returns {HTMLElement}
   */
  addShare(shown, picture, saving) {
    this.#shown = shown;
    const share = createShare(this.client, shown, picture, saving);
    this.node.append(share.dialog);
    return share.node;
  }

  /** @param {Omit<ConstructorParameters<typeof Opening>[2], "problem">} on @returns {HTMLElement} */
  addOpening(on) {
    const opening = this.own(new Opening(this.node, (files) => this.client.recognize(files), { ...on, problem: this.report }));
    this.node.append(opening.dialog);
    this.#opening = opening;
    return opening.node;
  }

  /** Let the reader choose a file to open, as the button that `addOpening` returns does. */
  chooseFile() {
    this.#opening?.choose();
  }

  /**
   * @param {HTMLElement} [presented] gets the class "present"
   * @param {(presenting: boolean) => void} [changed]
   * @param {...HTMLElement} controls of the page, in the band of the presenter's
   * @returns {HTMLElement}
   */
  addPresenter(presented = this.node, changed, ...controls) {
    const presenter = this.own(createPresenter(presented, this.data.presenting, (isPresenting) => {
      this.#offerAsking(isPresenting);
      if (this.#headline) this.#headline.hidden = isPresenting;
      changed?.(isPresenting);
    }));
    presenter.band.prepend(...controls, ...this.#controls);
    this.node.append(presenter.band);
    return presenter.enter;
  }

  /** A button that shows and hides, while presenting, what chooses what is presented. @param {string} says */
  createPreparing(says) {
    const toggle = () => preparing.setAttribute("aria-expanded", String(this.node.classList.toggle("preparing")));
    const preparing = button(says, toggle, { "aria-expanded": "false" });
    return preparing;
  }

  /**
   * While presenting, let the presenter ask a class about what is on screen: Q opens a slide with a question. Called
   * before `addPresenter`.
   *
   * @param {string} page its address from the app's root
   * @param {() => Asked | Promise<Asked>} [asked] what the question is about, if not what the page shares
   */
  addAsking(page, asked) {
    const ask = async () => {
      const { fields, text, ...of } = asked ? { back: page, ...(await asked()) } : { page, back: "", ...(await this.#shown()) };
      await followLink(`${this.data.base}lesson?for=question`, { ...fields, page: of.page, back: of.back }, text);
    };
    const tryAsking = () => void ask().catch((error) => this.report(sentenceOf(error)));
    const asking = button("", tryAsking, { hidden: true });
    this.#controls.push(asking);
    let isPresented = false;
    const show = () => (asking.hidden = !(isPresented && asking.title));
    this.#offerAsking = async (isPresenting) => {
      isPresented = isPresenting;
      show();
      if (!isPresenting || asking.title) return;
      const words = await this.client.json("ask", {}).catch(() => null); // the lesson's, which no page needs before
      if (!words) return;
      fill(asking, words.button);
      asking.title = words.button_what;
      show();
    };
    const handleKey = (/** @type {KeyboardEvent} */ event) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !keepsKeys(event);
      if (!asking.hidden && isPlain && event.key.toLowerCase() === "q") tryAsking();
    };
    // In the capture phase, because widgets stop their key events from bubbling.
    document.addEventListener("keydown", handleKey, { signal: this.signal, capture: true });
  }

  dispose() {
    this.#disposal.abort();
    for (const part of this.#parts) part.dispose();
    this.node.remove();
  }
}

const DIALOG = ".stDialog [role=dialog]";
const TITLE = "Connection error";

/**
 * Close Streamlit's connection dialog, which opens when the server doesn't answer and takes the focus from the text field. Pages
 * with an editor report the lost connection themselves. One observer serves a page.
 *
 * @param {HTMLElement} widget
 */
function keepTyping(widget) {
  const disposal = new AbortController();
  /** The text field that has focus, or had it until the dialog opened. @type {HTMLElement | null} */
  let field = null;
  let isClosing = false;
  const observer = new MutationObserver(checkDialog);
  observer.observe(document.body, { childList: true, subtree: true });
  widget.addEventListener("focusin", (event) => (field = fieldOf(event)), { signal: disposal.signal });
  widget.addEventListener("focusout", handleFocusOut, { signal: disposal.signal });

  /** @param {FocusEvent} event */
  function handleFocusOut({ relatedTarget }) {
    if (!(relatedTarget instanceof Element && relatedTarget.closest(".stDialog"))) field = null;
  }

  function checkDialog() {
    const dialog = document.querySelector(DIALOG);
    if (dialog?.querySelector("h2")?.textContent === TITLE) {
      isClosing = true;
      /** @type {HTMLElement | null} */ (dialog.querySelector("button[aria-label=Close]"))?.click();
    } else if (!dialog && isClosing) {
      // Without delay: the next key may have been pressed already.
      isClosing = false;
      if (field?.isConnected) field.focus();
    }
  }

  return {
    dispose() {
      disposal.abort();
      observer.disconnect();
    },
  };
}

/** @param {Event} event */
function fieldOf(event) {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && target.matches("textarea, input") ? target : null;
}
