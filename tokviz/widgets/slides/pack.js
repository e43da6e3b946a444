/**
 * The class pack: slides in a page that opens from disk, above a sheet whose figures are drawn when they are unfolded, and
 * the course.
 */

import { PackedClient } from "../course/packed.js";
import { mount as mountCourse } from "../course/widget.js";
import { mountFigure } from "../figure/figure.js";
import { element, explainTerms } from "../shared/dom/elements.js";
import { createPresenter } from "../shared/page/presenter.js";
import * as explanations from "../shared/ui/explanations.js";
import { Slides } from "./slides.js";

/**
 * @typedef {object} PackData
 * @property {import("./slides.js").LessonData} lesson whose figures have what they show
 * @property {{chapters: import("../course/contents.js").Listed[], answers: Record<string, any>}} course
 */

/** @param {HTMLElement} root @param {PackData} data @param {(path: string) => Promise<any>} load loads a module that the page holds */
export function mountPack(root, { lesson, course }, load) {
  const slides = new Slides(lesson);
  const widget = element("div", { class: "tokviz frame" });
  root.append(widget, slides.node);
  const presenter = createPresenter(widget, "", (isPresenting) => slides.present(isPresenting));
  presenter.enter.textContent = lesson.words.show_slides;
  presenter.leave.textContent = lesson.words.leave;
  for (const each of [presenter.enter, presenter.leave]) each.title = "";
  presenter.band.prepend(slides.bar);
  widget.append(presenter.enter, presenter.band);
  const figures = lesson.steps.flatMap((step) => step.figures);
  const disposal = new AbortController();
  const explaining = explainTerms(/** @type {Element} */ (document.querySelector(".lesson")), "", async () => explanations);
  const { chapters, answers } = course;
  const reading = mountCourse(
    /** @type {HTMLElement} */ (document.getElementById("course")),
    { chapters, client: new PackedClient(answers), load: (/** @type {string} */ path) => load(`course/${path}`), tokenizers: [] },
  );
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
    dispose() {
      disposal.abort();
      explaining.dispose();
      reading.dispose();
      slides.dispose();
      presenter.dispose();
      widget.remove();
    },
  };
}
