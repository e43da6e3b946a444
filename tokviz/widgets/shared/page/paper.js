/**
 * Fit charts to paper. Plotly draws for the window's width; paper is mostly narrower and would cut charts off.
 */

/** Printable width in pixels that every paper size has. */
const PAPER_WIDTH = 656;
/** How much larger a chart is at most on paper, when a text stands beside it on screen. */
const MAX_SCALE = 1.3;

/** Scale the charts within an element to the paper when the page is printed. @param {HTMLElement} node */
export function fitCharts(node) {
  const disposal = new AbortController();
  window.addEventListener("beforeprint", () => measure(node), { signal: disposal.signal });
  return { dispose: () => disposal.abort() };
}

/** @param {HTMLElement} node */
function measure(node) {
  for (const chart of /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(".chart"))) {
    const width = chart.querySelector(".main-svg")?.clientWidth ?? chart.clientWidth;
    chart.style.setProperty("--drawn-width", `${width}px`);
    chart.style.setProperty("--to-paper", String(Math.min(MAX_SCALE, PAPER_WIDTH / width)));
  }
}
