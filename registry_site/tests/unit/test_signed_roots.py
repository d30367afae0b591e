"""Who signs a root is told what it changes, and signs none that `new-root` would not have made."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from seqfacility_registry.trust.keys import read_public_key
from seqfacility_testkit.signed_registry import SignedRegistry, run, sign_registry

NOON = datetime(2031, 5, 4, 12, tzinfo=UTC)
Root = dict[str, Any]


@pytest.fixture
def signed(content: Path, tmp_path: Path) -> SignedRegistry:
    return sign_registry(content, tmp_path / "keys", publishers=["read"], now=NOON)


def sign_root(registry: SignedRegistry, *names: str) -> list[str]:
    keys = map(registry.key, names)
    return run("sign", registry.content, "--role", "root", "--key", *keys, now=NOON).splitlines()


def keyid(registry: SignedRegistry, name: str) -> str:
    return read_public_key(registry.public_key(name)).keyid


def test_sign_says_first_what_a_root_says_and_what_it_changes(signed: SignedRegistry) -> None:
    for name in ("root-d", "acme"):
        signed.make_key(name)
    new = [signed.public_key(f"root-{letter}") for letter in "bcd"]
    publishers = ("--publisher", "read=", "--publisher", f"acme={signed.public_key('acme')}")
    run("new-root", signed.content, "--root-key", *new, "--threshold", 3, *publishers, now=NOON)

    said = sign_root(signed, "root-b", "root-d")

    keys = {keyid(signed, f"root-{letter}"): mark for letter, mark in zip("abcd", "-  +", strict=True)}
    assert said == [
        "root 2, until 2032-05-03 (root 1: until 2032-05-03)",
        "  root: 3 of 3 keys (root 1: 2 of 3 keys)",
        *(f"    {mark} {key}" for key, mark in sorted(keys.items())),
        "  snapshot: 1 of 1 keys",
        f"      {keyid(signed, 'snapshot')}",
        "  timestamp: 1 of 1 keys",
        f"      {keyid(signed, 'timestamp')}",
        "  publisher acme",
        f"    + {keyid(signed, 'acme')}",
        "  publisher read",
        f"    - {keyid(signed, 'read')}",
        "root 2 has 2 of 3 signatures, and 1 of 2 of the root before",
    ]


def test_an_option_that_is_given_twice_has_both_keys(signed: SignedRegistry) -> None:
    signed.make_key("root-d")
    letters = "abd"
    keys = [part for letter in letters for part in ("--root-key", signed.public_key(f"root-{letter}"))]
    run("new-root", signed.content, *keys, now=NOON)

    both = ("--key", signed.key("root-a"), "--key", signed.key("root-b"))
    said = run("sign", signed.content, "--role", "root", *both, now=NOON)

    assert "root 2 has 2 of 2 signatures" in said


def add_root_key(root: Root, stranger: str, key: Root) -> None:
    root["keys"][stranger] = key
    root["roles"]["root"]["keyids"].append(stranger)


def release_may_sign_roots(root: Root, _stranger: str, _key: Root) -> None:
    root["roles"]["root"]["keyids"] += root["roles"]["snapshot"]["keyids"]


def one_key_has_two_ids(root: Root, _stranger: str, _key: Root) -> None:
    keyids = root["roles"]["root"]["keyids"]
    add_root_key(root, "0" * 64, root["keys"][keyids[0]])


def ends_in_2099(root: Root, _stranger: str, _key: Root) -> None:
    root["expires"] = "2099-01-01T00:00:00Z"


def has_ended(root: Root, _stranger: str, _key: Root) -> None:
    root["expires"] = "2031-05-04T00:00:00Z"


def stranger_signs_documents(root: Root, stranger: str, key: Root) -> None:
    root["keys"][stranger] = key
    root["roles"]["targets"]["keyids"].append(stranger)


def has_a_key_of_nobody(root: Root, stranger: str, key: Root) -> None:
    root["keys"][stranger] = key


def is_out_of_reach(root: Root, _stranger: str, _key: Root) -> None:
    root["roles"]["timestamp"]["threshold"] = 2


def names_a_publisher_that_is_a_role(root: Root, stranger: str, key: Root) -> None:
    root["keys"][stranger] = key
    root["publishers"]["snapshot"] = stranger


def has_publishers_that_are_none(root: Root, _stranger: str, _key: Root) -> None:
    root["publishers"] = {"read": ["a", "b"]}


def says_more(root: Root, _stranger: str, _key: Root) -> None:
    root["mirrors"] = ["https://evil.example"]


def has_files_without_versions(root: Root, _stranger: str, _key: Root) -> None:
    root["consistent_snapshot"] = False


@pytest.mark.parametrize(
    ("change", "refusal"),
    [
        (release_may_sign_roots, "root and snapshot have the same key: each needs one of its own"),
        (one_key_has_two_ids, f"{'0' * 64} is not the id of its key, or that is no Ed25519 key"),
        (ends_in_2099, "it ends on 2099-01-01: a root lives for 365 days"),
        (has_ended, "it ends on 2031-05-04: a root lives for 365 days"),
        (stranger_signs_documents, "snapshot and targets have the same keys: the release keys"),
        (has_a_key_of_nobody, "its keys are not those of its roles and publishers"),
        (is_out_of_reach, "a threshold of 2 needs as many keys of the role timestamp"),
        (names_a_publisher_that_is_a_role, "'snapshot' is no name of a publisher: at most 32 of "),
        (has_publishers_that_are_none, "root 2 says something that this release does not know"),
        (says_more, "root 2 says something that this release does not know"),
        (has_files_without_versions, "consistent_snapshot has to be true"),
    ],
)
def test_a_root_that_new_root_would_not_have_made_is_not_signed(
    signed: SignedRegistry, change: Callable[[Root, str, Root], None], refusal: str
) -> None:
    signed.make_key("stranger")
    stranger = read_public_key(signed.public_key("stranger"))
    run("new-root", signed.content, now=NOON)
    path = signed.content / "trust" / "root.2.json"
    document = json.loads(path.read_bytes())
    change(document["signed"], stranger.keyid, stranger.to_dict())
    path.write_text(json.dumps(document))
    before = path.read_bytes()

    with pytest.raises(AssertionError) as refused:
        sign_root(signed, "root-a", "root-b")

    assert f"error: {refusal}" in str(refused.value)
    assert path.read_bytes() == before


def test_a_stranger_in_a_root_that_somebody_changed_is_shown_to_whoever_signs(
    signed: SignedRegistry,
) -> None:
    signed.make_key("stranger")
    stranger = read_public_key(signed.public_key("stranger"))
    run("new-root", signed.content, now=NOON)
    path = signed.content / "trust" / "root.2.json"
    document = json.loads(path.read_bytes())
    add_root_key(document["signed"], stranger.keyid, stranger.to_dict())
    document["signed"]["roles"]["root"]["threshold"] = 1
    path.write_text(json.dumps(document))

    said = sign_root(signed, "root-a")

    assert "  root: 1 of 4 keys (root 1: 2 of 3 keys)" in said
    assert f"    + {stranger.keyid}" in said


def test_timestamp_removes_nothing_that_nobody_has_signed(signed: SignedRegistry) -> None:
    trust = signed.content / "trust"
    kept = ("online.key", "online.key.pub", "README.md", ".gitattributes", "documents/README.md")
    for name in kept:
        (trust / name).write_text("kept")
    former = trust / "documents" / f"{'0' * 64}.json"
    former.write_text("{}")

    signed.timestamp(now=NOON.replace(hour=13))

    assert [name for name in kept if not (trust / name).exists()] == []
    assert not former.exists()
