/**
 * The menu of pages, which Streamlit lays over a narrow screen and leaves open when a page is chosen from it.
 */

/** Documents that are listened to. @type {WeakSet<Document>} */
const watched = new WeakSet();

/** Close the menu whenever a page is chosen from it. May be called by every widget of a page. */
export function closeMenuOnceChosen() {
  if (watched.has(document)) return;
  watched.add(document);
  document.addEventListener("click", ({ target }) => {
    const isChoice = target instanceof Element && target.closest('[data-testid="stSidebarNavLink"]');
    const close = isChoice ? document.querySelector('[data-testid="stSidebarCollapseButton"] button') : null;
    if (close instanceof HTMLElement) close.click();
  });
}
