"""What an e-mail, a password, a code and a domain must be."""

import pytest
from seqfacility_instance.accounts.rules import (
    grouped_code,
    is_domain_allowed,
    is_email,
    normalized_code,
    password_problems,
)


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("ada@lab.test", True),
        ("a+b@sub.lab.test", True),
        ("ada@localhost", True),
        ("ada", False),
        ("@lab.test", False),
        ("ada@", False),
        ("a@b@c", False),
        ("a da@lab.test", False),
        ("ada@lab.test\n", False),
        (f"{'x' * 65}@lab.test", False),
        (f"ada@{'x' * 191}", False),
    ],
)
def test_an_email_has_one_at_sign_and_no_space(text: str, is_one: bool) -> None:
    assert is_email(text) is is_one


@pytest.mark.parametrize(
    ("length", "is_fine"), [(9, False), (10, True), (11, True), (255, True), (256, True), (257, False)]
)
def test_a_password_has_10_to_256_characters(length: int, is_fine: bool) -> None:
    assert (password_problems("x" * length, "ada@lab.test", "Core Lab") == []) is is_fine


def test_a_password_is_not_the_email_whatever_its_case() -> None:
    assert password_problems(" ADA@lab.test", "ada@lab.test", "Core Lab", "newPassword") == [
        "newPassword: must not be the e-mail address"
    ]


def test_a_code_is_the_same_however_it_is_typed() -> None:
    code = "0123456789ABCDEFGHJK"

    assert grouped_code(code) == "01234-56789-ABCDE-FGHJK"
    assert normalized_code(f" {grouped_code(code).lower()}\n") == code


@pytest.mark.parametrize(
    ("domains", "is_allowed"),
    [
        ([], True),
        (["lab.test"], True),
        ([" LAB.test "], True),
        (["@lab.test"], True),
        (["test"], False),
        (["ab.test"], False),
        (["other.test", "lab.test"], True),
        (["sub.lab.test"], False),
    ],
)
def test_a_domain_is_compared_as_a_whole(domains: list[str], is_allowed: bool) -> None:
    assert is_domain_allowed("ada@lab.test", domains) is is_allowed
