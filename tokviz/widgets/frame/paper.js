/**
 * Charts on paper. Plotly draws for the width of the window, and a page of paper is narrower: what is beyond its edge
 * would be cut off.
 */

/** What every size of paper has between its margins, in pixels. */
const PAPER = 656;

/** Have charts shrink to the paper when the page is printed, as `page.css` says. */
export function fitCharts() {
  const gone = new AbortController();
  window.addEventListener("beforeprint", measure, { signal: gone.signal });
  return { dispose: () => gone.abort() };
}

function measure() {
  for (const chart of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".stPlotlyChart"))) {
    chart.style.setProperty("--to-paper", String(Math.min(1, PAPER / chart.clientWidth)));
  }
}
