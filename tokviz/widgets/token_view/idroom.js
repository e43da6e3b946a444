/**
 * Room for the ids beneath the lines of a chunk: each line has the rows that its own ids take.
 *
 * What moves a line down is a float as wide as the chunk, shaped like a comb: a tooth beneath each line that needs more
 * than one row. It moves no letter sideways and is no part of the text.
 */

/** @typedef {{top: number, height: number}} Tooth in pixels of the chunk */

/** How far beneath a line its tooth begins, in pixels: not above the line's lower edge, however the browser rounds. */
const BENEATH = 3;
/** A line that does not fit is moved by whole pixels. */
const LESS_THAN_A_PIXEL = 0.5;

export class IdRoom {
  #host;
  /** @type {Tooth[]} */
  #teeth = [];
  /** Rows beneath each line. @type {number[]} */
  #rows = [];
  /** What lines depend on: the chunk's width, and their height. */
  #grid = "";

  /** @param {HTMLElement} host the chunk's element */
  constructor(host) {
    this.#host = host;
  }

  /** Return whether lines are where they were: if the chunk is as wide, and they are as high. Else there is no room any more. @param {number} width @param {number} line */
  fits(width, line) {
    const grid = `${width} ${line}`;
    const isSame = this.#grid === grid || !this.#rows.length;
    if (!isSame) this.clear();
    this.#grid = grid;
    return isSame;
  }

  /** The line at a height within the chunk. @param {number} y between its edges @param {number} line height of a line */
  lineAt(y, line) {
    const above = this.#teeth.filter(({ top }) => top < y);
    return Math.floor((y - sum(above)) / line);
  }

  /** Rows that a line has room for. @param {number} k */
  rowsAt(k) {
    return this.#rows[k] ?? 1;
  }

  /**
   * Give each line room for its rows; none loses room, lest lines jump while somebody types.
   *
   * @param {number[]} rows for each line; 0 for a blank one, which no float moves and which is room enough
   * @param {number} line height of a line @param {number} row height of a row of ids
   * @param {boolean} isIndented whether a line begins with white space, which would hang beside the float
   * @returns {boolean} whether lines have moved
   */
  give(rows, line, row, isIndented) {
    const now = rows.map((count, k) => count && Math.max(count, this.rowsAt(k)));
    if (now.join() === this.#rows.join()) return false;
    const before = JSON.stringify(this.#teeth);
    this.#rows = now;
    this.#teeth = teethOf(now, line, row);
    if (JSON.stringify(this.#teeth) === before) return false;
    this.#draw(isIndented);
    return true;
  }

  /** @param {boolean} isIndented */
  #draw(isIndented) {
    const { classList, style } = this.#host;
    const last = this.#teeth.at(-1);
    classList.toggle("combed", last !== undefined);
    classList.toggle("indented", last !== undefined && isIndented);
    if (!last) return;
    style.setProperty("--comb-height", `${last.top + last.height}px`);
    style.setProperty("--comb", combOf(this.#teeth));
  }

  clear() {
    this.#rows = [];
    this.#teeth = [];
    this.#draw(false);
  }
}

/** @param {Tooth[]} teeth */
const sum = (teeth) => teeth.reduce((total, { height }) => total + height, 0);

/**
 * The room beneath each line that needs more than one row, from where the next line would begin.
 *
 * @param {number[]} rows for each line; 0 for a blank one @param {number} line @param {number} row
 * @returns {Tooth[]}
 */
export function teethOf(rows, line, row) {
  /** @type {Tooth[]} */
  const teeth = [];
  rows.forEach((count, k) => {
    if (count > 1 && rows[k + 1] !== 0) teeth.push({ top: (k + 1) * line + sum(teeth), height: Math.ceil((count - 1) * row) });
  });
  return teeth;
}

/** @param {Tooth[]} teeth @returns {string} a shape that lines keep out of, in CSS */
function combOf(teeth) {
  const last = /** @type {Tooth} */ (teeth.at(-1));
  const outline = teeth.flatMap(({ top, height }) => {
    const [from, to] = [Math.ceil(top) + BENEATH, top + height - LESS_THAN_A_PIXEL];
    return [`0 ${from}px`, `100% ${from}px`, `100% ${to}px`, `0 ${to}px`];
  });
  return `polygon(0 0, ${outline.join(", ")}, 0 ${last.top + last.height}px)`;
}
