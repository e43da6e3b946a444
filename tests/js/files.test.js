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

test("files of tokenizers that can't be opened are named by what they hold", () => {
  const cases = /** @type {[string, string, RegExp][]} */ ([
    ["rwkv_vocab_v20230424.txt", "1 '\\x00' 1\n2 '\\x01' 1\n3 \"'\" 1\n", /vocabulary of RWKV.*choose another tokenizer\.$/],
    ["words.txt", "128 '\\x7f' 1\r\n129 b'\\x80' 1\r\n130 b'\\x81' 1\r\n", /vocabulary of RWKV/],
    ["m.vocab", "<unk>\t0\n<s>\t0\n\u2581the\t-3.25\n", /pieces of a SentencePiece model.*Open its \.model file/],
    ["dict.txt", "the 1061396\n, 980004\n. 8\n", /how often each token occurs/],
    ["dict.en.txt", "13 850314647\n262 800385005\n11 800251374\n", /how often each token occurs/],
    ["bpe_simple_vocab_16e6.txt", '"bpe_simple_vocab_16e6.txt#version: 0.2\ni n\n', /CLIP's merges/],
    ["added_tokens.json", '{"<|im_end|>": 151645}', /tokens that were added/],
    ["generation_config.json", '{"eos_token_id": 2}', /writing text with a model/],
    ["config.json", '{"architectures": ["LlamaForCausalLM"], "model_type": "llama"}', /settings of a model/],
    ["model.safetensors.index.json", '{"metadata": {"total_size": 9}, "weight_map": {}}', /which of a model's weights/],
    ["chat_template.jinja", "{%- for message in messages %}", /how messages become a text/],
    ["tokenizer.json", "version https://git-lfs.github.com/spec/v1\noid sha256:0\n", /Git LFS.*Download the file itself/],
    ["tokenizer.model", "<!DOCTYPE html>\n<html>", /web page and not the file/],
  ]);
  for (const [name, text, says] of cases) {
    const said = unreadable(name, bytes(text));
    assert.match(said?.says ?? "", says, name);
    assert.equal(said?.isText, true, name);
  }
  const clip = unreadable("bpe_simple_vocab_16e6.txt.gz", Uint8Array.of(0x1f, 0x8b, 8, 0));
  assert.match(clip?.says ?? "", /CLIP's merges/);
  assert.deepEqual(unreadable("book.txt.gz", Uint8Array.of(0x1f, 0x8b, 8, 0)), { says: "“book.txt.gz” is compressed. Unpack it first.", isText: false });
  const texts = [["list.txt", "1 'one' 1\ntwo\nthree\n"], ["en.vocab", "dog\tHund\ncat\tKatze\nowl\tEule\n"], ["dict.txt", "to be\nor not\nto be\n"], ["config.json", '{"theme": "dark"}'], ["page.html", "<html>"]];
  for (const [name, text] of texts) assert.equal(unreadable(name, bytes(text)), null, name);
});

test("a tokenizer that is cut off is said to be so before it is offered", () => {
  const half = HUGGING_FACE.slice(0, HUGGING_FACE.indexOf('"merges"'));
  const files = [["tokenizer.json", half], ["llama.json", half], ["tokenizer.json", '{"added_tokens": ['], ["vocab.json", '{"a": 0, "b']];
  for (const [name, text] of files)
    assert.deepEqual(unreadable(name, bytes(text)), { says: `“${name}” is incomplete or damaged: download it again.`, isText: true }, name);
  for (const [name, text] of [["tokenizer.json", `${HUGGING_FACE}\n\n`], ["notes.json", '{"a": [']]) assert.equal(unreadable(name, bytes(text)), null, name);
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
