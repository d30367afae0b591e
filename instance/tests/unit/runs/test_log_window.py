"""Windows of a log: every byte once, whole lines and characters, no token in two halves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_instance.runs.rules.log_window import LINE_BYTES, MAX_BYTES, LogWindow, find_window
from seqfacility_instance.runs.rules.tokens import parts_without_tokens, without_tokens


def window(log: bytes, wanted: int, until: int | None = None) -> LogWindow:
    return find_window(lambda at, size: log[at : at + size], len(log), wanted, until)


def all_windows(log: bytes) -> list[LogWindow]:
    found = [window(log, 0)]
    while found[-1].next + len(found[-1].unfinished) < len(log):
        found.append(window(log, found[-1].next))
    return found


def shown(log: bytes) -> str:
    """Read a log window by window, as the page does."""
    text = ""
    windows = all_windows(log)
    for one in windows:
        parts = [part.decode("utf-8", "replace") for part in (one.before, one.content, one.unfinished)]
        _, content, unfinished = parts_without_tokens(parts)
        text += content if one is not windows[-1] else content + unfinished
    return text


def test_a_window_has_whole_lines_and_the_line_that_is_written_apart() -> None:
    found = window(b"one\ntwo\nthr", 0)

    assert (found.content, found.unfinished) == (b"one\ntwo\n", b"thr")
    assert (found.start, found.next, found.size) == (0, 8, 11)
    assert window(b"one\ntwo\nthree\n", found.next).content == b"three\n"


def test_a_window_begins_with_the_line_that_holds_the_byte() -> None:
    assert window(b"one\ntwo\nthree\n", 5).start == 4
    assert window(b"one\ntwo\nthree\n", 4).start == 4
    assert window(b"one\ntwo\nthree\n", -3).content == b"three\n"
    assert window(b"one\ntwo\nthree\n", -300).start == 0


def test_a_window_that_ends_before_another_one_leaves_no_gap() -> None:
    log = b"".join(b"line %d\n" % number for number in range(1000))
    last = window(log, -200)

    before = window(log, last.start - 500, last.start)

    assert before.next == last.start
    assert before.unfinished == b""
    assert log[before.start - 1 : before.start] == b"\n"
    assert window(log, 10, 3).content == b""


def test_a_log_that_was_begun_anew_is_read_from_its_beginning() -> None:
    found = window(b"anew\n", 4_000)

    assert (found.start, found.content) == (0, b"anew\n")
    assert window(b"", 0).size == window(b"", 7).start == window(b"", -7).next == 0


@pytest.mark.parametrize("character", ["ä", "€", "𝄞", "x"])
def test_a_line_without_end_is_cut_between_characters(character: str) -> None:
    log = b"." + (character * (3 * MAX_BYTES // len(character.encode()))).encode()

    windows = all_windows(log)

    assert b"".join(one.content for one in windows) + windows[-1].unfinished == log
    assert all(len(one.content) <= MAX_BYTES for one in windows)
    for one in windows:
        (one.content + one.unfinished).decode()


def test_a_long_line_that_is_being_written_goes_on_where_it_was_cut() -> None:
    log = b"head\n" + b"x" * (LINE_BYTES + 4)

    assert shown(log) == log.decode()
    assert shown(log + b"y" * 20) == log.decode() + "y" * 20


@given(
    st.lists(st.sampled_from([b"a", b"\xc3\xa4", b"\xff", b"\n", b"\r\n", b" "]), max_size=60).map(b"".join)
)
def test_windows_hold_every_byte_once(log: bytes) -> None:
    windows = all_windows(log)

    assert b"".join(one.content for one in windows) + windows[-1].unfinished == log


@pytest.mark.parametrize("long", [0, 1])
@pytest.mark.parametrize("shift", [-40, -12, -3, 0, 4, 9, 30])
def test_a_token_that_two_windows_share_is_seen_in_none(shift: int, long: int) -> None:
    secret = "secretsecretsecret"
    head = "x" * (MAX_BYTES - len("?token=") + shift - 9)
    log = f"{head}?token={secret}&b=1\nend\n{'z' * long * LINE_BYTES}".encode()

    text = shown(log)

    assert "secret" not in text
    assert text == without_tokens(log.decode())


def test_what_announces_a_token_may_stand_on_the_line_before() -> None:
    log = b"basicToken =\n" + b"verysecret and more\n"

    first, second = window(log, 0, 13), window(log, 13)

    assert first.content == b"basicToken =\n"
    parts = [second.before.decode(), second.content.decode()]
    assert parts_without_tokens(parts) == ["basicToken =\n", "*** and more\n"]
