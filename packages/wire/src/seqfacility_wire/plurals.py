"""Counts with their noun, for sentences."""


def counted(number: int, one: str, many: str = "") -> str:
    """Return `1 row` or `2 rows`; pass `many` for a plural other than `one` with an s. Decision: G1086."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
