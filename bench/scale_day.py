"""Days of many facilities that poll one registry, through caches or without; the same each time.

One edge of a content delivery network is simulated request by request, by the caching headers as they are
served; all edges are alike. Each facility polls at a time of its own in each interval. Each day has one
publication, at noon, and a timestamp that is signed anew at three in the morning.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

DAY, DAYS = 86_400, 2
NOON, SIGNED_AGAIN = 43_200, 10_800
SAMPLE = 10_000
"""Facilities that are simulated where no edge divides them; their figures are multiplied."""


@dataclass(frozen=True)
class Request:
    """One measured request of a poll: what it asked for, and what that took.

    The bytes are all of the connection above TCP, heads included. `max_age` and `stale` are what a shared
    cache may do by the answer's headers, in seconds.
    """

    kind: str
    status: int
    bytes_up: int
    bytes_down: int
    max_age: int
    stale: int
    is_immutable: bool


@dataclass
class Counted:
    """Requests and bytes, and the requests of each minute."""

    requests: int = 0
    bytes_down: int = 0
    minutes: Counter[int] = field(default_factory=Counter)

    def add(self, at: float, bytes_down: int) -> None:
        self.requests += 1
        self.bytes_down += bytes_down
        self.minutes[int(at // 60)] += 1

    def summary(self, times: float) -> dict[str, float]:
        """Return what so many of these are in a day."""
        return {
            "requestsADay": self.requests * times / DAYS,
            "requestsASecond": self.requests * times / DAYS / DAY,
            "busiestMinuteASecond": max(self.minutes.values(), default=0) * times / 60,
            "bytesADay": self.bytes_down * times / DAYS,
        }


@dataclass
class Way:
    """The way from a facility to the origin: straight, or through one edge that caches."""

    is_cached: bool
    revalidated_bytes: int
    facing_facilities: Counted = field(default_factory=Counted)
    origin: Counted = field(default_factory=Counted)
    held: dict[str, tuple[int, float]] = field(default_factory=dict)

    def ask(self, request: Request, version: int, at: float, known: int | None = None) -> int:
        """Ask for an object; return the version that is answered.

        `version` is what the origin has. Who knows the version that is answered gets a 304.
        """
        found = self._through_cache(request, version, at) if self.is_cached else version
        size = self.revalidated_bytes if found == known else request.bytes_down
        self.facing_facilities.add(at, size)
        if not self.is_cached:
            self.origin.add(at, size)
        return found

    def _through_cache(self, request: Request, version: int, at: float) -> int:
        name = f"{request.kind} {version}" if request.is_immutable else request.kind
        held, since = self.held.get(name, (0, 0.0))
        if held and (request.is_immutable or at < since + request.max_age):
            return held
        is_same = held == version and request.status == 200
        self.origin.add(at, self.revalidated_bytes if is_same else request.bytes_down)
        self.held[name] = (version, at)
        # Within `stale` the answer is the old one, and the cache asks beside it.
        return held if held and at < since + request.max_age + request.stale else version


@dataclass(frozen=True)
class Polls:
    """What a poll asks: always, and where it meets a publication that it does not know."""

    always: Sequence[Request]
    of_publication: Sequence[Request]
    revalidated_bytes: int

    def made(self, way: Way, at: float, knows: int) -> int:
        """Make one poll; return the publication that the facility knows then."""
        if not self.of_publication:
            (index,) = self.always
            return way.ask(index, _publication(at), at, knows)
        for request in self.always[:-1]:
            way.ask(request, 1, at)
        found = way.ask(self.always[-1], _timestamp(at), at) // _SIGNED_IN_A_DAY
        for request in self.of_publication if found != knows else ():
            way.ask(request, found, at)
        return found


_SIGNED_IN_A_DAY = 1000
"""More than timestamps of one publication: so its number is a part of theirs."""


def _publication(at: float) -> int:
    return 1 + int((at + DAY - NOON) // DAY)


def _timestamp(at: float) -> int:
    return _publication(at) * _SIGNED_IN_A_DAY + int((at + DAY - SIGNED_AGAIN) // DAY)


def simulated(polls: Polls, facilities: int, every: int, edges: int) -> Mapping[str, object]:
    """Let facilities poll; return what a day is. Without edges each request reaches the origin.

    `learned` says how many seconds after the first publication a share of the facilities has it.
    """
    chance = random.Random(17)  # a simulation that comes out the same each time
    number = facilities // edges if edges else min(SAMPLE, facilities)
    way = Way(edges > 0, polls.revalidated_bytes)
    knows, learned = [1] * number, list[float]()
    offsets = [chance.random() * every for _ in range(number)]
    for at, who in sorted(
        (offset + begin, who) for who, offset in enumerate(offsets) for begin in range(0, DAYS * DAY, every)
    ):
        before, knows[who] = knows[who], polls.made(way, at, knows[who])
        if before == 1 < knows[who]:
            learned.append(at - NOON)
    times = facilities / number
    return {
        "edge": way.facing_facilities.summary(times) if edges else None,
        "origin": way.origin.summary(float(edges) if edges else times),
        "learned": {str(share): _quantile(learned, number * share // 100) for share in (50, 99, 100)},
    }


def _quantile(values: Sequence[float], place: int) -> float | None:
    """Return the value of a place, counted from 1; None when so many there are not."""
    return sorted(values)[place - 1] if place <= len(values) else None
