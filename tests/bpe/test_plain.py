"""The plain implementation and the fast one are the same."""

import strategies
from hypothesis import given
from hypothesis import strategies as st

import tokviz
from tokviz.bpe import plain


@strategies.examples(100)
@given(strategies.corpora(), st.integers(0, 30), st.sampled_from([None, "gpt2", "gpt-4o"]))
def test_the_fast_code_is_the_same(texts: list[str], num_merges: int, pattern: str | None) -> None:
    tok = tokviz.train(texts, num_merges=num_merges, split_pattern=pattern)
    pretokens = [pretoken for text in texts for pretoken in tok.pretokens(text)]
    assert list(tok.merges.items()) == list(plain.train(pretokens, num_merges).items())
    ids = [token for pretoken in pretokens for token in plain.encode(pretoken, tok.merges)]
    assert [token for text in texts for token in tok.encode(text)] == ids
    assert tok.decode(ids) == plain.decode(ids, tok.merges)
    assert tok.decode(ids[1:]) == plain.decode(ids[1:], tok.merges)
