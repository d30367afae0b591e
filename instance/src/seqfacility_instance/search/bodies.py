"""What a search is asked, and how its results are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from seqfacility_wire.errors import ValidationFailed

if TYPE_CHECKING:
    from seqfacility_schemas import answers

    from seqfacility_instance.search.service import Result

MAX_CHARACTERS: Final = 200
"""Nothing that is searched is longer than a line, and nobody types so much."""


def read_text(query: str | None) -> str:
    """Read what to search for; raises `ValidationFailed` when it is empty or too long. Decision: G544."""
    text = (query or "").strip()
    if not text:
        raise ValidationFailed(["q: is required"])
    if len(text) > MAX_CHARACTERS:
        raise ValidationFailed([f"q: must have at most {MAX_CHARACTERS} characters"])
    return text


def result_shape(result: Result) -> answers.SearchResult:
    """Write a result. Decision: G544."""
    return {
        "kind": result.kind.value,
        "id": result.id,
        "label": result.label,
        "detail": result.detail,
        "orderId": result.order_id,
    }
