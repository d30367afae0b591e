"""What is kept of a delivery's layout: for how long, how much, and made once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from threading import Barrier

from seqfacility_instance.core import limits
from seqfacility_instance.delivery_links.layouts import Layouts

NOW = datetime(2026, 7, 1, tzinfo=UTC)


class Made:
    """Makes layouts of a number of files, each another one."""

    def __init__(self, files: int = 1) -> None:
        self.files = files
        self.count = 0

    def __call__(self) -> list[int]:
        self.count += 1
        return [self.count] * self.files


def test_a_layout_is_that_of_its_version_and_kept_for_so_long() -> None:
    kept, make = Layouts[list[int]](len), Made()
    end = NOW + limits.DELIVERY_LAYOUT_LIFE
    moment = timedelta(microseconds=1)

    found = [
        kept.find_or_make("order", version, now, make)
        for version, now in (
            ((1, 1), NOW),
            ((1, 1), end - moment),
            ((1, 2), NOW),
            ((1, 2), end),
            ((1, 1), end),
        )
    ]

    assert found == [[1], [1], [2], [3], [4]]


def test_a_layout_lives_shorter_than_the_changes_that_tell_of_its_end() -> None:
    assert limits.DELIVERY_LAYOUT_LIFE * 2 <= limits.LIVE_KEPT


def test_what_was_not_used_for_longest_goes_and_the_newest_stays_however_large() -> None:
    kept, half = Layouts[list[int]](len), limits.DELIVERY_LAYOUT_FILES // 2
    small = Made(half)
    for order in ("a", "b", "a", "c", "b"):
        kept.find_or_make(order, 1, NOW, small)
    made = small.count
    huge = Made(limits.DELIVERY_LAYOUT_FILES + 1)

    kept.find_or_make("d", 1, NOW, huge)
    kept.find_or_make("d", 1, NOW, huge)
    kept.find_or_make("b", 1, NOW, small)

    assert (made, huge.count, small.count) == (4, 1, 5)


def test_who_asks_while_a_layout_is_made_waits_for_it() -> None:
    kept, make, together = Layouts[list[int]](len), Made(), Barrier(8)

    def ask(_number: int) -> list[int]:
        together.wait()
        return kept.find_or_make("order", 1, NOW, make)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(8)))

    assert (found, make.count) == ([[1]] * 8, 1)
