"""Write docs/scale.md from the figures that `nox -s bench -- scale` left in docs/figures/."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[1]
UNKEPT = "signed, if no cache kept the missing root"

HEAD = """# A million facilities

What one registry needs when {facilities:,} facilities poll it. Requests are those of a real instance at a
real registry of the shipped content, byte by byte. A day is simulated from them, by the caching headers as
they are served, with a publication at each noon, which is more than there will be. `nox -s bench -- scale`
measured, and wrote this page.

## What a poll is

| Registry | Requests | Bytes up | Bytes down |
|---|---|---:|---:|
{polls}

Beside polls, admins fetch documents when they update something:

| Document | Bytes, gzip | Plain | If all fetch it once |
|---|---:|---:|---:|
{sizes}

A poll of a signed registry without news is measured with a timestamp that has just been signed anew. It
is fetched as a whole each time, changed or not, so each poll costs the same. Every request has a connection
of its own.

## A day

A facility polls once a day (G970). Hourly polls are what a registry has to bear if each has several hosts,
or people who look. With {edges} edges each of them caches for {share:,} facilities. TLS is taken
to add {tls:,} bytes to a connection, for a handshake with two certificates; that is assumed and not
measured, and it is most of what polls bring. An edge keeps its connections to the origin, so there it is
less than the table says.

| Registry | Polls | Edges | Origin/s | busiest | a day | with TLS | Edges/s | busiest | a day | with TLS |
|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|
{days}

Requests a second are the mean of a day and of its busiest minute, in the first round of polls after a
publication. Spread evenly, signed polls would be {round_hourly:,.0f} (hourly) and {round_daily:,.0f} (daily)
a second there; the minute is that of 10,000 facilities of which each stands for others, and has more by
chance.

One request costs the service this much of a processor of the machine that measured, without TLS, on a
connection of its own, in the best of some rounds of 500:

| Request | Microseconds |
|---|---:|
{costs}

## Where a content delivery network is needed

Not for daily polls. They are {daily:,.0f} requests a second, and {daily_busiest:,.0f} in the busiest
minute, which is {daily_cores:.2f} of a processor if each request costs as much as the dearest one that was
measured.

For hourly polls it is, or a few mirrors of files. They are {straight:,.0f} requests a second in the mean, but
{straight_busiest:,.0f} in the busiest minute, because who meets a publication asks five times and not
twice. That is {cores:.2f} of a processor, and a service uses one: its answers would come late just when a
version is withdrawn. As many handshakes of TLS are borne by the proxy in front.

It is needed as well where everybody fetches what is large at once, such as {checklists} of new checklists,
where readers are far away, and where the origin may fail: signed files are served by whoever has them. With
edges the origin answers {cached:,.1f} requests a second, however many facilities there are, because each
edge asks for the next root and for the timestamp once a minute. It would be {lost:,.0f} if no cache kept
that the next root is not there yet (G976).

## What a publication costs

To sign this content and its timestamp took {seconds:.1f} s of a processor. A facility that finds the
publication fetches {publication:,} bytes: timestamp, snapshot, the list of documents, the index. Packages,
catalog and checklists follow when an admin wants them. At edges each new file is fetched once, and nothing
is to be purged: a timestamp is kept for 60 seconds, and all else that is signed is immutable.
Answers at the documents' own addresses are kept for 5 minutes, and up to 10 more while a cache asks anew;
research data for an hour, and a day more; the release feed not at all.

After a publication, so many of the facilities know of it, or of a version that it withdraws, within:

| Registry | Polls | Edges | Half | 99 % | All |
|---|---|---:|---:|---:|---:|
{learned}

## How fast a stolen key is healed

Two of the three holders of root keys sign a new root without it, and what the thief published is
withdrawn. A facility whose mirror is honest follows at its next poll. One that sees only the thief's
mirror can be held back:

| Stolen | The thief can | Healed | Held back for |
|---|---|---|---|
| a mirror, no key | hold back news | by another mirror | {timestamp} days: the timestamp |
| online key | sign old news as new | at the next poll | {renewed} to {documents} days: the documents |
| release key | nothing, as a timestamp must name what it signs | at the next poll | {timestamp} days |
| release and online key | publish anything, of any life | at the next poll | {root} days at most: the root |
| a publisher's key | nothing, until the release names what it signs | at the next poll | {timestamp} days |
| one root key | nothing: two are needed | at the next poll | - |
| two root keys | everything | by `registry-trust reset` at each facility | until then |

