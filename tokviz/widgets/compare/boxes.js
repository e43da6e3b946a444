/**
 * Where pieces of a text stand on the page: measured, since only the browser knows how wide it draws a character.
 */

/**
 * @typedef {object} Box a piece's room in one row; a piece that is wrapped, or runs in both directions, has several
 * @property {number} row
 * @property {number} left in pixels
 * @property {number} right
 * @property {string} label what is written into its block
 * @property {boolean} [isBytes] whether bytes are, for lack of a whole character
 */

/**
 * @typedef {object} Atom a stretch of drawn text: plain, or an element that is measured as a whole
 * @property {number} from in UTF-16 units
 * @property {number} to
 * @property {Text | HTMLElement} node
 */

/** Boxes that are no further apart are one. In pixels. */
const TOUCHING = 0.75;

/**
 * The stretches that a drawn text consists of.
 *
 * @param {HTMLElement} root
 * @param {number} from where its text begins
 * @param {(element: HTMLElement) => boolean} isWhole whether an element is measured as a whole
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
 * A measure for the boxes of one drawn text.
 *
 * @param {Atom[]} atoms
 * @param {DOMRect} frame what `left` and rows count from
 * @param {number} rowHeight in pixels
 * @returns {(from: number, to: number) => Box[]} for a stretch of the text, in UTF-16 units
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
    for (let a = firstEnding(atoms, from); a < atoms.length && atoms[a].from < to; a++) {
      for (const rect of rectsOf(atoms[a], from, to)) boxes.push(boxOf(rect));
    }
    return boxes;
  };
}

/** The first atom that ends behind a place. @param {Atom[]} atoms @param {number} place */
function firstEnding(atoms, place) {
  let low = 0;
  let high = atoms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (atoms[middle].to > place) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * Join the boxes that touch, and give room to what has none, such as a line end.
 *
 * @param {Box[]} boxes in the order of the text
 * @param {number} least how wide a box without width becomes, in pixels
 * @returns {Box[]}
 */
export function joined(boxes, least) {
  /** @type {Box[]} */
  const found = [];
  const wide = boxes.filter(({ left, right }) => right - left > 0.01);
  for (const box of wide.length ? boxes : boxes.slice(0, 1)) {
    const last = found.find(({ row, left, right }) => row === box.row && gap(left, right, box) < TOUCHING);
    if (!last) {
      found.push({ ...box });
      continue;
    }
    last.label += box.isBytes && last.label ? ` ${box.label}` : box.label;
    last.isBytes ||= box.isBytes;
    last.left = Math.min(last.left, box.left);
    last.right = Math.max(last.right, box.right);
  }
  for (const box of found) if (box.right - box.left < 0.01) box.right = box.left + least;
  return found;
}

/** @param {number} left @param {number} right @param {Box} box */
function gap(left, right, box) {
  return Math.max(box.left - right, left - box.right);
}
