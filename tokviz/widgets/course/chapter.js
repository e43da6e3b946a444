/**
 * A chapter on screen: its sentences, its questions, and its figures, which the sentences put values into.
 */

import { button, element, fill, isForBrowser, isStill, LETTERS, withTerms } from "../shared/dom/elements.js";
import { stayThere } from "../shared/dom/scrolling.js";
import { waysOn } from "../shared/ui/doors.js";
import { proseOf, wayLink } from "./prose.js";

/** @typedef {import("./prose.js").Part} Part */
/** @typedef {{title: string, name: string, value: string, parts: Part[]}} Card `name` and first `value` of its small figure */
/**
 * @typedef {object} Block
 * @property {"heading" | "paragraph" | "figure" | "question" | "cards" | "ways"} kind
 * @property {Part[]} parts
 * @property {string} name
 * @property {string} value
 * @property {Part[][]} choices
 * @property {number} right
 * @property {Part[]} answer
 * @property {Card[]} cards
 * @property {Part[]} ways
 */
/** @typedef {{name: string, title: string, lead: string, blocks: Block[], forms: import("./figures.js").Forms}} ChapterData */

export class Chapter {
  /** @type {Map<string, import("./figures.js").Figure>} */
  #figures = new Map();
  #leaving = new AbortController();
  #creators;
  #ways;
  #on;

