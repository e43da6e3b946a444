/**
 * Positions of text pieces on the page, measured because only the browser knows how wide it draws a character.
 */

/**
 * @typedef {object} Box the area of a piece in one row; a wrapped or bidirectional piece has several
 * @property {number} row
 * @property {number} left in pixels
 * @property {number} right
 * @property {string} label text of its block
 * @property {boolean} [isBytes] true if the label is bytes, because the piece is not a whole character
 */

/**
 * @typedef {object} Atom a stretch of rendered text: a text node, or an element measured as a whole
 * @property {number} from in UTF-16 units
 * @property {number} to
 * @property {Text | HTMLElement} node
 */

/** Boxes with a smaller gap than this are joined, in pixels. */
const JOIN_GAP = 0.75;

/**
 * List the atoms of a rendered text in order.
 *
 * @param {HTMLElement} root
 * @param {number} from start of its text, in UTF-16 units
 * @param {(element: HTMLElement) => boolean} isWhole true if an element is measured as a whole
 * @returns {Atom[]}
 */
export function atomsOf(root, from, isWhole) {
  /** @type {Atom[]} */
  const atoms = [];
  let at = from;
  const visit = (/** @type {Node} */ node) => {
    const length = node.textContent?.length ?? 0;
    if (node instanceof Text || (node instanceof HTMLElement && isWhole(node))) {
      atoms.push({ from: at, to: at + length, node });
      at += length;
    } else node.childNodes.forEach(visit);
  };
  root.childNodes.forEach(visit);
  return atoms;
}

/**
 * Create a function that measures the boxes of any stretch of one rendered text.
 *
 * @param {Atom[]} atoms
 * @param {DOMRect} frame origin of `left` and of the row numbers
 * @param {number} rowHeight in pixels
 * @returns {(from: number, to: number) => Box[]} boxes of the stretch [from, to), in UTF-16 units
 */
export function createMeasure(atoms, frame, rowHeight) {
  const range = document.createRange();

  /** @param {DOMRect} rect @returns {Box} */
  const boxOf = ({ left, right, top, bottom }) => ({
    row: Math.max(0, Math.floor(((top + bottom) / 2 - frame.top) / rowHeight)),
    left: left - frame.left,
    right: right - frame.left,
    label: "",
  });

  /** @param {Atom} atom @param {number} from @param {number} to */
  function rectsOf({ node, from: start, to: end }, from, to) {
    if (node instanceof HTMLElement) return node.getClientRects();
    range.setStart(node, Math.max(from, start) - start);
    range.setEnd(node, Math.min(to, end) - start);
    return range.getClientRects();
  }

  return (from, to) => {
    const boxes = [];
    for (let a = firstEndingAfter(atoms, from); a < atoms.length && atoms[a].from < to; a++) {
      for (const rect of rectsOf(atoms[a], from, to)) boxes.push(boxOf(rect));
    }
    return boxes;
  };
}

/** Index of the first atom that ends after a position. @param {Atom[]} atoms @param {number} position */
function firstEndingAfter(atoms, position) {
  let low = 0;
  let high = atoms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (atoms[middle].to > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Join touching boxes, and widen boxes without width, such as that of a line end.
 *
 * @param {Box[]} boxes in the order of the text
 * @param {number} least width given to a box without width, in pixels
 * @returns {Box[]}
 */
export function joined(boxes, least) {
  /** @type {Box[]} */
  const merged = [];
  const wide = boxes.filter(({ left, right }) => right - left > 0.01);
  for (const box of wide.length ? boxes : boxes.slice(0, 1)) {
    const touching = merged.find(({ row, left, right }) => row === box.row && gap(left, right, box) < JOIN_GAP);
    if (!touching) {
      merged.push({ ...box });
      continue;
    }
    touching.label += box.isBytes && touching.label ? ` ${box.label}` : box.label;
    touching.isBytes ||= box.isBytes;
    touching.left = Math.min(touching.left, box.left);
    touching.right = Math.max(touching.right, box.right);
  }
  for (const box of merged) if (box.right - box.left < 0.01) box.right = box.left + least;
  return merged;
}

/** @param {number} left @param {number} right @param {Box} box */
function gap(left, right, box) {
  return Math.max(box.left - right, left - box.right);
}
