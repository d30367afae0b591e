"""Digests of the audit trail, which stored rows are verified by for ever."""

from seqfacility_instance.core.audit_digests import (
    NOTHING_BEFORE,
    chain_hash,
    content_digest,
    merged,
    salted_digest,
    without_personal,
)

DETAIL: dict[str, object] = {
    "email": "no address, perhaps a password",
    "name": "reads@2x.fastq",
    "note": "ask ada@lab.example",
    "changed": {"contactEmail": {"before": None, "after": "core@lab.example"}, "siteName": "Core"},
    "list": ["a@b", 1],
    "size": 5,
}


def test_digests_of_stored_rows_stay_what_they_are() -> None:
    words = salted_digest("00ff", '{"email":"ada@lab.example"}')
    digest = content_digest("id", 1800000000123, None, "sign-in", "user", "u1", '{"ä":"\u2028"}', words, None)

    assert words == "45fee862fc92e3fd747acb0fa95a1f8274b05fe093ec4269b5f08c05f699cbdd"
    assert digest == "362812415a5a819dd0779117ebfee32bb1a0dc980109a2bccd9094eece45d3ab"
    assert (
        chain_hash(NOTHING_BEFORE, 1, digest)
        == "1dc65c878957174010ad39e96d09642054e131834474f3dfb9d4ae0b54b3ab36"
    )


def test_what_names_a_person_is_kept_apart_and_put_together_again() -> None:
    stays, personal = without_personal(DETAIL)

    assert stays == {"changed": {"contactEmail": {"before": None}, "siteName": "Core"}, "size": 5}
    assert merged(stays, personal) == DETAIL
    assert merged(stays, None) == stays


def test_moving_text_between_columns_changes_the_digest() -> None:
    assert content_digest("a", "b", "") != content_digest("a", "", "b")
    assert salted_digest("a", "bc") != salted_digest("ab", "c")
    assert content_digest(1) != content_digest("1")
