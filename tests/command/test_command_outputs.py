"""Tests of what the subcommands print, against the package's functions and known ids."""

import csv
import io
import json
import sys
from pathlib import Path

import pytest
from sentencepiece import SentencePieceTrainer
from tokenizers import Tokenizer

import tokviz
from tokviz import export, formats
from tokviz.command import app
from tokviz.command.main import main
from tokviz.tokenizers.engines.hugging_face import HuggingFaceTokenizer
from tokviz.widgets import replays
from tokviz.widgets.columns import apply_columns

HELLO = "hello\r\nworld"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_bytes(HELLO.encode())
    (tmp_path / "b c.txt").write_bytes("naïve 你好".encode())
    monkeypatch.chdir(tmp_path)


def output(capsys: pytest.CaptureFixture[str], *argv: str, code: int = 0) -> str:
    assert main(argv) == code
    return capsys.readouterr().out


def test_show_formats(capsys: pytest.CaptureFixture[str]) -> None:
    gpt2 = tokviz.load("gpt2")
    show = ("show", "-m", "gpt2", "a.txt")
    assert output(capsys, *show) == "hello|[CR]|↵|\nworld\n4 tokens, 12 bytes (gpt2)\n"
    assert output(capsys, *show, "-f", "ids") == f"{' '.join(map(str, gpt2.encode(HELLO)))}\n"
    assert output(capsys, *show, "-f", "csv") == "".join(export.to_csv(gpt2, HELLO))
    assert output(capsys, *show, "-f", "json") == "".join(export.to_json(gpt2, HELLO))
    assert output(capsys, *show, "-f", "html") == export.to_html(gpt2, HELLO)


def test_show_reads_special_tokens_only_when_told(capsys: pytest.CaptureFixture[str]) -> None:
    text = "a<|endoftext|>"
    assert output(capsys, "show", "-m", "gpt2", "-t", text, "-f", "ids", "--special") == "64 50256\n"
    as_text = output(capsys, "show", "-m", "gpt2", "-t", text, "-f", "ids")
    assert list(map(int, as_text.split())) == tokviz.load("gpt2").encode(text)


def test_what_a_file_puts_around_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    """The ids are those of the original library, which puts them there by default."""
    bert = tokviz.load("bert-base-uncased")
    assert isinstance(bert, HuggingFaceTokenizer)
    expected = Tokenizer.from_str(bert.data.decode()).encode("hello world").ids
    show = ("show", "-m", "bert-base-uncased", "-t", "hello world", "--add-special")
    assert output(capsys, *show) == "[CLS]|hello|·world|[SEP]\n4 tokens, 11 bytes (bert-base-uncased)\n"
    assert output(capsys, *show, "-f", "ids") == f"{' '.join(map(str, expected))}\n"
    assert [token["id"] for token in json.loads(output(capsys, *show, "-f", "json"))["tokens"]] == expected
    rows = list(csv.DictReader(io.StringIO(output(capsys, *show, "-f", "csv"))))
    assert [int(row["id"]) for row in rows] == expected
    output(capsys, *show, "-f", "html", code=2)
    counted = output(capsys, "count", "-m", "bert-base-uncased,gpt2", "-f", "json", "--add-special", "a.txt", "b c.txt")
    for file in json.loads(counted)["files"]:
        text = Path(file["file"]).read_bytes().decode()
        reference = Tokenizer.from_str(bert.data.decode()).encode(text).ids
        assert file["tokens"] == {"bert-base-uncased": len(reference), "gpt2": len(tokviz.load("gpt2").encode(text))}


def test_data_on_a_terminal_has_its_control_characters_drawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for form in ("json", "csv", "html"):
        assert "\x1b" not in output(capsys, "show", "-f", form, "-t", "\x1b]0;title\x07 \x9b31m")


def test_count_prints_a_table_json_and_csv(capsys: pytest.CaptureFixture[str]) -> None:
    tokenizers = [tokviz.load(name) for name in ("gpt-4o", "gpt2")]
    texts = {"a.txt": HELLO, "b c.txt": "naïve 你好"}
    numbers = [[len(text.encode()), *(len(each.encode(text)) for each in tokenizers)] for text in texts.values()]
    total = [sum(column) for column in zip(*numbers, strict=True)]
    rows = [[name, *map(str, row)] for name, row in zip(texts, numbers, strict=True)]
    head = ["file", "bytes", "gpt-4o", "gpt2"]
    count = ("count", "-m", "gpt-4o,gpt2", "*.txt")
    table = [line.rsplit(maxsplit=3) for line in output(capsys, *count).splitlines()]
    assert table == [head, *rows, ["total", *map(str, total)]]
    assert list(csv.reader(io.StringIO(output(capsys, *count, "-f", "csv")))) == [head, *rows]
    found = json.loads(output(capsys, *count, "-f", "json"))
    assert [[each["bytes"], *each["tokens"].values()] for each in [*found["files"], found["total"]]] == [
        *numbers,
        total,
    ]


