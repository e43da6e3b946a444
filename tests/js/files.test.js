import assert from "node:assert/strict";
import test from "node:test";

import { largest, sayTooLarge, sayWeights, tokenizerIn, unreadable } from "../../tokviz/widgets/shared/ui/files.js";

const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text);
const HUGGING_FACE = `{"version": "1.0", "added_tokens": [${'{"content": "<s>"},'.repeat(9000)}{}], "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}`;

test("tokenizer files are distinguished from texts", () => {
  const cases = /** @type {[string, string, string | null][]} */ ([
    ["tokenizer.json", HUGGING_FACE, "whole"],
    ["llama3.JSON", HUGGING_FACE, "whole"],
    ["tekken.json", '{"config": {"pattern": "x"}, "vocab": []}', "whole"],
    ["claude.json", '{"explicit_n_vocab": 9, "pat_str": "a|b", "special_tokens": {}, "bpe_ranks": "! 0 YQ=="}', "whole"],
    ["bpe.codes", "#version: 0.2\nt h\nth e</w>\n", "whole"],
    ["bpe.codes", "t h\n", "whole"],
    ["secret.codes", "the codes of this house\n", null],
    ["some.model", "minbpe v1\n\n0\n97 98\n", "whole"],
    ["some.tiktoken", "IQ== 0\nIg== 1\n", "without pattern"],
    ["tokenizer.model", "IQ== 0\r\nIg== 1\r\n", "without pattern"],
    ["vocab.bpe", "#version: 0.2\na b\n", null],
    ["notes.txt", HUGGING_FACE, null],
    ["data.json", '{"model": "a", "vocab": 3}', null],
    ["data.json", `["model", ${HUGGING_FACE}]`, null],
    ["empty.json", "", null],
    ["notes.model", "the model\nof a ship", null],
    ["empty.tiktoken", "", null],
  ]);
  for (const [name, text, holds] of cases) assert.equal(tokenizerIn(name, bytes(text)), holds, name);
});

test("a SentencePiece model is a tokenizer", () => {
  const model = Uint8Array.of(0x0a, 0x0e, 0x0a, 0x05, ...bytes("<unk>"), 0x15, 0, 0, 0, 0);
  for (const name of ["mistral-7b.model", "tokenizer.model.v3", "source.spm"]) {
    assert.equal(tokenizerIn(name, model), "whole", name);
    assert.equal(unreadable(name, model), null, name);
  }
  for (const text of ["minbpe v1\n\n0\n97 98\n", "IQ== 0\nIg== 1\n", "\nthe model"])
    assert.equal(unreadable("some.model", bytes(text)), null);
  assert.equal(tokenizerIn("picture.png", model), null);
});

test("a WordPiece vocabulary is a tokenizer", () => {
  const bert = "[PAD]\n[unused0]\n[UNK]\n[CLS]\n[SEP]\nthe\n##ing\n";
  const marian = "the\r\n##s\r\n";
  for (const [name, text] of [["vocab.txt", bert], ["bert-base-uncased-vocab.txt", bert], ["Vocab.txt", marian]]) {
    assert.equal(tokenizerIn(name, bytes(text)), "whole", name);
    assert.equal(unreadable(name, bytes(text)), null, name);
  }
  // Vocabulary lists, a text about BERT, and a list with a similar ending are ordinary texts.
  for (const [name, text] of [["vocab.txt", "der Hund\ndie Katze\n## 2\n"], ["notes.txt", bert], ["myvocab.txt", bert]])
    assert.equal(tokenizerIn(name, bytes(text)), null, name);
});

test("other files from a tokenizer's folder are recognized", () => {
  const cases = /** @type {[string, string, RegExp][]} */ ([
    ["merges.txt", "#version: 0.2\nĠ t\n", /merges without a vocabulary/],
    ["vocab.bpe", "#version: 0.2\nĠ t\n", /merges without a vocabulary.* together with its encoder.json/],
    ["gpt2.bpe", "#version: 0.2\nĠ t\n", /merges without a vocabulary/],
    ["gpt2-merges.txt", "#version: 0.2\nĠ t\n", /merges without a vocabulary/],
    ["vocab.json", '{"!": 0, "\\"": 1}', /vocabulary without merges/],
    ["encoder.json", '{"\\"": 1, "!": 0}', /together with its vocab.bpe/],
    ["special_tokens_map.json", '{"bos_token": "<s>"}', /names a tokenizer's special tokens/],
    ["tokenizer_config.json", '{"tokenizer_class": "LlamaTokenizer"}', /settings of a tokenizer/],
  ]);
  for (const [name, text, says] of cases) {
    const said = unreadable(name, bytes(text));
    assert.match(said?.says ?? "", says, name);
    assert.equal(said?.isText, true);
  }
  for (const [name, text] of [["vocab.json", '["der", "die"]'], ["merges.txt", "two rivers\n"], ["data.json", '{"a": 1}'], ["tokenizer.json", HUGGING_FACE]])
    assert.equal(unreadable(name, bytes(text)), null, name);
});

test("a model's weights are named, whatever their size", () => {
  for (const name of ["model.safetensors", "llama.Q4.gguf", "pytorch_model-00001-of-2.bin"]) assert.match(sayWeights(name), /holds a model's weights\. Open the tokenizer\.json/);
  for (const name of ["tokenizer.model", "a.bin"]) assert.equal(sayWeights(name), "");
});

test("a minbpe file of another version is not mistaken for a tiktoken file", () => {
  for (const version of ["minbpe v2", "minbpe v10"]) {
    const said = unreadable("some.model", bytes(`${version}\r\n\r\n0\r\n97 98\r\n`));
    assert.match(said?.says ?? "", new RegExp(`another version of minbpe's format, “${version}”`));
    assert.equal(said?.isText, true);
  }
  assert.equal(unreadable("minbpe.txt", bytes("minbpe v2\n")), null);
});

test("files that may hold a tokenizer may be larger than a text", () => {
  assert.equal(largest("tokenizer.json"), 40_000_000);
  assert.equal(largest("book.txt"), 10_000_000);
});

test("a file that is too large is reported with its size and the most that fits", () => {
  assert.equal(sayTooLarge("book.txt", 12_345_678), "“book.txt” has 12.3 MB, and 10 MB is the most that fits.");
  assert.equal(sayTooLarge("tokenizer.json", 1_250_000_000), "“tokenizer.json” has 1,250 MB, and 40 MB is the most that fits.");
});
