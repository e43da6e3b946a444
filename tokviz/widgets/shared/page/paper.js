/**
 * Fit charts to paper. Plotly draws for the window's width; paper is narrower and would cut charts off.
 */

/** Printable width in pixels that every paper size has. */
const PAPER_WIDTH = 656;

/** Scale charts down to the paper when the page is printed, by the properties that `page.css` reads. */
export function fitCharts() {
  const disposal = new AbortController();
  window.addEventListener("beforeprint", measure, { signal: disposal.signal });
  return { dispose: () => disposal.abort() };
}

function measure() {
  for (const chart of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".stPlotlyChart"))) {
    const width = chart.querySelector(".main-svg")?.clientWidth ?? chart.clientWidth;
    chart.style.setProperty("--drawn-width", `${width}px`);
    chart.style.setProperty("--to-paper", String(Math.min(1, PAPER_WIDTH / width)));
  }
}
