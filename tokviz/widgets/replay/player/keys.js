/**
 * The player's keys. They work while the player has focus, or anywhere in presenter mode, but never while typing.
 */

/** @type {[keys: string, does: string][]} */
export const KEYS = [
  ["space, →, PageDown", "next"],
  ["←, PageUp", "back"],
  ["P", "play, pause"],
  ["Home, End", "first, last"],
  ["T", "tower, or running text"],
  ["D", "decode: from numbers back to text"],
  ["Tab, then arrows", "walk along the tower's blocks; Enter goes to one's step"],
  ["1 to 4", "answer a question; on the blocks, Enter picks one to join it with its neighbor"],
  ["?", "these keys"],
  ["if they don't act", "click the player first; while presenting, they always act"],
];

/** @typedef {"next" | "back" | "toggle" | "first" | "last" | "drawing" | "decode" | "choose" | "help"} Action */

/** @type {Record<string, Action>} */
const ACTIONS = {
  " ": "next",
  ArrowRight: "next",
  PageDown: "next",
  ArrowLeft: "back",
  PageUp: "back",
  p: "toggle",
  P: "toggle",
  Home: "first",
  End: "last",
  t: "drawing",
  T: "drawing",
  d: "decode",
  D: "decode",
  ...Object.fromEntries(["1", "2", "3", "4"].map((digit) => [digit, /** @type {Action} */ ("choose")])),
  "?": "help",
};

/**
 * Action of a key press, or null.
 *
 * @param {KeyboardEvent} event
 * @returns {Action | null}
 */
export function actionOf(event) {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = /** @type {Element} */ (event.composedPath()[0]);
  if (isTyping(target)) return null;
  // A focused block of the tower has the arrow keys for itself.
  if (event.key.startsWith("Arrow") && target.closest?.(".block")) return null;
  // The space bar presses the focused button.
  if (event.key === " " && target.closest?.("button, summary, input, a, [role=button]")) return null;
  return ACTIONS[event.key] ?? null;
}

/** @param {Element} target */
function isTyping(target) {
  if (target instanceof HTMLInputElement)
    return !(target.type === "checkbox" || target.classList.contains("step-track"));
  return (
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}

export class PlayerKeys {
  #act;
  #choose;
  #isActive;
  /** Set while keys are heard everywhere. @type {AbortController | null} */
  #everywhere = null;
  /** @type {MutationObserver | null} */
  #observer = null;

  /**
   * @param {Record<Exclude<Action, "choose">, () => void>} act
   * @param {() => boolean} isActive false while there is nothing to play
   * @param {(i: number) => void} [choose] answer a question with this choice
   */
  constructor(act, isActive, choose = (/** @type {number} */ _i) => {}) {
    this.#choose = choose;
    this.#act = act;
    this.#isActive = isActive;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const action = actionOf(event);
    if (!action || !this.#isActive()) return;
    event.preventDefault();
    if (action === "choose") return this.#choose(Number(event.key) - 1);
    this.#act[action]();
  }

  /** @param {boolean} isWanted true to hear keys wherever focus is */
  hearEverywhere(isWanted) {
    this.#everywhere?.abort();
    this.#everywhere = isWanted ? new AbortController() : null;
    if (!this.#everywhere) return;
    const options = { capture: true, signal: this.#everywhere.signal };
    document.addEventListener("keydown", (event) => this.press(event), options);
  }

  /**
   * Hear keys everywhere while one of these elements has the class "present".
   *
   * @param {HTMLElement[]} elements
   * @param {() => void} onChange called when that begins or ends
   */
  watchPresenting(elements, onChange) {
    const update = () => {
      const isPresenting = elements.some(({ classList }) => classList.contains("present"));
      if (isPresenting === (this.#everywhere !== null)) return;
      this.hearEverywhere(isPresenting);
      onChange();
    };
    this.#observer = new MutationObserver(update);
    for (const watched of elements) this.#observer.observe(watched, { attributes: true, attributeFilter: ["class"] });
    update();
  }

  dispose() {
    this.#observer?.disconnect();
    this.hearEverywhere(false);
  }
}
