"""What the tokens of a chat are spent on, against tokens that transformers finds and the places of the texts."""

import pytest
from judge import prompt, qwen3

import tokviz
from tokviz.chats.chat import shares
from tokviz.chats.templates import ChatTemplate, shipped

TEXTS = ["You are curt.", "Zwölf Boxkämpfer 🍕 jagen Viktor", "漢字かな交じり文", "العربية وحدها"]
ROLES = ["system", "user", "assistant", "user"]


@pytest.mark.parametrize("name", ["qwen3", "qwen2.5", "chatml"])
def test_words_are_the_tokens_where_the_texts_stand(name: str) -> None:
    messages = [{"role": role, "content": text} for role, text in zip(ROLES, TEXTS, strict=True)]
    text = prompt(messages, shipped(name).text, add_generation_prompt=True)
    starts = [start for start, _ in qwen3()(text, return_offsets_mapping=True)["offset_mapping"]]
    places = [(text.index(each), text.index(each) + len(each)) for each in TEXTS]
    expected = {i: sum(begin <= start < end for start in starts) for i, (begin, end) in enumerate(places)}
    found = shares(tokviz.chat(messages, "qwen3", name, add_generation_prompt=True))
    assert found == (len(starts) - sum(expected.values()), sum(expected.values()), expected)


def test_a_message_that_is_empty_or_left_out() -> None:
    messages = [{"role": "user", "content": ""}, {"role": "assistant", "content": "left out"}]
    template = ChatTemplate("mine", "{{ messages[0].role }}: {{ messages[0].content }}")
    found = shares(tokviz.chat(messages, "gpt2", template))
    assert found == (3, 0, {0: 0})  # "user", ":" and " "
