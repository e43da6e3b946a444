/**
 * Tables of id pairs: their numbers, in the order in which they are added, and a value for each.
 */

/** Hash table of id pairs, numbered in order of insertion, with open addressing over typed arrays. */
export class PairTable {
  /** @param {number} capacity maximum number of pairs */
  constructor(capacity) {
    let size = 16;
    while (size < capacity * 2) size *= 2;
    this.mask = size - 1;
    this.slots = new Int32Array(size).fill(-1);
    this.lefts = new Int32Array(capacity);
    this.rights = new Int32Array(capacity);
    this.values = new Int32Array(capacity);
    this.size = 0;
  }

  /** Slot of a pair, or the free slot where it would go. @param {number} left @param {number} right */
  #slot(left, right) {
    let slot = (Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca6b)) & this.mask;
    for (let number = this.slots[slot]; number >= 0; number = this.slots[slot]) {
      if (this.lefts[number] === left && this.rights[number] === right) break;
      slot = (slot + 1) & this.mask;
    }
    return slot;
  }

  /** Number of a pair, or -1. @param {number} left @param {number} right */
  find(left, right) {
    return this.slots[this.#slot(left, right)];
  }

  /** Number of a pair, which is added if it is new. @param {number} left @param {number} right */
  add(left, right) {
    const slot = this.#slot(left, right);
    if (this.slots[slot] >= 0) return this.slots[slot];
    this.lefts[this.size] = left;
    this.rights[this.size] = right;
    return (this.slots[slot] = this.size++);
  }
}
