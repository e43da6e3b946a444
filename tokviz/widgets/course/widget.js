/**
 * The course: its contents, or one of its chapters. The address says which, and which figure shows what.
 */

import { element, fill, isForBrowser } from "../shared/dom/elements.js";
import { sentenceOf } from "../shared/net/client.js";
import { followLink, readFields, readText } from "../shared/net/links.js";
import { recall } from "../shared/page/memory.js";
import { takeKeys } from "../shared/page/presenter.js";
import { PageShell } from "../shared/page/shell.js";
import { Chapter, figuresOf } from "./chapter.js";
import { createContents, createProgress } from "./contents.js";
import { loadFigures } from "./figures.js";
import { createGlossary, GLOSSARY_NAME } from "./glossarypage.js";
import { addressOf, fieldsOf, placeIn } from "./link.js";
import { ReaderText } from "./readertext.js";

/** Longest value of a figure that the address keeps, in characters. */
const MAX_VALUE = 2_000;

/**
 * @param {HTMLElement} root
 * @param {any} data `base`, `tokenizers`, `presenting`: as for all pages; `chapters`: names, titles and leads; `teachers`: the
 *   name of the page for teachers; in a file without a server, there is no `base`, but a `client` that knows all answers, and
 *   `load` (see `loadFigures`)
 */
export const mount = (root, data) => new CoursePage(root, data);

class CoursePage {
  #shell;
  #readerText;
  #progress;
  /** What is on screen. @type {import("./link.js").Place} */
  #place = { chapter: "", figure: "", value: "" };
  #wanted = this.#place;
  /** @type {Chapter | null} */
  #chapter = null;
  #content = element("div", { class: "content" });
  #around = element("nav", { class: "row around", "aria-label": "Chapters" });

