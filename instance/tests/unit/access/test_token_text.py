"""The text of API tokens: found and checked by scanners, and never twice the same."""

import re

import pytest
from seqfacility_instance.access.token_text import TokenKind, is_token_text, new_token

SCANNED = re.compile(r"sqf_[pm][0-9A-Za-z]{49}")


@pytest.mark.parametrize("kind", TokenKind)
def test_a_new_token_is_found_by_scanners_and_passes_its_own_check(kind: TokenKind) -> None:
    texts = {new_token(kind) for _ in range(200)}

    assert len(texts) == 200
    assert all(SCANNED.fullmatch(text) and text.startswith(kind) and is_token_text(text) for text in texts)


def test_a_token_with_one_character_changed_is_none() -> None:
    text = new_token(TokenKind.PERSON)

    for place, character in enumerate(text):
        other = "0" if character != "0" else "1"
        assert not is_token_text(text[:place] + other + text[place + 1 :])
    assert not is_token_text(text[:-1])
    assert not is_token_text(text + "0")
    assert not is_token_text(" " + text)
    assert not is_token_text("")


def test_the_check_of_a_text_is_the_one_that_scanners_know() -> None:
    assert is_token_text("sqf_p" + "0" * 43 + "28LSzq")
