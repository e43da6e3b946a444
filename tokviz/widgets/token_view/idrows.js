/**
 * Places of the ids beneath a line: each centered under its chip where there is room, else spread and staggered over up to
 * three rows, tied to its chip by a leader. Where three rows are too few, the densest group becomes one bracket.
 *
 * All lengths are in pixels, from the left edge of the line's block.
 */

/**
 * @typedef {object} Item
 * @property {number} left of its chip
 * @property {number} right
 * @property {number} token
 * @property {number} width of its id
 * @property {number} group an integer; items of the same group, a word, are put into a bracket together
 * @property {boolean} isDense whether its group is always a bracket
 */

/**
 * @typedef {object} Place
 * @property {number[]} tokens one, or those of a bracket
 * @property {number} left edge of their chips
 * @property {number} right
 * @property {number} width of the label
 * @property {string} text of a bracket's label: how many tokens it has; "" for an id
 * @property {number} row
 * @property {number[]} path horizontal places of the leader in the rows above, then the label's center
 */

/** @typedef {Omit<Place, "row" | "path">} Label */
/** @typedef {{from: number, to: number}} Room from edge to edge */

export const MAX_ROWS = 3;
/** Space between two ids, at least half a digit, and about a leader. */
const [BETWEEN, BESIDE] = [5, 2];
/** Farthest that an id of a single row may be from its chip's center; half a digit if that is farther. */
const NEAR = 9;
/** Farthest that any id may be from its chip's center, in widths of a digit. */
const FARTHEST = 2;
/** Maximum tokens of a group; a larger one is divided evenly. */
const MAX_GROUP = 12;

/**
 * @param {Item[]} words in token order
 * @param {number} width of the block
 * @param {number} digit width of a digit of an id
 * @param {number} [rows] most rows
 * @param {number} [edge] width of the block's margins, in which no id stands unless a chip does
 * @returns {Place[]}
 */
export function placeIds(words, width, digit, rows = MAX_ROWS, edge = 0) {
  const room = { from: Math.min(edge, ...words.map(({ left }) => left)), to: Math.max(width - edge, ...words.map(({ right }) => right)) };
  const items = divided(words);
  const sizes = groupSizes(items);
  const packed = new Set(items.filter(({ isDense }) => isDense).map(({ group }) => group));
  for (;;) {
    const places = stagger(bracketed(items, packed, digit, room), room, rows, digit);
    const isTooFar = places.some((place) => place.row >= rows || shiftOf(place) > FARTHEST * digit);
    const group = isTooFar ? densestOf(sizes, packed) : null;
    if (group === null) return places;
    packed.add(group);
  }
}

/** How far a label is from the center of its chips, sideways. @param {Place} place */
const shiftOf = ({ left, right, path }) => Math.abs(/** @type {number} */ (path.at(-1)) - (left + right) / 2);

/** Divide large groups into parts of like size. @param {Item[]} items */
function divided(items) {
  const sizes = groupSizes(items);
  /** @type {Map<number, number>} */
  const seen = new Map();
  return items.map((item) => {
    const { count } = /** @type {{count: number}} */ (sizes.get(item.group));
    const k = seen.get(item.group) ?? 0;
    seen.set(item.group, k + 1);
    const parts = Math.ceil(count / MAX_GROUP);
    return { ...item, group: item.group + Math.floor((k * parts) / count) / parts };
  });
}

/** Tokens and width of each group. @param {Item[]} items */
function groupSizes(items) {
  /** @type {Map<number, {count: number, left: number, right: number}>} */
  const sizes = new Map();
  for (const { group, left, right } of items) {
    const size = sizes.get(group) ?? { count: 0, left, right };
    sizes.set(group, { count: size.count + 1, left: Math.min(size.left, left), right: Math.max(size.right, right) });
  }
  return sizes;
}

/** The group with most tokens for its width that is no bracket yet. @param {ReturnType<typeof groupSizes>} sizes @param {Set<number>} packed */
function densestOf(sizes, packed) {
  const open = [...sizes].filter(([group, { count }]) => count > 1 && !packed.has(group));
  const density = (/** @type {typeof open[0]} */ [, { count, left, right }]) => count / Math.max(1, right - left);
  return open.sort((one, other) => density(other) - density(one))[0]?.[0] ?? null;
}

/** @param {Item[]} items @param {Set<number>} packed @param {number} digit @param {Room} room @returns {Label[]} from left to right */
function bracketed(items, packed, digit, room) {
  /** @type {Map<number | string, Label>} */
  const places = new Map();
  for (const { group, token, left, right, width } of items) {
    const key = packed.has(group) ? `bracket ${group}` : token;
    const place = places.get(key) ?? { tokens: [], left, right, width, text: "" };
    place.tokens.push(token);
    Object.assign(place, { left: Math.min(place.left, left), right: Math.max(place.right, right) });
    if (place.tokens.length > 1) count(place, digit);
    places.set(key, place);
  }
  const sorted = [...places.values()].sort((one, other) => centerOf(one) - centerOf(other));
  const labels = joined(sorted, digit);
  labels.forEach((label, k) => isBracket(label) && nameIfRoom(label, digit, labels[k - 1] ?? edgeAt(room.from), labels[k + 1] ?? edgeAt(room.to)));
  return labels;
}

