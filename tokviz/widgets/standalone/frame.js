/**
 * Unpack the page of a notebook's cell, and make its frame as high as the page. `html.py` puts this script into the
 * frame: a cell keeps its output in the notebook's file, where a page that is not packed takes four times as much.
 */

const packed = /** @type {HTMLElement} */ (document.getElementById("page")).textContent ?? "";
const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));

new Response(unpacked).text().then((page) => {
  document.open();
  document.write(page);
  document.close();
  const frame = /** @type {HTMLElement | null} */ (window.frameElement);
  if (frame) new ResizeObserver(() => fit(frame)).observe(document.body);
});

/** Fit the frame to the page, and hide the line beneath it once the widget is there. @param {HTMLElement} frame */
function fit(frame) {
  frame.style.height = `${Math.ceil(document.body.getBoundingClientRect().height)}px`;
  const note = /** @type {HTMLElement | null} */ (frame.nextElementSibling);
  if (note) note.hidden = document.querySelector("[data-started]") !== null;
}