Documents are signed for {documents} days, and anew before {renewed} are left. What was installed stays
installed: a facility is told of the withdrawal, and an admin decides. Who is held back by a mirror without
a key sees it in the health answer after five days, when the timestamp has two left.
"""


def human(size: float) -> str:
    """Write a number of bytes in the unit that leaves it readable."""
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"


def requests_of(poll: list[Mapping[str, Any]]) -> str:
    return ", ".join(f"{request['kind']} {request['status']}" for request in poll)


def poll_rows(scale: Mapping[str, Any]) -> Iterator[str]:
    for name, poll in scale["polls"].items():
        up, down = (sum(request[key] for request in poll) for key in ("bytes_up", "bytes_down"))
        yield f"| {name} | {requests_of(poll)} | {up:,} | {down:,} |"


def size_rows(scale: Mapping[str, Any]) -> Iterator[str]:
    for name, size in scale["sizes"].items():
        everybody = human(size["gzip"] * scale["facilities"])
        yield f"| {name} | {size['gzip']:,} | {size['plain']:,} | {everybody} |"


def day_rows(scale: Mapping[str, Any]) -> Iterator[str]:
    for day in scale["days"]:
        edges = ("-",) * 4 if day["edge"] is None else counted(day["edge"], scale["tlsBytes"])
        origin = counted(day["origin"], scale["tlsBytes"])
        cells = (day["way"], named(day["every"]), day["edges"] or "none", *origin, *edges)
        yield f"| {' | '.join(map(str, cells))} |"


def counted(day: Mapping[str, float], tls_bytes: int) -> tuple[str, ...]:
    """Write requests a second, in the mean and at most, and bytes a day, of HTTP and with TLS."""
    return (
        f"{day['requestsASecond']:,.1f}",
        f"{day['busiestMinuteASecond']:,.1f}",
        human(day["bytesADay"]),
        human(day["bytesADay"] + day["requestsADay"] * tls_bytes),
    )


def cost_rows(scale: Mapping[str, Any]) -> Iterator[str]:
    for name, microseconds in scale["processorMicroseconds"].items():
        yield f"| {name} | {microseconds:,.0f} |"


def learned_rows(scale: Mapping[str, Any]) -> Iterator[str]:
    for day in scale["days"]:
        if day["way"] in {"signed", "not signed"}:
            shares = " | ".join(lasting(seconds) for seconds in day["learned"].values())
            yield f"| {day['way']} | {named(day['every'])} | {day['edges'] or 'none'} | {shares} |"


def named(every: int) -> str:
    return {3_600: "hourly", 86_400: "daily"}[every]


def lasting(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds < 7_200 else f"{seconds / 3_600:.1f} h"


def day_of(
    scale: Mapping[str, Any], way: str, every: int, edges: int, what: str = "requestsASecond"
) -> float:
    """Return how many requests a second reach the origin on one of the days."""
    (found,) = [
        day["origin"][what]
        for day in scale["days"]
        if (day["way"], day["every"], day["edges"]) == (way, every, edges)
    ]
    return float(found)


def page() -> str:
    """Return the whole page."""
    scale = json.loads((DOCS / "figures/bench-scale.json").read_text("utf-8"))["scale"]
    dearest = max(scale["processorMicroseconds"].values()) / 1e6
    hourly, daily = (
        {
            what: day_of(scale, "signed", every, 0, what)
            for what in ("requestsASecond", "busiestMinuteASecond")
        }
        for every in (3_600, 86_400)
    )
    met = scale["polls"]["signed, a publication"]
    return HEAD.format(
        facilities=scale["facilities"],
        edges=scale["edges"],
        share=scale["facilities"] // scale["edges"],
        tls=scale["tlsBytes"],
        polls="\n".join(poll_rows(scale)),
        sizes="\n".join(size_rows(scale)),
        days="\n".join(day_rows(scale)),
        costs="\n".join(cost_rows(scale)),
        learned="\n".join(learned_rows(scale)),
        straight=hourly["requestsASecond"],
        straight_busiest=hourly["busiestMinuteASecond"],
        cores=hourly["busiestMinuteASecond"] * dearest,
        daily=daily["requestsASecond"],
        daily_busiest=daily["busiestMinuteASecond"],
        daily_cores=daily["busiestMinuteASecond"] * dearest,
        round_hourly=len(met) * scale["facilities"] / 3_600,
        round_daily=len(met) * scale["facilities"] / 86_400,
        cached=day_of(scale, "signed", 3_600, scale["edges"]),
        lost=day_of(scale, UNKEPT, 3_600, scale["edges"]),
        **scale["lives"],
        checklists=human(scale["sizes"]["all checklists"]["gzip"] * scale["facilities"]),
        seconds=scale["publication"]["processorSeconds"],
        publication=scale["publication"]["bytes"],
    )


if __name__ == "__main__":
    (DOCS / "scale.md").write_text(page(), "utf-8")
