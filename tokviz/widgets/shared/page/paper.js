/**
 * Fit charts to paper. Plotly draws for the window's width; paper is narrower and would cut charts off.
 */

/** Printable width in pixels that every paper size has. */
const PAPER_WIDTH = 656;

/** Scale the charts within an element down to the paper when the page is printed. @param {HTMLElement} node */
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
    chart.style.setProperty("--to-paper", String(Math.min(1, PAPER_WIDTH / width)));
  }
}
