/**
 * The class pack: slides in a page that opens from disk, above a sheet whose figures are drawn when they are unfolded.
 */

import { mountFigure } from "../figure/figure.js";
import { element } from "../shared/dom/elements.js";
import { createPresenter } from "../shared/page/presenter.js";
import { Slides } from "./slides.js";

/** @param {HTMLElement} root @param {import("./slides.js").LessonData} lesson whose figures have what they show */
export function mountPack(root, lesson) {
  const slides = new Slides(lesson);
  const widget = element("div", { class: "tokviz frame" }, slides.bar);
  root.append(widget, slides.node);
  const presenter = createPresenter(widget, "", (isPresenting) => slides.present(isPresenting));
  presenter.enter.textContent = lesson.words.show_slides;
  presenter.leave.textContent = lesson.words.leave;
  for (const each of [presenter.enter, presenter.leave]) each.title = "";
  widget.append(presenter.enter, presenter.leave);
  const figures = lesson.steps.flatMap((step) => step.figures);
  const disposal = new AbortController();
  for (const fold of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.live"))) {
    fold.addEventListener("toggle", () => draw(fold), { signal: disposal.signal });
  }

  /** @param {HTMLDetailsElement} fold */
  function draw(fold) {
    const link = figures[Number(fold.dataset.figure)];
    const host = /** @type {HTMLElement} */ (fold.lastElementChild);
    if (fold.open && !host.firstChild && link.shown) mountFigure(host, link.shown, link);
  }

  return {
    update() {},
    dispose() {
      disposal.abort();
      slides.dispose();
      presenter.dispose();
      widget.remove();
    },
  };
}
