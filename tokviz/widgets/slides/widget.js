/**
 * The Lesson page's widget: sharing, and slides in presenter mode; or the teacher's notes, which follow the slides.
 */

import { mountFrame } from "../frame/widget.js";
import { mountNotes } from "./notes.js";
import { Slides } from "./slides.js";

/**
 * @param {HTMLElement} root
 * @param {any} data as for the widget "frame", and `lesson`: see `LessonData`; `isNotes`: true for the notes
 */
export function mount(root, data) {
  const lesson = { ...data.lesson, base: data.base };
  if (data.isNotes) return mountNotes(root, lesson);
  const slides = new Slides(lesson);
  root.append(slides.node);
  return mountFrame(root, data, slides);
}
