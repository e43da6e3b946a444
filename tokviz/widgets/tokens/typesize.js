/**
 * The size of a text's type: large for a short one.
 */

/** Sizes of type, and the maximum length of a text that stands in them, in code points. @type {[size: string, most: number][]} */
const SIZES = [["huge", 64], ["large", 130], ["medium", 320], ["small", Infinity]];
/** Minimum length of a text that is small without counting, in UTF-16 units. */
const LONG = 1000;

export class TypeSize {
  /** Place of the last text's size among `SIZES`. */
  #size = 0;
  /** Length of the last text. */
  #length = 0;

  /** The size for a text. While one is edited, its type only becomes smaller, so that letters don't jump to and fro. @param {string} text */
  of(text) {
    const length = text.length < LONG ? Array.from(text).length : text.length;
    const isEdited = length > this.#length / 2;
    this.#size = Math.max(isEdited ? this.#size : 0, SIZES.findIndex(([, most]) => length <= most));
    this.#length = length;
    return SIZES[this.#size][0];
  }

  /** The next text is another one. */
  forget() {
    this.#length = Infinity;
  }
}
