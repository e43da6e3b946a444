/**
 * Explanations of terms of the field, beside the term that the pointer, the focus or a finger is on. Pages load this when
 * a reader comes to the first term (`explainTerms` in elements.js).
 */

import { element, fill, termOf } from "../dom/elements.js";
import { entryOf, exampleOf } from "../text/glossary.js";

/** Room between a term and its explanation, and at the sides of the screen, in pixels. */
const GAP = 6;

class Explanations {
  #disposal = new AbortController();
  /** Stands beside the term that it explains. Its first Escape is not the presenter's. */
  #node = element("span", { id: "explanation", class: "explanation", popover: "auto", "data-closes": "" });
  #course;
  /** @type {Element | null} */
  #trigger = null;

  /** @param {EventTarget} root @param {string} course the Course page's address, "" in a file with its chapters */
  constructor(root, course) {
    this.#course = course;
    /** @type {Record<string, (event: any) => void>} */
    const listeners = {
      pointerover: (event) => event.pointerType !== "touch" && this.show(termOf(event)),
      pointerout: (event) => event.pointerType !== "touch" && this.#leave(event),
      focusin: (event) => this.show(termOf(event)),
      focusout: (event) => this.#leave(event),
      click: (event) => (this.#isFollowed(event) ? this.#hide() : this.show(termOf(event))),
      keydown: (event) => this.#press(event),
    };
    for (const [name, listener] of Object.entries(listeners)) root.addEventListener(name, listener, { signal: this.#disposal.signal });
    window.addEventListener("scroll", () => this.#place(), { capture: true, passive: true, signal: this.#disposal.signal });
  }

  /** @param {Element | null} trigger */
  show(trigger) {
    const entry = trigger && entryOf(trigger.getAttribute("data-term") ?? trigger.textContent ?? "");
    const does = trigger?.getAttribute("data-does");
    if (!trigger || !(entry || does) || this.#isOpenAt(trigger)) return;
    this.#hide();
    this.#trigger = trigger;
    const href = entry && exampleOf(entry, this.#course);
    fill(this.#node, does && `${does}. `, entry && `${entry.means} `, href && element("a", { href }, "An example"));
    this.#node.hidden = false;
    (trigger.localName === "summary" ? trigger.parentElement : trigger)?.after(this.#node); // what is folded is not drawn
    focusedIn(trigger).setAttribute("aria-describedby", this.#node.id);
    this.#node.showPopover();
    this.#place();
  }

  /** Stand beneath the term, or above it where there is no room. */
  #place() {
    if (!this.#trigger) return;
    const { left, top, bottom } = this.#trigger.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height, style } = this.#node;
    const isBelow = bottom + GAP + height <= innerHeight || top < height + GAP;
    style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
    style.top = `${isBelow ? bottom + GAP : top - GAP - height}px`;
  }

  /** @param {Element} trigger */
  #isOpenAt(trigger) {
    return trigger === this.#trigger && this.#node.matches(":popover-open") && !this.#node.hidden;
  }

  /** True if an event follows the link to the example. @param {Event} event */
  #isFollowed({ target }) {
    return target instanceof Element && this.#node.contains(target) && target.closest("a") !== null;
  }

  /** The pointer or the focus leaves the term or its explanation, unless it goes from one to the other. @param {PointerEvent | FocusEvent} event */
  #leave({ target, relatedTarget }) {
    const parts = [this.#trigger, this.#node];
    const isIn = (/** @type {EventTarget | null} */ node) => node instanceof Node && parts.some((part) => part?.contains(node));
    if (isIn(target) && !isIn(relatedTarget)) this.#hide();
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.key !== "Escape" || !this.#node.isConnected) return;
    event.stopPropagation();
    if (this.#node.matches(":focus-within") && this.#trigger instanceof HTMLElement) this.#trigger.focus();
    this.#hide();
  }

  #hide() {
    const trigger = this.#trigger;
    this.#trigger = null; // before the focus leaves it together with its explanation
    if (!trigger) return;
    focusedIn(trigger).removeAttribute("aria-describedby");
    this.#node.remove();
  }

  dispose() {
    this.#disposal.abort();
    this.#hide();
  }
}

/** What of a term or a control gets the focus. @param {Element} trigger */
const focusedIn = (trigger) => trigger.querySelector("input") ?? trigger;

/**
 * Explain the terms within a root, first the one that the reader has come to.
 *
 * @param {EventTarget} root @param {string} course @param {{found: Element, isPressed: boolean}} first @param {AbortSignal} signal
 */
export async function begin(root, course, { found, isPressed }, signal) {
  await addStylesheet(found);
  if (signal.aborted) return;
  const explanations = new Explanations(root, course);
  signal.addEventListener("abort", () => explanations.dispose());
  if (isPressed || found.matches(":hover, :focus-within")) explanations.show(found);
}

/** Add the stylesheet of explanations, which a file without a server holds. @param {Node} node in the tree that they are in */
async function addStylesheet(node) {
  if (import.meta.url.startsWith("blob:")) return;
  const root = node.getRootNode();
  const link = element("link", { rel: "stylesheet", href: new URL("explanations.css", import.meta.url).href });
  const loaded = new Promise((resolve) => (link.onload = link.onerror = resolve));
  (root instanceof ShadowRoot ? root : document.head).append(link);
  await loaded;
}
