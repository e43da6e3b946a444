/**
 * Trainings by other libraries: their algorithms, and their options with the libraries' own names and defaults.
 */

/** @typedef {"sentencepiece" | "wordpiece"} Library */

/**
 * @typedef {object} Option
 * @property {string} name
 * @property {Library} of
 * @property {"switch" | "number" | "choice" | "text"} kind
 * @property {string} value the default; switches are "1" and "0"
 * @property {string} says
 * @property {[string, string][]} [choices]
 * @property {[least: number, most: number, step: number]} [range]
 */

/** The algorithm that tokviz itself trains, and the one that merges nothing. */
export const [OWN, UNIGRAM] = ["bpe", "sentencepiece-unigram"];

/** @type {[string, string][]} */
export const ALGORITHMS = [
  [OWN, "BPE, like GPT"],
  ["sentencepiece-bpe", "SentencePiece BPE"],
  [UNIGRAM, "SentencePiece Unigram"],
  ["wordpiece", "WordPiece, like BERT"],
];

const RULES = ["nmt_nfkc", "nfkc", "nmt_nfkc_cf", "nfkc_cf", "identity"];
const MAX_TEXT = 20;

/** @type {Option[]} */
export const OPTIONS = [
  { name: "character_coverage", of: "sentencepiece", kind: "number", value: "0.9995", range: [0.98, 1, 0.0005], says: "The share of the text whose characters must have a piece. Rarer characters get none." },
  { name: "byte_fallback", of: "sentencepiece", kind: "switch", value: "0", says: "A character without a piece is spelled in bytes instead of becoming <unk>. The 256 pieces for bytes count toward the vocabulary size." },
  { name: "split_digits", of: "sentencepiece", kind: "switch", value: "0", says: "Every digit is a piece of its own." },
  { name: "add_dummy_prefix", of: "sentencepiece", kind: "switch", value: "1", says: "Puts a space in front of a text, so that its first word is cut like any other." },
  { name: "remove_extra_whitespaces", of: "sentencepiece", kind: "switch", value: "1", says: "Drops spaces at both ends, and all but one of several in a row." },
  { name: "normalization_rule_name", of: "sentencepiece", kind: "choice", value: "nmt_nfkc", choices: RULES.map((rule) => [rule, rule]), says: "How characters are normalized first. The rules with cf also turn capitals into small letters; identity changes nothing." },
  { name: "max_sentencepiece_length", of: "sentencepiece", kind: "number", value: "16", range: [1, 512, 1], says: "The most characters that a piece may have." },
  { name: "min_frequency", of: "wordpiece", kind: "number", value: "2", range: [0, 1_000_000, 1], says: "A pair must occur at least this often to be joined." },
  { name: "limit_alphabet", of: "wordpiece", kind: "number", value: "1000", range: [1, 100_000, 1], says: "At most this many different characters get pieces. A word with any other character becomes [UNK]." },
  { name: "wordpieces_prefix", of: "wordpiece", kind: "text", value: "##", says: "Marks the pieces that continue a word." },
  { name: "lowercase", of: "wordpiece", kind: "switch", value: "1", says: "Turns capitals into small letters first." },
  { name: "strip_accents", of: "wordpiece", kind: "choice", value: "", choices: [["", "as lowercase"], ["1", "yes"], ["0", "no"]], says: "Removes the accents of letters first." },
];

/** The library of an algorithm; null for tokviz's own. @param {string} algorithm @returns {Library | null} */
export function libraryOf(algorithm) {
  if (algorithm === OWN) return null;
  return algorithm === "wordpiece" ? "wordpiece" : "sentencepiece";
}

/** Options of an algorithm. @param {string} algorithm */
export const optionsOf = (algorithm) => OPTIONS.filter(({ of }) => of === libraryOf(algorithm));

/** Whether an option can have this value. @param {Option} option @param {string} value */
export function allows({ kind, choices, range }, value) {
  if (kind === "switch") return value === "0" || value === "1";
  if (kind === "choice") return (choices ?? []).some(([each]) => each === value);
  if (kind === "text") return value.length > 0 && value.length <= MAX_TEXT;
  const [least, most, step] = /** @type {[number, number, number]} */ (range);
  const isNumber = step === 1 ? /^\d{1,9}$/.test(value) : /^(?:[01](?:\.\d{1,9})?|\.\d{1,9})$/.test(value);
  return isNumber && Number(value) >= least && Number(value) <= most;
}

/**
 * Options of an algorithm that are set to something else than their defaults, out of fields by name. Others are left out.
 *
 * @param {string} algorithm @param {Record<string, string>} fields @returns {Record<string, string>}
 */
export function changedOptions(algorithm, fields) {
  const set = optionsOf(algorithm).filter((option) => option.name in fields && fields[option.name] !== option.value && allows(option, fields[option.name]));
  return Object.fromEntries(set.map(({ name }) => [name, fields[name]]));
}

/** Parameters of a request that name an algorithm and its options. @param {string} algorithm @param {Record<string, string>} options @returns {Record<string, string>} */
export function engineRequest(algorithm, options) {
  const library = libraryOf(algorithm);
  if (!library) return {};
  /** @type {Record<string, string>} */
  const model = library === "sentencepiece" ? { model_type: algorithm.split("-")[1] } : {};
  return { algorithm: library, ...model, ...changedOptions(algorithm, options) };
}
