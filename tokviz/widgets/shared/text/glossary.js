/**
 * The terms of the field, each in a sentence of plain English, with an example to open: the only list of them.
 */

/** @typedef {{term: string, means: string, example: string}} Entry `example`: fields of a link to the course, or the address of another page */

/** Term, meaning, and example. Read by tests as JSON. @type {[string, string, string][]} */
const LIST = [
  ["byte", "Eight bits, so a number from 0 to 255. Files and networks carry nothing else.", "chapter=letters&figure=character&value=é"],
  ["byte fallback", "A character without a token of its own is spelled by tokens for its bytes, so that it is not lost.", "chapter=families&figure=strangers&value=0.98;bytes;你好，世界!"],
  ["byte order mark", "The invisible character U+FEFF, with which some programs begin a file.", "chapter=letters&figure=bytes&value=ef bb bf 68 69"],
  ["byte pair encoding", "Learning a vocabulary by joining the most frequent pair of neighbors, again and again. BPE for short.", "chapter=pairs&figure=pairs&value=aaabdaaabac;"],
  ["chat template", "A small program that makes one text of a chat’s messages, with special tokens that mark who speaks.", "chat#template=chatml"],
  ["code point", "The number that Unicode gives to a character, written like U+00E9.", "chapter=letters&figure=character&value=é"],
  ["combining mark", "A code point that is drawn onto the character before it, such as an accent.", "chapter=letters&figure=apart&value=ệ"],
  ["context window", "How many tokens a model can read at a time.", "chapter=pairs&figure=windows&value=anna"],
  ["control", "Reading the name of a special token as that token. Read as text, the same characters are cut like any others.", "chapter=specials&figure=control&value=A<|endoftext|>B"],
  ["control token", "A special token: it tells a model something, such as where a message ends, and stands for no text.", "chat#template=chatml"],
  ["cosine", "How nearly two vectors point in the same direction: 1 if they do, 0 at a right angle, −1 if they are opposite.", "chapter=vectors&figure=neighbors&value=class"],
  ["coverage", "The part of a text that the characters in a vocabulary make up, such as 99.95 %.", "chapter=families&figure=strangers&value=0.98;unk;你好，世界!"],
  ["embedding", "A table with a row of numbers, a vector, for each token of the vocabulary. Ids are read as numbers of its rows.", "chapter=vectors&figure=plane"],
  ["fertility", "Tokens per word. The higher it is, the more pieces the words are cut into.", "compression?chart=This text"],
  ["generation prompt", "The beginning of the model’s own message, with which a prompt ends, so that the model goes on with an answer.", "chat#template=qwen3"],
  ["glitch token", "A token that a model hardly met while it learned, so that it may do strange things when it meets it.", "chapter=trouble&figure=unseen&value=gpt2"],
  ["grapheme cluster", "What a reader calls one character; it may be several code points, as in a flag or a family.", "chapter=letters&figure=apart&value=👨‍👩‍👧‍👦"],
  ["lattice", "All pieces of a vocabulary that fit a text, side by side. Each path through it is one way to write the text.", "chapter=families&figure=threeways&value=unexpectedly"],
  ["merge", "A rule that joins one pair into one new token, wherever the pair stands.", "chapter=pairs&figure=pairs&value=aaabdaaabac;97-97"],
  ["normalization form", "One of several ways in which Unicode spells the same character, chosen so that equal texts have equal code points.", "chapter=letters&figure=spellings&value=ệ"],
  ["pair", "Two symbols side by side, with no cut between them. t + h is a pair; once joined, it is the token th.", "chapter=pairs&figure=pairs&value=the cat in the hat;"],
  ["parity", "Tokens of a text, compared with those of the same text in English: 2 means twice as many.", "compression?chart=Languages"],
  ["piece score", "In Unigram, a piece’s logarithm of how likely it is: below zero, and the closer to zero, the likelier.", "chapter=families&figure=threeways&value=unexpectedly"],
  ["pre-token", "A piece that the text is cut into before any merge, such as a word with the space before it. Merges never cross from one to the next.", "chapter=cuts&figure=alternatives&value=gpt2;I'll pay 5 yen"],
  ["prompt", "The text that a model is given and goes on from.", "chat#template=qwen3"],
  ["rank", "The place of a merge in the order in which merges were learned. Of the pairs in a text, the one learned earliest is joined.", "chapter=pairs&figure=cost"],
  ["regular expression", "A pattern that says which characters may follow each other. It finds the places where a text is cut.", "chapter=cuts&figure=alternatives&value=cl100k;In 2026, ok?"],
  ["replacement character", "The sign �, which stands for bytes that are not UTF-8.", "chapter=letters&figure=bytes&value=63 61 66 c3"],
  ["score", "A number for each token, the greater the more probable. Softmax makes chances of the scores.", "chapter=vectors&figure=plane"],
  ["softmax", "Makes chances of scores: e to the power of each score, divided by the sum of all of these.", "chapter=vectors&figure=plane"],
  ["special token", "A token that stands for no text, but says something about it: where it ends, or who is speaking.", "chapter=specials&figure=control&value=A<|endoftext|>B"],
  ["split pattern", "The regular expression that cuts a text into pre-tokens, before anything is merged.", "chapter=cuts&figure=alternatives&value=gpt2;I'll pay 5 yen"],
  ["surrogates", "The two units of UTF-16 that stand together for one code point above U+FFFF.", "chapter=letters&figure=character&value=🍕"],
  ["symbol", "What is joined: at first a single byte (or a character), later a token.", "chapter=pairs&figure=pairs&value=aaabdaaabac;97-97,256-97"],
  ["tie", "Several pairs are equally frequent. A rule has to choose, and another rule gives another tokenizer.", "chapter=pairs&figure=pairs&value=the cat in the hat;116-104"],
  ["tie rule", "What decides which of several equally frequent pairs is joined: the one seen first, or the lowest numbers, or the greatest letters.", "chapter=pairs&figure=pairs&value=the cat in the hat;116-104"],
  ["token", "An entry of a vocabulary: a piece of text that a model gets as one number.", "chapter=pieces&figure=ladder&value=The quick brown fox"],
  ["token id", "The number of a token in its vocabulary. It is all of the token that a model is given.", ".#view=all"],
  ["tokenizer", "A program that cuts a text into tokens and writes their numbers, and makes the text of the numbers again.", "chapter=pieces&figure=ladder&value=The quick brown fox"],
  ["Unigram", "A way to cut without merges: each piece has a score of its own, and the pieces with the best total are taken.", "chapter=families&figure=threeways&value=unexpectedly"],
  ["unknown token", "What stands for a text that no token spells. What the text was is lost.", "chapter=pieces&figure=ladder&value=I love 🍕"],
  ["UTF-16", "A way to write code points in units of 16 bits, one or two for each.", "chapter=letters&figure=character&value=🍕"],
  ["UTF-32", "A way to write code points in 32 bits each.", "chapter=letters&figure=character&value=A"],
  ["UTF-8", "A way to write code points in one to four bytes each. Nearly all files and pages use it.", "chapter=letters&figure=character&value=你"],
  ["vector", "A list of numbers. Two of them are a point in the plane; models use hundreds or thousands.", "chapter=vectors&figure=plane"],
  ["vocabulary", "All tokens of a tokenizer: the alphabet, what merges make of it, and tokens put in by hand, such as special ones.", "chapter=pieces&figure=ladder&value=unhappiness"],
  ["WordPiece", "A way to cut without merges: the longest piece that a word begins with is taken, then the longest for the rest.", "chapter=families&figure=threeways&value=unexpectedly"],
  ["zero width joiner", "An invisible code point that makes one picture of the emoji on both sides.", "chapter=letters&figure=apart&value=👨‍👩‍👧‍👦"],
];

/** All entries, by term in small letters, in alphabetical order. @type {Map<string, Entry>} */
export const GLOSSARY = new Map(LIST.map(([term, means, example]) => [term.toLowerCase(), { term, means, example }]));

/** The entry of a term, which may stand in the plural or begin a sentence; undefined if there is none. @param {string} term */
export const entryOf = (term) => GLOSSARY.get(term.toLowerCase()) ?? GLOSSARY.get(term.toLowerCase().replace(/s$/, ""));

/** What a term means. @param {string} term one of the list @returns {string} */
export const meaningOf = (term) => /** @type {Entry} */ (entryOf(term)).means;

/** The address of an entry's example, "" if that is on a page that is not here. @param {Entry} entry @param {string} course the Course page's address, "" in a file with its chapters */
export const exampleOf = ({ example }, course) => (example.startsWith("chapter=") ? `${course}#${new URLSearchParams(example)}` : course && encodeURI(example));