def test_count_of_a_long_file_is_that_of_its_text(capsys: pytest.CaptureFixture[str]) -> None:
    text = "The 12345 cats  sat\n\n on it's naïve mat. " * 60_000  # more than is read at a time
    Path("long.txt").write_text(text, "utf-8", newline="")
    counted = json.loads(output(capsys, "count", "-m", "gpt2", "-f", "json", "long.txt"))
    assert counted["total"]["tokens"] == {"gpt2": len(tokviz.load("gpt2").encode(text))}


def test_count_says_which_text_is_over_the_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["count", "-m", "gpt2", "--max", "4", "a.txt"]) == 0
    assert main(["count", "-m", "gpt2", "--max", "3", "a.txt"]) == 1
    assert "a.txt has 4 tokens under gpt2, more than 3" in capsys.readouterr().err


def test_count_goes_on_after_a_file_that_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.txt").write_bytes(b"\xff")
    assert main(["count", "-m", "gpt2", "bad.txt", "a.txt", "missing.txt"]) == 2
    out, err = capsys.readouterr()
    assert "a.txt" in out
    assert "bad.txt is not text" in err
    assert "missing.txt" in err


def test_compare_prints_what_a_comparison_says(capsys: pytest.CaptureFixture[str]) -> None:
    text = "It's 4567 naïve 🍕"
    compared = tokviz.compare(text, ["gpt2", "o200k_base"], names=["gpt2", "gpt-4o"])
    explained = [compared.explain(segment, 1) for segment in compared.differing.tolist()]
    sentences = [each.sentence for each in explained if each]
    said = output(capsys, "compare", "-t", text)
    assert all(sentence in said for sentence in sentences)
    assert f"{len(compared.differing)} of {len(compared)} segments differ" in said
    short = output(capsys, "compare", "-t", text, "--most", "1")
    assert sentences[1] not in short
    assert "and 3 more" in short
    data = json.loads(output(capsys, "compare", "-t", text, "-f", "json"))
    assert [each["why"] for each in data["differences"]] == [[sentence] for sentence in sentences]
    assert [each["ids"]["gpt2"] for each in data["differences"]] == [
        list(compared[segment].ids[0]) for segment in compared.differing
    ]
    assert output(capsys, "compare", "-t", text, "-f", "html") == export.comparison_to_html(compared)
    assert output(capsys, "compare", "-t", text, "-f", "svg") == export.comparison_to_svg(compared)


def test_replay_prints_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, "replay", "-m", "gpt2", "-t", "hello").splitlines()
    assert [line.split()[-1] for line in lines[1:]] == ["h|e|l|l|o", "he|l|l|o", "he|ll|o", "hell|o", "hello"]
    assert "he + ll = hell" in lines[4]
    assert len(output(capsys, "replay", "-m", "gpt2", "-t", "hello", "--steps", "2").splitlines()) == 4
    html = output(capsys, "replay", "-m", "gpt2", "-t", "hello", "--steps", "2", "-f", "html")
    assert html == replays.page(*apply_columns(tokviz.load("gpt2").replay("hello")), 2)
    svg = output(capsys, "replay", "-m", "gpt2", "-t", "hello", "-f", "svg")
    assert svg == f"{export.replay_to_svg(tokviz.load('gpt2'), 'hello')}\n"


def test_tokenizers_of_other_libraries(capsys: pytest.CaptureFixture[str]) -> None:
    model = io.BytesIO()
    SentencePieceTrainer.train(
        sentence_iterator=iter(["the cat in the hat"] * 9), model_writer=model, vocab_size=20, model_type="bpe"
    )
    Path("my.model").write_bytes(model.getvalue())
    tokenizer = tokviz.open("my.model")
    ids = output(capsys, "show", "-m", "my.model", "-f", "ids", "-t", "the cat")
    assert list(map(int, ids.split())) == tokenizer.encode("the cat")
    start, *_, end = output(capsys, "replay", "-m", "my.model", "-t", "the cat").splitlines()[1:]
    assert start.endswith("·|t|h|e|·|c|a|t")  # the first space is the one that the model puts before a text
    assert len(end.split()[-1].split("|")) == len(tokenizer.encode("the cat"))
    svg = output(capsys, "replay", "-m", "my.model", "-f", "svg", "-t", "the cat")
    assert svg == f"{export.replay_to_svg(tokenizer, 'the cat')}\n"


def test_trained_and_converted_files_encode_alike(capsys: pytest.CaptureFixture[str]) -> None:
    Path("text.txt").write_text("the cat in the hat. " * 20, "utf-8")
    train = ("train", "-n", "270", "--split", "gpt2", "--special", "<s>", "-o", "tokenizer.json", "text.txt")
    said = output(capsys, *train)
    expected = tokviz.train("the cat in the hat. " * 20, vocab_size=270, split_pattern="gpt2", special_tokens=["<s>"])
    assert f"{len(expected.merges)} merges from 400 bytes, {expected.vocab_size} tokens" in said
    assert tokviz.open("tokenizer.json").vocab == expected.vocab
    assert main(["convert", "tokenizer.json", "my.tiktoken"]) == 0
    err = capsys.readouterr().err
    assert "my.tiktoken does not hold the special tokens" in err
    assert "my.tiktoken does not hold how a text is cut" in err
    ids = output(capsys, "show", "-m", "my.tiktoken", "--split", "gpt2", "-t", "the hat", "-f", "ids")
    assert list(map(int, ids.split())) == expected.encode("the hat")


