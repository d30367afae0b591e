"""What a million facilities cost a registry: real requests, measured, and a day of them, simulated.

    python bench/scale.py [--facilities 1000000] [--edges 100] [--json FILE]

An instance polls a signed registry of the shipped content through a recorder, so the bytes are exact; what a
request takes of the processors is measured on this machine, without TLS. `scale_day.py` makes a day of them.
`docs/tools/scale.py` writes the page.
"""

import argparse
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from ratios import Ratio
from scale_day import Polls, Request, simulated
from scale_requests import Measured, get, measured_registry, processor_microseconds, total
from seqfacility_registry.trust.roots import ROOT_LIFE
from seqfacility_registry.trust.signing import RENEWED_BEFORE, SIGNED_LIFE, TIMESTAMP_LIFE

HOUR, DAY = 3_600, 86_400
TLS_BYTES = 4_000
"""What a connection adds: a handshake of TLS 1.3 with two certificates of elliptic curves. Not measured."""

LARGE = {
    "all checklists": "/api/registry/mixs",
    "the catalog": "/api/registry/sequencing-tech",
    "a package": "/api/registry/pipelines/reads-qc/1.1.1/download",
}


def main() -> int:
    """Measure, simulate, print, write the JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--facilities", type=int, default=1_000_000)
    parser.add_argument("--edges", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="bench-scale-") as home,
        measured_registry(Path(home)) as measured,
    ):
        polls = measured_polls(measured)
        sizes = {name: measured_size(measured.url, path) for name, path in LARGE.items()}
        costs = measured_costs(measured, options.rounds)
        publication = {
            "processorSeconds": measured.publication_seconds,
            "bytes": total(polls["signed, a publication"]),
        }
    days = list(simulated_days(polls, options.facilities, options.edges))
    for day in days:
        print(json.dumps(day))
    scale = {
        "facilities": options.facilities,
        "edges": options.edges,
        "tlsBytes": TLS_BYTES,
        "polls": {name: [asdict(request) for request in requests] for name, requests in polls.items()},
        "sizes": sizes,
        "processorMicroseconds": costs,
        "publication": publication,
        "lives": {
            "root": ROOT_LIFE.days,
            "documents": SIGNED_LIFE.days,
            "renewed": RENEWED_BEFORE.days,
            "timestamp": TIMESTAMP_LIFE.days,
        },
        "days": days,
    }
    if options.json is not None:
        ratios = [asdict(ratio) for ratio in ratios_of(polls, sizes)]
        found = {"ratios": ratios, "absent": [], "scale": scale}
        options.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    return 0


def measured_polls(measured: Measured) -> dict[str, list[Request]]:
    """Let the instance poll in each state that a registry can be in, signed and not."""
    measured.trusts(measured.signed.root_file)
    found = {"signed, the first time": measured.poll()}
    measured.sign_again()
    found["signed, nothing new"] = measured.poll()
    measured.publish()
    found["signed, a publication"] = measured.poll()
    measured.trusts(None)
    found["not signed, the first time"] = measured.poll()
    found["not signed, nothing new"] = measured.poll()
    measured.publish()
    found["not signed, a publication"] = measured.poll()
    return found


def measured_size(url: str, path: str) -> dict[str, int]:
    """Return the bytes of a document's body, plain and compressed."""
    return {
        "plain": len(get(url, path)[1]),
        "gzip": len(get(url, path, Accept_Encoding="gzip")[1]),
    }


def measured_costs(measured: Measured, rounds: int) -> dict[str, float]:
    """Return what a request costs the registry's processors, in microseconds."""
    etag = etag_of(measured.url, "/api/registry")
    return {
        name: processor_microseconds(measured, path, 200, rounds, Accept_Encoding="gzip")
        for name, path in signed_paths(measured.signed.content / "trust").items()
    } | {
        "timestamp, 200": processor_microseconds(measured, "/api/trust/timestamp.json", 200, rounds),
        "next root, 404": processor_microseconds(measured, "/api/trust/root.2.json", 404, rounds),
        "index, 304": processor_microseconds(
            measured, "/api/registry", 304, rounds, Accept_Encoding="gzip", If_None_Match=etag
        ),
        "index, 200": processor_microseconds(measured, "/api/registry", 200, rounds, Accept_Encoding="gzip"),
    }


def signed_paths(trust: Path) -> dict[str, str]:
    """Return where a poll that meets a publication reads on behind the timestamp."""
    snapshot, targets = (
        max(trust.glob(f"{role}.*.json"), key=lambda path: int(path.name.split(".")[1]))
        for role in ("snapshot", "targets")
    )
    index = json.loads(targets.read_bytes())["signed"]["targets"]["registry"]["hashes"]["sha256"]
    return {
        "snapshot, 200": f"/api/trust/{snapshot.name}",
        "list of documents, 200": f"/api/trust/{targets.name}",
        "signed index, 200": f"/api/trust/documents/{index}.json",
    }


def etag_of(url: str, path: str) -> str:
    import requests

    return requests.get(f"{url}{path}", timeout=30).headers["ETag"]


def simulated_days(
    polls: Mapping[str, Sequence[Request]], facilities: int, edges: int
) -> list[dict[str, object]]:
    """Simulate each way to poll, straight and through edges."""
    (revalidated,) = polls["not signed, nothing new"]
    (index,) = polls["not signed, a publication"]
    always = polls["signed, nothing new"]
    known = {request.kind for request in always}
    signed = Polls(
        always,
        [request for request in polls["signed, a publication"] if request.kind not in known],
        revalidated.bytes_down,
    )
    kept_out = [
        replace(request, max_age=0, stale=0) if request.status == 404 else request for request in always
    ]
    unsigned = Polls([index], [], revalidated.bytes_down)
    each = [(every, count) for every in (HOUR, DAY) for count in (0, edges)]
    days = [("signed", signed, *one) for one in each] + [("not signed", unsigned, *one) for one in each]
    days += [
        ("signed, if no cache kept the missing root", replace(signed, always=kept_out), HOUR, edges),
        ("not signed, never conditional", Polls([index], [], index.bytes_down), HOUR, 0),
    ]
    return [
        {"way": way, "every": every, "edges": count, **simulated(what, facilities, every, count)}
        for way, what, every, count in days
    ]


def ratios_of(polls: Mapping[str, Sequence[Request]], sizes: Mapping[str, Mapping[str, int]]) -> list[Ratio]:
    """Return what polls bring down beside the whole index, and what compressing saves."""
    whole = total(polls["not signed, the first time"])
    beside = "the whole index, gzip"
    rows = [
        Ratio(f"poll, {name}, bytes", beside, total(polls[name]) / whole, "<= 0.5")
        for name in ("signed, nothing new", "not signed, nothing new")
    ]
    return rows + [
        Ratio(f"{name}, gzip, bytes", "as it is", size["gzip"] / size["plain"], "<= 0.5")
        for name, size in sizes.items()
    ]


if __name__ == "__main__":
    raise SystemExit(main())
