/**
 * One sentence for each fold of the Compare page, computed from the comparison.
 */

import { number, plural, rounded } from "../shared/dom/elements.js";
import { reasonNames } from "./model.js";
import { differenceOf } from "./totals.js";

/** @typedef {import("./model.js").Comparison} Comparison */

/**
 * How many places differ, and by what: "17 places differ: 9 by split, 8 by vocabulary".
 *
 * @param {Pick<Comparison, "bits">} comparison
 */
export function sayPlaces({ bits }) {
  if (!bits.length) return "No place differs: all of them cut this text alike.";
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (const each of bits) if (each) counts.set(each, (counts.get(each) ?? 0) + 1);
  const places = `${plural(bits.length, "place")} differ${bits.length === 1 ? "s" : ""}`;
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  const name = (/** @type {number} */ each) => reasonNames(each).join(" and ");
  if (!sorted.length) return `${places}.`;
  if (sorted.length === 1) return `${places}, ${bits.length === 1 ? "" : "all "}by ${name(sorted[0][0])}.`;
  return `${places}: ${sorted.map(([each, count]) => `${number(count)} by ${name(each)}`).join(", ")}.`;
}

/**
 * What the text costs under the dearest tokenizer, relative to the cheapest: at one price per token, or at the prices
 * typed if there is one for each tokenizer.
 *
 * @param {Pick<Comparison, "names" | "models">} comparison
 * @param {string[]} prices of a million tokens, by tokenizer; "" if none is typed
 */
export function sayBill({ names, models }, prices) {
  const isPriced = prices.every((price) => Number(price) > 0);
  const costs = models.map(({ n }, t) => (isPriced ? n * Number(prices[t]) : n));
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  const condition = isPriced ? "at your prices" : "at the same price per token";
  if (!most) return "Nothing to pay for: the text is empty.";
  if (least === most) return `All cost the same ${condition}.`;
  const [cheapest, dearest] = [names[costs.indexOf(least)], names[costs.indexOf(most)]];
  if (!least) return `Only ${dearest} costs anything ${condition}.`;
  return `${dearest} costs ${times(most / least)} what ${cheapest} does, ${condition}.`;
}

/** @param {number} ratio above 1 */
function times(ratio) {
  const digits = ratio < 1.01 ? 4 : ratio < 100 ? 2 : 0;
  return `${ratio.toLocaleString("en-US", { maximumFractionDigits: digits })} times`;
}

/**
 * The class of text whose tokens differ most in number.
 *
 * @param {Pick<Comparison, "names" | "classNames" | "classCounts">} comparison
 */
export function sayClasses({ names, classNames, classCounts }) {
  let best = { kind: -1, least: 0, most: 0, by: 0 };
  classNames.forEach((_, kind) => {
    const counts = classCounts.map((each) => each[kind]);
    const [least, most] = [Math.min(...counts), Math.max(...counts)];
    if (most - least > best.by) best = { kind, least: counts.indexOf(least), most: counts.indexOf(most), by: most - least };
  });
  const { kind, least, most } = best;
  if (kind < 0) return "All of them spend as many tokens on every class of text.";
  const [more, fewer] = [classCounts[most][kind], classCounts[least][kind]];
  return `The largest difference is in ${classNames[kind]}: ${plural(more, "token")} of ${names[most]}, ${number(fewer)} of ${names[least]}.`;
}

/**
 * The share of cuts that two tokenizers have in common; of more than two, that of the pairs that agree least and most.
 *
 * @param {Pick<Comparison, "names" | "models" | "agreement">} comparison
 */
export function sayAgreement({ names, models, agreement }) {
  const cutting = [...names.keys()].filter((t) => models[t].n > 1);
  if (!cutting.length) return "None of them cuts this text.";
  const pairs = [...names.keys()]
    .flatMap((one) => [...names.keys()].slice(one + 1).map((other) => ({ one, other, share: agreement[one][other][0] })))
    .filter(({ one, other }) => cutting.includes(one) || cutting.includes(other))
    .sort((a, b) => a.share - b.share);
  const [least, most] = [pairs[0], pairs[pairs.length - 1]];
  const percent = (/** @type {typeof least} */ { share }) => `${rounded(100 * share, 0)} %`;
  const pair = (/** @type {typeof least} */ { one, other }) => `${names[one]} and ${names[other]}`;
  if (names.length === 2) return `${pair(least)} agree on ${percent(least)} of their cuts.`;
  if (least.share === most.share) return `Any two of them agree on ${percent(least)} of their cuts.`;
  return `They agree on ${percent(least)} (${pair(least)}) to ${percent(most)} (${pair(most)}) of their cuts.`;
}

/**
 * How much of the text is cut differently, and where if most of that is in one quarter.
 *
 * @param {Pick<Comparison, "boundaries" | "differing">} comparison
 * @param {number[]} shares of equal stretches of the text that are in differences
 */
export function sayExtent({ boundaries, differing }, shares) {
  const bytes = boundaries[boundaries.length - 1] ?? 0;
  if (!differing.length) return "Nowhere: they all cut this text alike.";
  const differ = differing.reduce((sum, segment) => sum + boundaries[segment + 1] - boundaries[segment], 0);
  const quarters = [0, 1, 2, 3].map((k) => shares.slice((k * shares.length) / 4, ((k + 1) * shares.length) / 4));
  const sums = quarters.map((quarter) => quarter.reduce((sum, share) => sum + share, 0));
  const total = sums.reduce((sum, each) => sum + each, 0);
  const main = sums.findIndex((sum) => sum > total / 2);
  const where = main < 0 ? "" : `, most of that in the ${["first", "second", "third", "last"][main]} quarter`;
  return `${rounded((100 * differ) / bytes, 0)} % of the text is cut differently${where}.`;
}

/**
 * What a second text takes under the same tokenizer; an invitation while there is none.
 *
 * @param {[{tokens: number, bytes: number}, {tokens: number, bytes: number}] | null} texts
 */
export function saySecondText(texts) {
  if (!texts || !texts[1].bytes) return "What does a shorter text, or another format, take under the same tokenizer?";
  const [one, other] = texts;
  const percent = one.bytes ? differenceOf(other.tokens, one.tokens) : "";
  const difference = percent && ` against ${number(one.tokens)}: ${percent}`;
  return `${plural(other.tokens, "token")}${difference}.`;
}
