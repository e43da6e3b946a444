/**
 * The menu of pages, which Streamlit lays over a narrow screen and leaves open when a page is chosen from it.
 */

/** Documents that are listened to. @type {WeakSet<Document>} */
const watched = new WeakSet();

/** Close the menu whenever a page is chosen from it, or the reader goes back. May be called by every widget of a page. */
export function closeMenuOnceChosen() {
  if (watched.has(document)) return;
  watched.add(document);
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest('[data-testid="stSidebarNavLink"]')) close();
  });
  window.addEventListener("popstate", close);
  // A page that the browser had kept as it was left.
  window.addEventListener("pageshow", ({ persisted }) => persisted && close());
}

function close() {
  const button = document.querySelector('[data-testid="stSidebar"][data-collapsed="false"] [data-testid="stSidebarCollapseButton"] button');
  if (button instanceof HTMLElement) button.click();
}
