"""Numbers of things in sentences."""


def counted(number: int, one: str, many: str = "") -> str:
    """Write `1 row`, `0 rows`, `2 rows`; `many` is said where it is not `one` with an s. Decision: G1086."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"
