/**
 * Dragging a token onto its neighbor with a mouse or a finger. A press that goes nowhere stays a click.
 */

/** How far a press goes until it is a drag, and how far a token is dragged until it is meant to join, in pixels. */
const [DRAGGED, MEANT] = [5, 16];

/** Tokens on the stage. */
const TOKENS = ".block.now, .sym";

/** @typedef {{node: HTMLElement, from: number, by: number, aim: HTMLElement | null}} Held */

export class Dragging {
  #stage;
  #onDrop;
  /** @type {Held | null} */
  #held = null;

  /**
   * @param {HTMLElement} stage tokens are dragged while it has the attribute `data-played`
   * @param {(start: number, onto: number) => void} onDrop called with the first symbols of the token and of its neighbor
   */
  constructor(stage, onDrop) {
    this.#stage = stage;
    this.#onDrop = onDrop;
    stage.addEventListener("pointerdown", (event) => this.#begin(event));
    stage.addEventListener("pointermove", (event) => this.#move(event));
    stage.addEventListener("pointerup", () => this.#drop());
    stage.addEventListener("pointercancel", () => this.#release());
    stage.addEventListener("click", (event) => this.#wasDragged && event.stopPropagation(), { capture: true });
  }

  /** True from the end of a drag until the next press: the click that follows it is none. */
  #wasDragged = false;

  /** @param {PointerEvent} event */
  #begin({ button, clientX, target }) {
    this.#wasDragged = false;
    const node = button || !this.#stage.hasAttribute("data-played") ? null : /** @type {HTMLElement | null} */ (/** @type {Element} */ (target).closest(TOKENS));
    if (node) this.#held = { node, from: clientX, by: 0, aim: null };
  }

  /** @param {PointerEvent} event */
  #move({ clientX, pointerId }) {
    const held = this.#held;
    if (!held) return;
    held.by = clientX - held.from;
    if (!this.#wasDragged && Math.abs(held.by) < DRAGGED) return;
    if (!this.#wasDragged) this.#stage.setPointerCapture(pointerId);
    this.#wasDragged = true;
    held.aim?.removeAttribute("data-aim");
    held.aim = Math.abs(held.by) < MEANT ? null : this.#neighbor(held.node, Math.sign(held.by));
    held.aim?.setAttribute("data-aim", "");
    held.node.setAttribute("data-held", "");
    held.node.style.setProperty("--by", `${held.by}px`);
  }

  /** The nearest token on the same line, to the right or to the left on screen. @param {HTMLElement} node @param {number} side */
  #neighbor(node, side) {
    const boxOf = (/** @type {Element} */ each) => each.getBoundingClientRect();
    const line = node.closest(".line");
    node.style.removeProperty("--by"); // its own place
    const here = boxOf(node);
    const isBeside = (/** @type {Element} */ each) => (line ? each.closest(".line") === line : Math.abs(boxOf(each).top - here.top) < here.height / 2);
    const distance = (/** @type {Element} */ each) => side * (boxOf(each).left - here.left);
    const beside = [...this.#stage.querySelectorAll(TOKENS)].filter((each) => distance(each) > 0 && isBeside(each));
    return /** @type {HTMLElement | null} */ (beside.sort((one, other) => distance(one) - distance(other))[0] ?? null);
  }

  #drop() {
    const aim = this.#held?.aim;
    const node = this.#release();
    if (aim && node) this.#onDrop(Number(node.dataset.at), Number(aim.dataset.at));
  }

  /** Let the token go back to its place. */
  #release() {
    const held = this.#held;
    this.#held = null;
    held?.aim?.removeAttribute("data-aim");
    held?.node.removeAttribute("data-held");
    held?.node.style.removeProperty("--by");
    return held?.node;
  }
}
