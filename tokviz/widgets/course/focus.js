/**
 * The focus of a part that is drawn again while one of its elements has it.
 */

/** @param {HTMLElement} part */
export function createRefocus(part) {
  /** @type {(() => Element | null | undefined) | null} */
  let find = null;
  new MutationObserver(() => {
    const next = find?.();
    find = null;
    const isElsewhere = document.activeElement !== document.body && !part.matches(":focus-within");
    if (next instanceof HTMLElement && !isElsewhere) next.focus();
  }).observe(part, { childList: true });
  /** Once the part is drawn again, give the focus to an element, unless it is elsewhere by then. @param {() => Element | null | undefined} element finds it */
  return (element) => (find = element);
}
