"""Access codes, the throttle, addresses, and where secrets go."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seqfacility_registry.install_profiles.access_codes import hash_access_code, is_access_code
from seqfacility_registry.install_profiles.errors import (
    InvalidAccessCode,
    ProfileIncomplete,
    TooManyWrongCodes,
)
from seqfacility_registry.install_profiles.rules import (
    InstallProfile,
    bearer_code,
    is_profile_id,
    resolved,
)
from seqfacility_registry.install_profiles.secrets_folder import SecretsFolder
from seqfacility_registry.install_profiles.throttle import (
    WRONG_CODES,
    AccessCodeThrottle,
)

CODE = "exactly-twenty-chars"
PROFILE: dict[str, Any] = {
    "id": "p",
    "version": "1.0.0",
    "requiredSecrets": [{"name": "token", "path": "settings.execution.weblogSecret"}],
    "settings": {"access": {"siteName": "Here"}},
}


def test_a_code_of_twenty_characters_is_hashed_and_one_of_nineteen_is_not() -> None:
    assert is_access_code(CODE, [hash_access_code(CODE)])
    with pytest.raises(ValueError, match="20 to 256"):
        hash_access_code(CODE[:-1])


def test_any_of_several_codes_opens_and_a_mangled_hash_opens_nothing() -> None:
    kept = hash_access_code(CODE)

    assert is_access_code(CODE, ["not a hash", "", kept])
    assert not is_access_code(CODE, ["not a hash", kept[:-4]])
    assert not is_access_code(CODE, [])
    assert not is_access_code(CODE.upper(), [kept])


@pytest.mark.parametrize("code", ["", "short", "x" * 257, "x" * 1_000_000])
def test_what_cannot_be_a_code_is_not_even_hashed(code: str) -> None:
    assert not is_access_code(code, ["$argon2id$never looked at"])


class _Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def _fail(throttle: AccessCodeThrottle, address: str = "192.0.2.1", profile: str = "p") -> None:
    with pytest.raises(InvalidAccessCode):
        throttle.check(profile, address, "wrong", [])


def test_the_window_slides_with_the_oldest_wrong_code() -> None:
    clock = _Clock()
    throttle = AccessCodeThrottle(clock)
    for timestamp in range(WRONG_CODES.maximum):
        clock.now = timestamp * 10.0
        _fail(throttle)

    clock.now = WRONG_CODES.window.total_seconds() - 0.5
    with pytest.raises(TooManyWrongCodes) as refused:
        throttle.check("p", "192.0.2.1", "wrong", [])
    clock.now = WRONG_CODES.window.total_seconds() + 0.5
    _fail(throttle)

    assert refused.value.headers == {"Retry-After": "1"}


def test_profiles_and_addresses_are_counted_apart() -> None:
    throttle = AccessCodeThrottle(_Clock())
    for _ in range(WRONG_CODES.maximum):
        _fail(throttle)

    _fail(throttle, address="192.0.2.2")
    _fail(throttle, profile="q")
    with pytest.raises(TooManyWrongCodes):
        throttle.check("p", "::ffff:192.0.2.1", None, [])


def test_a_customer_with_many_ipv6_addresses_counts_as_one() -> None:
    throttle = AccessCodeThrottle(_Clock())
    for guess in range(WRONG_CODES.maximum):
        _fail(throttle, address=f"2001:db8:1:2::{guess}")

    _fail(throttle, address="2001:db8:1:3::1")
    with pytest.raises(TooManyWrongCodes):
        throttle.check("p", "2001:db8:1:2:ffff::9", None, [])


def test_secrets_go_to_their_places_and_the_published_document_stays_as_it_is() -> None:
    document = copy.deepcopy(PROFILE)
    profile = InstallProfile(True, True, "", document)

    answer = resolved(profile, {"token": "s3cret", "other": "unused"})

    assert answer["settings"] == {"access": {"siteName": "Here"}, "execution": {"weblogSecret": "s3cret"}}
    assert "unused" not in json.dumps(answer)
    assert document == PROFILE


@pytest.mark.parametrize("values", [{}, {"token": None}, {"token": ""}, {"other": "x"}])
def test_a_secret_without_a_value_makes_the_profile_incomplete(values: dict[str, object]) -> None:
    with pytest.raises(ProfileIncomplete):
        resolved(InstallProfile(True, True, "", copy.deepcopy(PROFILE)), values)


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("Bearer abc", "abc"),
        ("bearer  abc ", "abc"),
        ("Bearer", None),
        ("Bearer a b", "a b"),
        ("Basic abc", None),
        (None, None),
    ],
)
def test_a_bearer_header_names_one_code(header: str | None, code: str | None) -> None:
    assert bearer_code(header) == code


@given(st.text(max_size=70))
def test_a_profile_id_is_always_a_plain_file_name(text: str) -> None:
    if is_profile_id(text):
        assert Path(text).name == text
        assert text not in {".", ".."}


@pytest.mark.parametrize(
    "content", ["{", "[]", '{"accessCodeHashes": "x", "secrets": []}', '{"accessCodeHashes": [1]}']
)
def test_a_mangled_secrets_file_opens_nothing_and_is_never_quoted(
    tmp_path: Path, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "p.json").write_text(content)

    kept = SecretsFolder(tmp_path).read("p")

    assert (kept.access_code_hashes, dict(kept.values)) == ((), {})
    assert content not in caplog.text


def test_what_is_kept_does_not_show_itself() -> None:
    kept = SecretsFolder(None).read("p")

    assert "values" not in repr(kept)


def test_a_secret_has_no_place_within_a_text() -> None:
    profile = {**PROFILE, "requiredSecrets": [{"name": "token", "path": "settings.access.siteName.x"}]}

    with pytest.raises(ProfileIncomplete):
        resolved(InstallProfile(True, True, "", profile), {"token": "s3cret"})
