"""One-time codes of an authenticator app, and the codes for the day that it is lost."""

import re
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from seqfacility_instance.accounts import totp

SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
"""The secret of RFC 6238, appendix B."""


def at(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)


@pytest.mark.parametrize(
    ("seconds", "code"),
    [(59, "287082"), (1111111109, "081804"), (1111111111, "050471"), (20000000000, "353130")],
)
def test_codes_are_those_of_the_rfc(seconds: int, code: str) -> None:
    assert totp.counter_of(SECRET, code, at(seconds)) == seconds // 30


@pytest.mark.parametrize(
    ("steps", "counter"), [(-2, None), (-1, 37037036), (0, 37037036), (1, 37037036), (2, None)]
)
def test_a_clock_may_be_off_by_one_step_either_way(steps: int, counter: int | None) -> None:
    now = at(1111111109) + timedelta(seconds=30 * steps)

    assert totp.counter_of(SECRET, "081804", now) == counter


@pytest.mark.parametrize("code", ["", "0", "81804", "0818040", "\0", "\ud800", "٠٨١٨٠٤", "x" * 10_000])
def test_what_is_no_code_is_wrong(code: str) -> None:
    assert totp.counter_of(SECRET, totp.normalized(code), at(1111111109)) is None


def test_a_secret_has_160_bits_and_is_another_one_each_time() -> None:
    made = {totp.new_secret() for _ in range(50)}

    assert len(made) == 50
    assert all(re.fullmatch("[A-Z2-7]{32}", secret) for secret in made)


@pytest.mark.parametrize("site_name", ["SeqFacility", "Core: Kiel & Plön / 2?#", ""])
def test_an_app_reads_secret_account_and_facility(site_name: str) -> None:
    uri = urlsplit(totp.app_uri(SECRET, "ada+x@lab.test", site_name))

    query = parse_qs(uri.query)
    assert (uri.scheme, uri.netloc) == ("otpauth", "totp")
    assert (query["secret"], query["issuer"]) == ([SECRET], [site_name or "SeqFacility"])
    assert unquote(uri.path).endswith("ada+x@lab.test")


def test_recovery_codes_are_ten_and_all_different() -> None:
    made = totp.new_recovery_codes()

    assert len(set(made)) == 10
    assert all(re.fullmatch("([a-z2-7]{4}-){3}[a-z2-7]{4}", code) for code in made)


def test_a_code_is_compared_without_blanks_hyphens_and_capitals() -> None:
    assert totp.normalized(" ABCD-efgh\t2345 ") == "abcdefgh2345"
