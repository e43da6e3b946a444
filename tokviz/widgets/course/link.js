/**
 * Links into the course: a chapter, and in it a figure with what it shows.
 *
 * The address always says what is on screen, so that the browser's Back button, a reload and a bookmark work.
 */

/** @typedef {{chapter: string, figure: string, value: string}} Place "" for the contents; for no figure */

/** @param {Record<string, string> | null} fields of the address @param {{name: string}[]} chapters @returns {Place} */
export function placeIn(fields, chapters) {
  const { chapter = "", figure = "", value = "" } = fields ?? {};
  if (!chapters.some(({ name }) => name === chapter)) return { chapter: "", figure: "", value: "" };
  return { chapter, figure, value };
}

/** @param {Place} place @returns {Record<string, string>} */
export const fieldsOf = ({ chapter, figure, value }) => (figure ? { chapter, figure, value } : { chapter });

/** The address of a place, from the page's own. @param {Place} place @param {string} page */
export const addressOf = (place, page) => (place.chapter ? `${page}#${new URLSearchParams(fieldsOf(place))}` : page);