  /**
   * @param {ChapterData} data
   * @param {import("./figures.js").Creators} creators of its figures
   * @param {Omit<import("./figures.js").Context, "changed">} context
   * @param {Omit<import("./prose.js").Ways, "show" | "figure">} ways
   * @param {boolean} isRead whether the reader was at its end before: then figures aren't covered until a question is answered
   * @param {object} on
   * @param {(figure: string, value: string) => void} on.figure the reader has changed what a figure shows
   * @param {(figure: string, value: string) => string} on.address of a figure as it is
   * @param {() => void} on.end the reader has come to the end
   */
  constructor({ title, lead, blocks }, creators, context, ways, isRead, on) {
    this.#creators = creators;
    this.#ways = { ...ways, show: this.#put.bind(this), figure: on.address };
    this.#on = on;
    const end = element("div", { class: "end" });
    this.node = element(
      "article",
      { class: "chapter" },
      element("h1", { tabindex: -1 }, title),
      element("p", { class: "lead" }, ...withTerms(lead)),
      ...blocks.map((block) => this.#nodeOf(block, context)),
      end,
    );
    if (!isRead) this.#coverAnswers();
    this.#watching = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && on.end());
    this.#watching.observe(end);
  }

  #watching;

  /** @param {Block} block @param {Omit<import("./figures.js").Context, "changed">} context */
  #nodeOf(block, context) {
    const { kind, parts } = block;
    if (kind === "heading") return element("h2", {}, ...proseOf(parts, this.#ways));
    if (kind === "figure") return this.#figureNode(block, context);
    if (kind === "question") return createQuestion(block, this.#ways);
    if (kind === "cards") return element("ul", { class: "cards" }, ...block.cards.map((card) => this.#cardNode(card, context)));
    if (kind === "ways") return this.#doors(block);
    return element("p", { class: "prose" }, ...proseOf(parts, this.#ways));
  }

  /** @param {Block} block */
  #doors({ ways }) {
    const open = ways.filter(({ kind }) => kind === "chapter" || this.#ways.hasPages());
    const doors = waysOn(...open.map((part) => wayLink({ ...part, text: `${part.text} →` }, this.#ways, "door")));
    doors.hidden = !open.length;
    return doors;
  }

  /** @param {Block} block @param {Omit<import("./figures.js").Context, "changed">} context */
  #figureNode({ name, value, parts }, context) {
    const figure = this.#createFigure(name, value, context);
    const link = element("a", { class: "to-figure quiet", title: "The address of this figure as it is", href: "#" }, "link to this figure");
    const renew = () => (link.href = this.#on.address(name, figure.value()));
    for (const event of ["pointerenter", "focus"]) link.addEventListener(event, renew);
    link.addEventListener("click", (/** @type {MouseEvent} */ event) => isForBrowser(event) || (event.preventDefault(), this.#changed(name)));
    const caption = element("figcaption", {}, element("span", {}, ...proseOf(parts, this.#ways)), " ", link);
    return element("figure", { id: `figure-${name}`, "data-figure": name }, caption, figure.node);
  }

  /** @param {Card} card @param {Omit<import("./figures.js").Context, "changed">} context */
  #cardNode({ title, name, value, parts }, context) {
    const figure = element("figure", { id: `figure-${name}`, "data-figure": name, "aria-label": title }, this.#createFigure(name, value, context).node);
    return element("li", {}, element("h3", {}, title), element("p", {}, ...proseOf(parts, this.#ways)), figure);
  }

  /** @param {string} name @param {string} value @param {Omit<import("./figures.js").Context, "changed">} context */
  #createFigure(name, value, context) {
    const figure = this.#creators[name]({ ...context, changed: () => this.#changed(name) });
    this.#figures.set(name, figure);
    figure.show(value);
    return figure;
  }

  /** Cover the figures that would give away the answer of the question above them, until it is answered. */
  #coverAnswers() {
    for (const figure of this.node.querySelectorAll(".predict + figure")) {
      figure.classList.add("covered");
      for (const part of partsOf(figure)) part.inert = true;
      figure.append(element("div", { class: "row cover" }, element("span", { class: "quiet" }, "Answer the question, or"), button("Show the figure", () => uncover(figure))));
    }
    this.node.addEventListener("click", (/** @type {Event} */ { target }) => target instanceof Element && target.closest(".choice") && uncover(target.closest(".predict")?.nextElementSibling));
  }

  /** @param {string} name */
  #changed(name) {
    this.#on.figure(name, this.#figures.get(name)?.value() ?? "");
  }

  /** A sentence puts a value into a figure. @param {MouseEvent} event @param {string} name @param {string} value */
  #put(event, name, value) {
    if (isForBrowser(event)) return;
    event.preventDefault();
    this.#figures.get(name)?.show(value);
    this.#changed(name);
    uncover(this.#nodeOfFigure(name));
    this.#nodeOfFigure(name)?.scrollIntoView({ block: "nearest", behavior: isStill() ? "auto" : "smooth" });
  }

  /** @param {string} name */
  #nodeOfFigure(name) {
    return this.node.querySelector(`[data-figure="${CSS.escape(name)}"]`);
  }

  /** Show what a link says of a figure, and go there. @param {string} name @param {string} value */
  open(name, value) {
    if (value) this.#figures.get(name)?.show(value);
    const figure = this.#nodeOfFigure(name);
    uncover(figure);
    if (figure) stayThere([this.node], () => figure.scrollIntoView({ block: "center" }), this.#leaving.signal); // while figures above it are drawn
  }

  dispose() {
    this.#leaving.abort();
    this.#watching.disconnect();
    for (const figure of this.#figures.values()) figure.dispose();
    this.node.remove();
  }
}

/** Names of a chapter's figures, and of those on cards. @param {Block[]} blocks */
export const figuresOf = (blocks) => blocks.flatMap((block) => [block, ...block.cards]).flatMap(({ name }) => name || []);

/** What is drawn in a figure, without its caption. @param {Element} figure */
const partsOf = (figure) => /** @type {HTMLElement[]} */ ([...figure.children].filter((part) => !part.matches("figcaption")));

/** @param {Element | null | undefined} figure */
function uncover(figure) {
  figure?.classList.remove("covered");
  figure?.querySelector(".cover")?.remove();
  for (const part of figure ? partsOf(figure) : []) part.inert = false;
}

/**
 * A question: predict first, then see. The answer is there once a choice is made.
 *
 * @param {{parts: Part[], choices: Part[][], right: number, answer: Part[]}} question
 * @param {import("./prose.js").Ways} ways
 */
function createQuestion({ parts, choices, right, answer }, ways) {
  const says = element("p", { class: "answer", role: "status" });
  const buttons = choices.map((choice, i) =>
    element("button", { type: "button", class: "button choice", "aria-pressed": "false", click: () => choose(i) }, element("b", { "aria-hidden": "true" }, LETTERS[i]), element("span", {}, ...proseOf(choice, ways))),
  );

  /** @param {number} chosen */
  function choose(chosen) {
    buttons.forEach((button, i) => {
      button.ariaPressed = String(i === chosen);
      button.classList.toggle("right", i === right);
    });
    fill(says, element("b", {}, chosen === right ? "Yes. " : `No: ${LETTERS[right]}. `), ...proseOf(answer, ways));
  }

  return element(
    "section",
    { class: "predict", "aria-label": "Predict" },
    element("p", { class: "asked" }, ...proseOf(parts, ways)),
    element("div", { class: "row choices-of" }, ...buttons),
    element("div", { class: "told" }, says, element("p", { class: "on-paper" }, element("b", {}, `${LETTERS[right]}. `), ...proseOf(answer, ways))),
  );
}