/** Join neighboring brackets whose labels would overlap. @param {Label[]} labels from left to right @param {number} digit */
function joined(labels, digit) {
  /** @type {Label[]} */
  const result = [];
  for (const label of labels) {
    const last = result.at(-1);
    if (last && isBracket(last) && isBracket(label) && !isBeside(last, label)) {
      last.tokens.push(...label.tokens);
      Object.assign(last, { left: Math.min(last.left, label.left), right: Math.max(last.right, label.right) });
      count(last, digit);
    } else result.push(label);
  }
  return result;
}

/** Whether there is room for two labels, each beneath its chips. @param {Label} one @param {Label} other to its right */
const isBeside = (one, other) => centerOf(other) - centerOf(one) >= (one.width + other.width) / 2 + BETWEEN;

/** @param {Label} label */
const centerOf = ({ left, right }) => (left + right) / 2;

/** @param {Label} label */
const isBracket = ({ tokens }) => tokens.length > 1;

/** Label a bracket with its number of tokens, with a sign that no id has. @param {Label} label @param {number} digit @param {string} [text] */
function count(label, digit, text = `×${label.tokens.length}`) {
  label.text = text;
  label.width = digit * label.text.length + 2 * BETWEEN;
}

/** Say "tokens" beneath a bracket, unless that leaves too little room for its neighbors. @param {Label} label @param {number} digit @param {Label} before @param {Label} after */
function nameIfRoom(label, digit, before, after) {
  count(label, digit, `${label.tokens.length} tokens`);
  if (!isBeside(before, label) || !isBeside(label, after)) count(label, digit);
}

/** An edge of the room, as a neighbor. @param {number} x @returns {Label} */
const edgeAt = (x) => ({ tokens: [], left: x, right: x, width: -2 * BETWEEN, text: "" });

/** @param {Label[]} labels from left to right @param {Room} room @param {number} rows @param {number} digit @returns {Place[]} */
function stagger(labels, room, rows, digit) {
  const [between, near] = [Math.max(BETWEEN, digit / 2), Math.max(NEAR, digit / 2)];
  const centers = labels.map(({ left, right }) => (left + right) / 2);
  const halves = labels.map((label, k) => ({ center: centers[k], half: (label.width + between) / 2 }));
  const flat = spread(halves, { from: room.from - between / 2, to: room.to + between / 2 }); // nothing stands beyond the edges
  if (labels.every((_, k) => Math.abs(flat[k] - centers[k]) <= near)) return labels.map((label, k) => ({ ...label, row: 0, path: [flat[k]] }));
  const ends = Array(rows).fill(-Infinity);
  const places = labels.map((label, k) => {
    const start = centers[k] - label.width / 2;
    const free = ends.findIndex((end) => start >= end + between - near); // spreading mends the rest
    const row = free < 0 ? ends.indexOf(Math.min(...ends)) : free;
    ends[row] = Math.max(ends[row] + between, start) + label.width;
    for (let above = 0; above < row; above++) ends[above] = Math.max(ends[above], centers[k] - BESIDE) + 2 * BESIDE; // its leader
    return { ...label, row, path: [centers[k]] };
  });
  for (let row = 0; row < rows; row++) {
    const here = places.filter((place) => place.row >= row);
    const wanted = here.map((place) => ({ center: /** @type {number} */ (place.path.at(-1)), half: place.row === row ? (place.width + between) / 2 : BESIDE }));
    spread(wanted, room).forEach((center, k) => here[k].path.push(center));
  }
  return places.map((place) => ({ ...place, path: place.path.slice(1) }));
}

/**
 * Move intervals apart as little as possible, in their order (isotonic regression of their centers), then into the room.
 *
 * @param {{center: number, half: number}[]} intervals
 * @param {Room} room
 * @returns {number[]} their centers
 */
export function spread(intervals, { from, to }) {
  let offset = 0;
  const offsets = intervals.map(({ half }, k) => (offset += k ? intervals[k - 1].half + half : 0));
  /** @type {{sum: number, count: number}[]} */
  const blocks = [];
  intervals.forEach(({ center }, k) => {
    let block = { sum: center - offsets[k], count: 1 };
    for (let last = blocks.at(-1); last && last.sum / last.count > block.sum / block.count; last = blocks.at(-1)) {
      blocks.pop();
      block = { sum: block.sum + last.sum, count: block.count + last.count };
    }
    blocks.push(block);
  });
  if (!intervals.length) return [];
  const least = from + intervals[0].half;
  const most = Math.max(least, to - /** @type {number} */ (offsets.at(-1)) - intervals[intervals.length - 1].half);
  const moved = blocks.flatMap(({ sum, count }) => Array(count).fill(sum / count));
  return moved.map((each, k) => Math.min(Math.max(each, least), most) + offsets[k]);
}

/** Rows that ids take. @param {Place[]} places */
export const rowsOf = (places) => Math.min(MAX_ROWS, Math.max(1, ...places.map(({ row }) => row + 1)));
