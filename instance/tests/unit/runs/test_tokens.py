"""Who may report on a run."""

import base64

import pytest
from seqfacility_instance.runs.errors import InvalidToken, RunIdRequired, WeblogNotConfigured
from seqfacility_instance.runs.rules.tokens import check_token, offered_token, run_token

SECRET = "shared secret"


def basic(text: bytes) -> str:
    return "Basic " + base64.b64encode(text).decode()


@pytest.mark.parametrize(
    ("query", "header", "offered"),
    [
        ("q", "Bearer h", "q"),
        ("", "Bearer h", "h"),
        (None, "bearer  h ", "h"),
        (None, basic(b"name:pass:word"), "pass:word"),
        (None, basic(b"no colon"), ""),
        (None, basic(b"\xff:x"), ""),
        (None, "Basic not base64!", ""),
        (None, "Digest h", ""),
        (None, None, ""),
    ],
)
def test_the_token_of_the_query_comes_first_and_rubbish_is_none(
    query: str | None, header: str | None, offered: str
) -> None:
    assert offered_token(query, header) == offered


def test_the_secret_opens_every_run_and_a_token_its_own_alone() -> None:
    assert check_token(SECRET, "run-1", SECRET) == "run-1"
    assert check_token(SECRET, "run-1", run_token(SECRET, "run-1")) == "run-1"

    with pytest.raises(InvalidToken):
        check_token(SECRET, "run-2", run_token(SECRET, "run-1"))


def test_a_token_is_of_one_launch_of_its_run() -> None:
    tokens = [run_token(SECRET, "run-1", launch) for launch in range(3)]

    assert len(set(tokens)) == 3
    assert check_token(SECRET, "run-1", tokens[1], lambda _run_id: 1) == "run-1"
    assert check_token(SECRET, "run-1", SECRET, lambda _run_id: 1) == "run-1"
    for other in (tokens[0], tokens[2]):
        with pytest.raises(InvalidToken):
            check_token(SECRET, "run-1", other, lambda _run_id: 1)


@pytest.mark.parametrize("run_id", [None, ""])
def test_the_token_of_no_run_is_no_token(run_id: str | None) -> None:
    with pytest.raises(InvalidToken):
        check_token(SECRET, run_id, run_token(SECRET, ""))


def test_only_who_knows_the_secret_learns_that_the_run_is_missing() -> None:
    with pytest.raises(RunIdRequired):
        check_token(SECRET, None, SECRET)
    with pytest.raises(InvalidToken):
        check_token(SECRET, None, "guess")


@pytest.mark.parametrize("secret", [None, ""])
def test_without_a_secret_not_even_an_empty_token_passes(secret: str | None) -> None:
    with pytest.raises(WeblogNotConfigured):
        check_token(secret, "run-1", "")


@pytest.mark.parametrize("token", ["", "\udcff", "shared secreT"])
def test_a_token_that_is_none_is_refused(token: str) -> None:
    with pytest.raises(InvalidToken):
        check_token(SECRET, "run-1", token)
