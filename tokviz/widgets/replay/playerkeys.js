/**
 * The player's keys: heard while the player has focus, and everywhere in presenter mode or on a standalone page.
 */

import { actionOf } from "./keys.js";

export class PlayerKeys {
  #act;
  #isActive;
  /** Set while keys are heard everywhere. @type {AbortController | null} */
  #everywhere = null;
  /** @type {MutationObserver | null} */
  #observer = null;

  /**
   * @param {Record<import("./keys.js").Action, () => void>} act
   * @param {() => boolean} isActive false while there is nothing to play
   */
  constructor(act, isActive) {
    this.#act = act;
    this.#isActive = isActive;
  }

  /** @param {KeyboardEvent} event */
  press(event) {
    const action = actionOf(event);
    if (!action || !this.#isActive()) return;
    event.preventDefault();
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