  /** @param {HTMLElement} root @param {any} data */
  constructor(root, data) {
    const shell = (this.#shell = new PageShell(root, data, { name: "course", late: "the figures", relinked: () => void this.#open() }));
    this.#readerText = new ReaderText(shell, recall(shell.store.read(), data.tokenizers));
    this.#progress = createProgress(data.base ?? "");
    if (!shell.isStandalone) this.#addTools();
    shell.node.append(this.#content, this.#around);
    shell.listen(window, "popstate", () => void this.#open());
    void this.#open();
  }

  #addTools() {
    const shell = this.#shell;
    const share = shell.addShare(() => ({ fields: this.#place.chapter ? fieldsOf(this.#place) : {}, text: this.#place.chapter ? this.#readerText.text : null }), () => this.#picture());
    const present = shell.addPresenter(shell.node, (isPresenting) => isPresenting && takeKeys());
    shell.node.append(element("div", { class: "row tools" }, share, present));
  }

  /** The figure in sight. */
  async #picture() {
    const { pictureOfPart } = await import("../shared/ui/copiedpicture.js");
    return pictureOfPart("figure", this.#content.querySelectorAll("figure:not(.covered)"), ".to-figure");
  }

  /** @param {any} newer */
  update(newer) {
    this.#shell.data = newer;
  }

  dispose() {
    this.#chapter?.dispose();
    this.#shell.dispose();
  }

  /** @returns {import("./contents.js").Listed[]} */
  get #chapters() {
    return this.#shell.data.chapters;
  }

  /** Show what the address says. */
  async #open() {
    const fields = readFields(location.hash);
    const place = placeIn(fields, [...this.#chapters, { name: GLOSSARY_NAME }, { name: this.#shell.data.teachers }]);
    if (fields?.text !== undefined) await this.#takeText(fields, place);
    if (place.chapter !== this.#place.chapter || !this.#content.firstChild) await this.#show(place);
    if (this.#shell.isDisposed || place.chapter !== this.#place.chapter) return;
    this.#place = place;
    if (place.figure) this.#chapter?.open(place.figure, place.value);
  }

  /** The text of a link becomes the reader's, and leaves the address. @param {Record<string, string>} fields @param {import("./link.js").Place} place */
  async #takeText(fields, place) {
    const text = await readText(fields).catch((error) => this.#shell.report(sentenceOf(error)));
    if (typeof text === "string") this.#readerText.text = text;
    history.replaceState(history.state, "", addressOf(place, location.pathname + location.search));
  }

  /** @param {import("./link.js").Place} place */
  async #show(place) {
    const isChapter = place.chapter !== "" && place.chapter !== GLOSSARY_NAME;
    this.#wanted = place;
    const create = isChapter ? await this.#load(place.chapter) : null;
    if (this.#shell.isDisposed || this.#wanted !== place || (isChapter && !create)) return;
    const isFirst = !this.#content.firstChild;
    this.#chapter?.dispose();
    this.#chapter = create && create();
    this.#place = place;
    const glossary = () => createGlossary(this.#shell.isStandalone ? "" : this.#ways.address(""));
    fill(this.#content, this.#chapter?.node ?? (place.chapter ? glossary() : createContents(this.#chapters, this.#shell.data.teachers, this.#ways)));
    this.#showAround();
    if (!isFirst) this.#shell.node.scrollIntoView();
    const title = this.#content.querySelector("h1");
    this.#shell.showTitle(place.chapter ? (title?.textContent ?? "") : "");
    if (!isFirst && title instanceof HTMLElement) title.focus({ preventScroll: true });
  }

  /** @param {string} name @returns {Promise<(() => Chapter) | null>} what creates the chapter; null if it can't be had */
  async #load(name) {
    const { client, data: { base, load }, showConnection: connection } = this.#shell;
    try {
      /** @type {import("./chapter.js").ChapterData} */
      const data = await client.json("course/chapter", { name });
      const creators = await loadFigures(figuresOf(data.blocks), data.forms, load);
      this.#shell.accept();
      return () => new Chapter(data, creators, { base, client, readerText: this.#readerText, connection }, this.#ways, this.#progress.isRead(name), {
        figure: (figure, value) => this.#figureChanged(figure, value),
        address: (figure, value) => this.#address({ chapter: name, figure, value }),
        end: () => this.#progress.read(name),
      });
    } catch (error) {
      this.#shell.report(sentenceOf(error));
      return null;
    }
  }

  /** The chapters before and after. */
  #showAround() {
    const at = this.#chapters.findIndex(({ name }) => name === this.#place.chapter);
    const link = (/** @type {import("./contents.js").Listed | undefined} */ chapter, /** @type {string} */ label) =>
      chapter && element("a", { class: "button", href: this.#ways.address(chapter.name), click: (/** @type {MouseEvent} */ event) => this.#ways.open(event, chapter.name) }, label);
    const all = { name: "", title: "", lead: "" };
    const [before, after] = [this.#chapters[at - 1], this.#chapters[at + 1]];
    fill(this.#around, ...(at < 0 ? [this.#place.chapter && link(all, "All chapters")] : [link(before, `← ${before?.title}`), link(all, "All chapters"), link(after, `${after?.title} →`)]));
  }

  // Ways

  /** @param {import("./link.js").Place} place */
  #address(place) {
    return addressOf(place, location.pathname + location.search);
  }

  #ways = {
    /** Whether there are the app's pages to go to. */
    hasPages: () => !this.#shell.isStandalone,
    isRead: (/** @type {string} */ chapter) => this.#progress.isRead(chapter),
    address: (/** @type {string} */ chapter) => this.#address({ chapter, figure: "", value: "" }),
    open: (/** @type {MouseEvent} */ event, /** @type {string} */ chapter) => {
      if (isForBrowser(event)) return;
      event.preventDefault();
      history.pushState(history.state, "", this.#ways.address(chapter));
      void this.#open();
    },
    go: (/** @type {MouseEvent} */ event, /** @type {string} */ page, /** @type {string} */ fields) => {
      if (isForBrowser(event)) return;
      event.preventDefault();
      void this.#go(page, fields);
    },
  };

  /** Go to a page of the app with the reader's text. @param {string} page @param {string} fields as in an address */
  async #go(page, fields) {
    const here = document.querySelector(`[data-testid="stTopNavLink"][href$="/${page}"]`);
    if (!fields && here instanceof HTMLElement) return here.click();
    const { base } = this.#shell.data;
    await followLink(`${base}${page}`, Object.fromEntries(new URLSearchParams(fields)), this.#readerText.text).catch((error) => this.#shell.report(sentenceOf(error)));
  }

  /** Keep what a figure shows in the address. @param {string} figure @param {string} value */
  #figureChanged(figure, value) {
    this.#place = { ...this.#place, figure, value: value.length > MAX_VALUE ? "" : value };
    history.replaceState(history.state, "", this.#address(this.#place));
  }
}