def test_a_training_without_merges_says_how_much_it_read(capsys: pytest.CaptureFixture[str]) -> None:
    Path("text.txt").write_bytes(b"hello world\n")
    said = output(capsys, "train", "-n", "300", "-o", "tokenizer.json", "text.txt")
    assert "0 merges from 12 bytes, 256 tokens in all" in said


def test_columns_are_names_and_not_paths(capsys: pytest.CaptureFixture[str]) -> None:
    data = formats.write(tokviz.train("a cat a cat", vocab_size=258), "tokenizer.json").files["tokenizer.json"]
    places = ["one/models/tokenizer.json", "two/models/tokenizer.json", "three/" * 9 + "gpt2.json", "six/cats.json"]
    for place in places:
        Path(place).parent.mkdir(parents=True)
        Path(place).write_bytes(data)
    header = output(capsys, "count", "-m", ",".join(["gpt2", *places]), "-t", "a cat").splitlines()[0]
    assert header.split() == ["file", "bytes", "gpt2", "one", "two", "gpt2.json", "cats"]
    read = json.loads(output(capsys, "count", "-f", "json", "-m", ",".join(places), "-t", "a cat"))
    assert list(read["files"][0]["tokens"]) == places
    assert main(["count", "--max", "1", "-m", places[0], "-t", "a cat"]) == 1
    assert "under one, more than 1" in capsys.readouterr().err
    compared = output(capsys, "compare", "-m", f"gpt2,{places[0]}", "-t", "a cat")
    assert "one" in compared and "models" not in compared


def test_the_app_starts_from_this_folder() -> None:
    assert app.app_file() == Path(__file__).parent.parent.parent / "app.py"
    assert app.app_file().exists()


def test_check_tells_the_first_difference_and_where_to_see_it(capsys: pytest.CaptureFixture[str]) -> None:
    Path("merges.txt").write_text("t h\nc a\n")
    said = output(capsys, "check", "merges.txt", "-t", "the cat in the hat", code=1)
    assert "Merge 2: you join c + a, in 1 place. More frequent is th + e, in 2 places." in said
    assert "http://localhost:8501/replay#story=learn&step=1&split=none" in said
    Path("ids.txt").write_text("[83, 258, 3797]")
    said = output(capsys, "check", "ids.txt", "-m", "gpt2", "-t", "the cat", code=1)
    assert "Token 1, at byte 0 of the text: you have 83 (t); it is 1169 (the)." in said
    assert "replay#story=apply&tokenizer=gpt2&step=" in said
    Path("ids.txt").write_text("[1169, 3797]")
    assert output(capsys, "check", "ids.txt", "-m", "gpt2", "-t", "the cat") == "Right: 2 tokens.\n"


def test_chat(capsys: pytest.CaptureFixture[str]) -> None:
    messages = [{"role": "user", "content": "Hi"}]
    Path("messages.json").write_text(json.dumps(messages))
    chat = tokviz.chat(messages, "qwen3", add_generation_prompt=True, enable_thinking=False)
    asked = ("chat", "-g", "--set", "enable_thinking=false", "messages.json", "-f")
    assert output(capsys, *asked, "prompt") == chat.prompt
    assert output(capsys, *asked, "ids") == f"{' '.join(map(str, chat.ids))}\n"
    assert json.loads(output(capsys, *asked, "json"))["tokens"]["template"] == chat.counts["template"]
    assert "message 0, content  Hi\n" in output(capsys, *asked, "text")
    Path("more.json").write_text(json.dumps({"messages": messages, "enable_thinking": False}))
    assert output(capsys, "chat", "-g", "more.json", "-f", "prompt") == chat.prompt
    Path("own.jinja").write_text("{{ messages[0].content }}!")
    assert output(capsys, "chat", "--template", "own.jinja", "-m", "gpt2", "more.json", "-f", "prompt") == "Hi!"


@pytest.mark.parametrize(
    ("text", "more", "said"),
    [
        ("[", (), "messages.json is not JSON"),
        ("5", (), "should hold a list of messages"),
        ('["x"]', (), "should hold a list of messages"),
        ('{"messages": "x"}', (), "should hold a list of messages"),
        ("[]", (), "there are no messages"),
        ('{"messages": [{}], "template": "x"}', (), "“template” can't be a value for the template"),
        ("[{}]", ("--set", "tokenizer=1"), "“tokenizer” can't be a value for the template"),
        ("[{}]", ("--set", "now=1"), "“now” can't be a value for the template"),
        ('[{"role": "user", "content": "Hi"}]', ("-m", "gpt2"), "no chat template is known for gpt2"),
        ('[{"role": "user", "content": "Hi"}]', ("--set", "x"), "--set takes NAME=VALUE"),
    ],
)
def test_chats_that_cannot_be_read(
    text: str, more: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("messages.json").write_text(text)
    assert main(["chat", "messages.json", *more]) == 2
    assert said in capsys.readouterr().err
