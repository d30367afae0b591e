"""Reading JSON that others wrote."""

import pytest
from seqfacility_pipeline_package.documents import NotStrictJson, read_foreign_json, read_json

REFUSED = {
    b'{"a": NaN}': "holds NaN, which is not JSON",
    b'{"a": -Infinity}': "holds -Infinity, which is not JSON",
    b'{"a": 1e999}': "holds a number that is too large",
    b"[" + b"9" * 400 + b"]": "holds a number that is too large",
    b"[" + b"9" * 6000 + b"]": "holds a number that is too large",
    rb'{"a": "\ud800"}': "holds half a surrogate pair",
    rb'{"\udc00": 1}': "holds half a surrogate pair",
    rb'["\u0000"]': "holds a NUL character",
    b'{"a": 1, "a": 2}': "names a key twice in one object",
    b'"\xff"': "is not UTF-8 text",
    b"[" * 70 + b"]" * 70: "is nested too deeply",
    b"[" * 200_000 + b"]" * 200_000: "is nested too deeply",
    b"{}{}": "is not JSON: Extra data in line 1",
    b"": "is not JSON: Expecting value in line 1",
}


@pytest.mark.parametrize("reader", [read_json, read_foreign_json])
@pytest.mark.parametrize(("content", "reason"), REFUSED.items())
def test_what_readers_could_understand_differently_is_refused(
    reader: object, content: bytes, reason: str
) -> None:
    assert callable(reader)
    with pytest.raises(NotStrictJson, match=reason):
        reader(content)


def test_more_values_than_a_document_has_are_refused_before_they_take_memory() -> None:
    with pytest.raises(NotStrictJson, match="more than 2000000 values"):
        read_foreign_json(b"[" + b"[]," * 1_000_001 + b"1]")


def test_a_foreign_document_may_begin_with_a_mark_and_write_numbers_as_it_likes() -> None:
    assert read_foreign_json(b"\xef\xbb\xbf" + rb'{"a": 1.0, "b": "\ud83d\ude00"}') == {
        "a": 1.0,
        "b": "\U0001f600",
    }


def test_a_document_with_a_digest_may_not() -> None:
    with pytest.raises(NotStrictJson, match="with a fraction"):
        read_json(b'{"a": 1.0}')
    with pytest.raises(NotStrictJson):
        read_json(b"\xef\xbb\xbf{}")
