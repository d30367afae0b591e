"""Requests of live ingest and run plans that mean harm or make no sense, each with the status it deserves.

None of them may change anything or make the service read outside the sequencer output root. In paths and
texts `{root}`, `{outside}`, `{order}`, `{other}`, `{run}` and `{plan}` are filled in by `hostile_ground`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from seqfacility_testkit.workbooks import FORM_HEADERS

JSON_HEADERS: Final = {"Content-Type": "application/json"}
STREAM: Final = "/api/orders/{order}/stream"
RUN: Final = STREAM + "/{run}"
PLANS: Final = "/api/orders/{order}/sequencing/runs"
PLAN: Final = PLANS + "/{plan}"
LONG: Final = "x" * 100_000


@dataclass(frozen=True, slots=True)
class Hostile:
    """One request and the statuses that are right for it."""

    method: str
    path: str
    statuses: frozenset[int]
    options: dict[str, Any] = field(default_factory=dict)
    caller: str = "admin"


OUTSIDE: Final = (
    "/", "//", "/etc", "/etc/../etc", "/proc", "/proc/self/cwd", "/proc/self/root", "/proc/self/fd", "/dev",
    "/sys", "/root", "{outside}", "{outside}/", "{outside}/fastq_pass", "{root}/..", "{root}/../",
    "{root}/../secrets", "{root}/run1/../../secrets", "{root}//..//secrets", "{root}/./../secrets",
    "{root}/run1/fastq_pass/../../../secrets", "{root}-of-others", "{root}/link-out", "{root}/link-out/",
    "{root}/link-out/fastq_pass", "{root}/link-out/.", "{root}/link-of-link", "{root}/link-up",
    "{root}/link-up/secrets", "{root}/link-in/../../secrets", "{root}/run1/inside-out",
    "{root}/run1/inside-out/fastq_pass/barcode01", "{root}/run1/fastq_pass/barcode02",
    "/proc/self/root{outside}", "  {outside}  ",
)  # fmt: skip
NOWHERE: Final = (
    "{root}/missing", "{root}/run1/missing", "{root}/\0", "{root}/run1\0/../../secrets", "{root}/loop",
    "{root}/loop-a", "{root}/loop/x", "{root}/link-to-nothing", "{root}/file/x",
    "{root}/fifo/x", "{root}/..%2fsecrets", "{root}/%2e%2e/secrets", "{root}/..;/secrets",
    "{root}/..\\secrets", "{root}/\uff0e\uff0e/secrets", "{root}/\u202e1nur", "{root}/run1\n/x",
    "{root}/" + "y" * 300, "{root}/" + "d/" * 3000, "{root}/" + LONG, "{root}/*", "{root}/run?",
    "{root}/$(id)", "{root}/`id`", "{root}/;id", "{root}/|id",
)  # fmt: skip
RELATIVE: Final = (
    "run1", "./run1", "../secrets", "..", ".", "~", "~root", "$HOME", "%2fetc", "file:///etc", "C:\\data",
    "\\\\host\\share", "http://127.0.0.1/", "s3://bucket/run", "-rf", "\u2215etc", "{outside",
)  # fmt: skip
NO_TEXTS: Final[tuple[object, ...]] = (
    None,
    "",
    " ",
    "\t\n",
    0,
    1.5,
    True,
    False,
    [],
    ["{root}/run1"],
    {},
    {"path": "{root}"},
)
NO_FOLDERS: Final = ("{root}/file", "{root}/fifo", "{root}/socket")
WATCHED: Final = (
    "{root}/run1", "{root}/run1/", "{root}//run1", "{root}/./run1", "{root}/run1/.", "{root}/link-in",
    "{root}/link-in/fastq_pass", "{root}/run1/fastq_pass", "{root}/run1/fastq_pass/..", "{root}", "{root}/",
    "{root}/link-out/../sequencer/run1", "{root}/file/..", "/proc/self/root{root}/run1", " {root}/run1\n",
)  # fmt: skip
BAD_BODIES: Final[dict[str, bytes]] = {
    "no body": b"",
    "half a body": b'{"outputDir": "/',
    "a list": b"[]",
    "nothing": b"null",
    "a number": b"1",
    "a text": b'"x"',
    "no number": b'{"outputDir": NaN}',
    "an infinite number": b'{"barcodeMap": {"a": 1e999}, "outputDir": -Infinity}',
    "bytes that are no text": b'{"outputDir": "\xff\xfe"}',
    "UTF-16": '{"outputDir": "/"}'.encode("utf-16"),
    "a hundred thousand brackets": b"[" * 100_000,
    "a hundred thousand objects": b'{"a":' * 100_000,
    "XML": b"<outputDir>/</outputDir>",
    "a form": b"outputDir=%2Fetc",
    "a number of a hundred thousand digits": b'{"outputDir": ' + b"9" * 100_000 + b"}",
    "half a pair": b'{"barcodeMap": {"\\ud800": "x"}, "outputDir": "\\ud800"}',
}
BAD_MAPS: Final[dict[str, object]] = {
    "a list": [],
    "a text": "barcode01",
    "a number": 7,
    "a number for a sample": {"barcode01": 7},
    "nothing for a sample": {"barcode01": None},
    "a list for a sample": {"barcode01": ["S"]},
    "a map in a map": {"barcode01": {"S": "S"}},
    "one key in two spellings": {"bc1": "S-1", "BC1": "S-2"},
}
BAD_IDS: Final = (
    "none", "0", "-1", "null", "undefined", "..", "%2e%2e", "%00", "%0a", "%2f", "..%2f..%2fetc%2fpasswd",
    "%ff", "' OR 1=1--", "%27%20OR%201%3D1--", "{order}%00", "{run}%20", "{run}x", "x" * 3000,
    "%F0%9F%92%A9", "*", "%25",
)  # fmt: skip
BAD_QUERIES: Final = (
    "after=-1", "after=1.5", "after=0x1", "after=1_0", "after=%D9%A3", "after=99999999999999999999999999",
    "after=9223372036854775807", "after=9223372036854775808", "after=%00", "after=1&after=2", "after[]=1",
    "after=%27%3B%20DROP%20TABLE", "after=%F0%28%8C%BC", "after", "limit=0", "limit=-1", "limit=1e9",
    "limit=NaN",
    "limit=999999999999999999999", "limit=%0a5", "limit=5&limit=x", "barcode=..%2F..%2Fetc", "barcode=%25",
    "barcode=_", "barcode=%00", "barcode=" + "b" * 3000, "seconds=0&after=-5",
)  # fmt: skip
BAD_FORMS: Final[dict[str, tuple[bytes, str]]] = {
    "no parts": (b"", FORM_HEADERS["Content-Type"]),
    "no boundary": (b"--x\r\n", "multipart/form-data"),
    "an empty boundary": (b"--\r\n\r\n----", "multipart/form-data; boundary="),
    "a boundary of a thousand letters": (b"--" + b"b" * 1000, "multipart/form-data; boundary=" + "b" * 1000),
    "a part that never ends": (
        b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nPK', "multipart/form-data; boundary=x",
    ),
    "a part without a name": (
        b"--x\r\nContent-Disposition: form-data\r\n\r\nPK\r\n--x--\r\n", "multipart/form-data; boundary=x",
    ),
    "a part of another name": (
        b'--x\r\nContent-Disposition: form-data; name="files"; filename="a.xlsx"\r\n\r\nPK\r\n--x--\r\n',
        "multipart/form-data; boundary=x",
    ),
    "a head of a megabyte": (
        b"--x\r\nX: " + b"h" * 1_000_000 + b"\r\n\r\n\r\n--x--\r\n", "multipart/form-data; boundary=x",
    ),
    "ten thousand parts": (
        b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n' * 10_000 + b"--x--\r\n",
        "multipart/form-data; boundary=x",
    ),
    "a name that is a path": (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="/etc/x"\r\n\r\nroot\r\n--x--\r\n',
        "multipart/form-data; boundary=x",
    ),
    "JSON": (b'{"file": "/etc/passwd"}', "application/json"),
    "an address": (b"file=%2Fetc%2Fpasswd", "application/x-www-form-urlencoded"),
    "a bare workbook": (b"PK", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    "no type": (b"PK", ""),
}  # fmt: skip
BAD_RUNS: Final[dict[str, object]] = {
    "no id": {},
    "an empty id": {"runId": " "},
    "a number for an id": {"runId": 7},
    "an id that is taken": {"runId": "R1"},
    "an id of a hundred thousand letters": {"runId": LONG},
    "NUL in an id": {"runId": "a\0b"},
    "a day that is none": {"runId": "R2", "runDate": "2031-02-30"},
    "too many reads": {"runId": "R2", "totalReads": 2**63},
    "fewer reads than none": {"runId": "R2", "totalReads": -1},
    "bases with a sign": {"runId": "R2", "totalBases": "-1"},
    "parameters that are a list": {"runId": "R2", "runParameters": []},
}
BAD_PLACES: Final[dict[str, object]] = {
    "nothing": {},
    "no list": {"assignments": {"sampleId": "{sample}"}},
    "a list of texts": {"assignments": ["{sample}"]},
    "no sample": {"assignments": [{"barcode": "barcode01"}]},
    "a sample of nobody": {"assignments": [{"sampleId": "none"}]},
    "a sample twice": {"assignments": [{"sampleId": "{sample}"}, {"sampleId": "{sample}"}]},
    "a number for a barcode": {"assignments": [{"sampleId": "{sample}", "barcode": 1}]},
    "fields that are a list": {"assignments": [{"sampleId": "{sample}", "customFields": []}]},
    "five thousand and one": {"assignments": [{"sampleId": "{sample}"}] * 5001},
}


def _starts() -> Iterator[tuple[str, Hostile]]:
    groups: dict[str, tuple[int, tuple[object, ...]]] = {
        "outside": (400, OUTSIDE),
        "nowhere": (400, NOWHERE),
        "relative": (400, RELATIVE),
        "no text": (400, NO_TEXTS),
        "no folder": (400, NO_FOLDERS),
        "watched already": (409, WATCHED),
    }
    for group, (status, values) in groups.items():
        for number, value in enumerate(values):
            shown = f"start, {group} {number}: {str(value)[:60]!r}"
            yield shown, Hostile("POST", STREAM, frozenset({status}), {"json": {"outputDir": value}})


def _bodies() -> Iterator[tuple[str, Hostile]]:
    aims = {"start": ("POST", STREAM), "map": ("PATCH", RUN), "collect": ("POST", f"{RUN}/collect"),
            "new plan": ("POST", PLANS), "places": ("POST", f"{PLAN}/samples")}  # fmt: skip
    for aim, (method, path) in aims.items():
        for name, body in BAD_BODIES.items():
            sent = {"body": body, "headers": JSON_HEADERS}
            yield f"{aim}, body: {name}", Hostile(method, path, frozenset({400, 415}), sent)
    for name, value in BAD_MAPS.items():
        start = {"outputDir": "{root}/run1", "barcodeMap": value}
        yield f"start, map: {name}", Hostile("POST", STREAM, frozenset({400}), {"json": start})
        yield f"map: {name}", Hostile("PATCH", RUN, frozenset({400}), {"json": {"barcodeMap": value}})
    for aim, method, path, cases in (
        ("new plan", "POST", PLANS, BAD_RUNS),
        ("places", "POST", f"{PLAN}/samples", BAD_PLACES),
    ):
        for name, value in cases.items():
            statuses = frozenset({400, 404, 409})
            yield f"{aim}: {name}", Hostile(method, path, statuses, {"json": value})
    for name, (form, content_type) in BAD_FORMS.items():
        options = {"body": form, "headers": {"Content-Type": content_type} if content_type else {}}
        path = f"{PLANS}/import?apply=true"
        yield f"import, form: {name}", Hostile("POST", path, frozenset({400, 413, 415}), options)


def _paths() -> Iterator[tuple[str, Hostile]]:
    missing = frozenset({400, 404, 405, 414})
    for number, bad in enumerate(BAD_IDS):
        for part in ("events", "by-barcode", "metrics", "events/live?seconds=0"):
            yield f"{part}, run {number}: {bad[:30]!r}", Hostile("GET", f"{STREAM}/{bad}/{part}", missing)
        yield f"stop, run {number}: {bad[:30]!r}", Hostile("POST", f"{STREAM}/{bad}/stop", missing)
        yield f"list, order {number}: {bad[:30]!r}", Hostile("GET", f"/api/orders/{bad}/stream", missing)
        yield f"export, plan {number}: {bad[:30]!r}", Hostile("GET", f"{PLANS}/{bad}/export", missing)
    of_other = "/api/orders/{other}/stream/{run}"
    for part in ("events", "by-barcode", "metrics", "collection"):
        yield f"{part}, run of another order", Hostile("GET", f"{of_other}/{part}", frozenset({404}))
    for word in ("stop", "collect"):
        yield f"{word}, run of another order", Hostile("POST", f"{of_other}/{word}", frozenset({404}))
    for query in BAD_QUERIES:
        for part in ("events", "by-barcode", "metrics", "collection"):
            yield f"{part}?{query[:60]}", Hostile("GET", f"{RUN}/{part}?{query}", frozenset({200, 400}))
    for value in ("x", "-1", "9" * 40, "1,2", "\u00b2", ""):
        options = {"headers": {"Last-Event-ID": value}}
        path = f"{RUN}/events/live?seconds=0"
        yield f"live behind {value[:20]!r}", Hostile("GET", path, frozenset({200}), options)
    for wanted in ("", "exe", "..%2Fminknow", "minknow%00", "MINKNOW%0d%0aX:%201"):
        path = f"{PLAN}/sample-sheet?format={wanted}"
        yield f"sheet in {wanted!r}", Hostile("GET", path, frozenset({400}))


def _callers() -> Iterator[tuple[str, Hostile]]:
    aims = (("GET", STREAM), ("POST", STREAM), ("PATCH", RUN), ("POST", f"{RUN}/stop"),
            ("GET", f"{RUN}/events"),
            ("GET", f"{RUN}/events/live?seconds=0"), ("GET", f"{RUN}/metrics"), ("POST", f"{RUN}/collect"),
            ("POST", f"{PLANS}/import?apply=true"), ("DELETE", PLAN))  # fmt: skip
    for method, path in aims:
        for caller, status in (("anonymous", 401), ("researcher", 403), ("other_researcher", 403)):
            options = {"json": {"outputDir": "{root}/run1"}} if method in {"POST", "PATCH"} else {}
            yield f"{caller}: {method} {path}", Hostile(method, path, frozenset({status}), options, caller)
    for method, path in (("DELETE", RUN), ("PUT", RUN), ("GET", f"{RUN}/stop"), ("POST", f"{RUN}/events"),
                         ("DELETE", STREAM), ("PATCH", STREAM), ("GET", f"{RUN}/collect")):  # fmt: skip
        yield f"{method} {path}", Hostile(method, path, frozenset({404, 405}))


HOSTILE: Final[dict[str, Hostile]] = {
    name: case for cases in (_starts(), _bodies(), _paths(), _callers()) for name, case in cases
}
