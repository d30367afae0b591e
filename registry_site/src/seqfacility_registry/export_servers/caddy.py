"""The places of a mirror in the words of Caddy."""

from collections.abc import Sequence

from seqfacility_registry.export_servers.places import (
    METHODS,
    MISSING,
    NAMED_FILE,
    NOT_ALLOWED,
    NOT_FOUND,
    OPEN_METHODS,
    RESERVED,
    Holds,
    Place,
    Refusal,
)
from seqfacility_registry.pages.policy import PAGE_POLICY
from seqfacility_registry.publishing import NOT_CACHED

_HEAD = f"""\
# A mirror of a SeqFacility registry. Import this file into a site of Caddy:
#
#     :8090 {{
#         root * /srv/registry                        # the exported folder
#         import /srv/registry/server/Caddyfile
#     }}

encode gzip
@options method OPTIONS
@other not method GET HEAD OPTIONS
# Whoever copies all files asks for them by their names.
@named {{
    path_regexp named {NAMED_FILE}$
    file {{path}}
}}
@reserved path_regexp {RESERVED}
"""
_SHOW_MISSING = [
    "header Cache-Control no-store",
    f"header Content-Security-Policy `{PAGE_POLICY}`",
    f"rewrite * {MISSING}",
    "file_server {",
    "    status 404",
    "}",
]
_FILES = {
    Holds.FOLDER: "{path}/index.json",
    Holds.FILE: "{path}",
    Holds.PAGE: "{path} {path}/index.html",
    Holds.NOTHING: "/nothing-there",
}


def caddy_configuration(table: Sequence[Place]) -> str:
    """Write the routes of a mirror, in their order."""
    matchers = [f"@place{number} path_regexp {place.expression}" for number, place in enumerate(table)]
    routes = [line for number, place in enumerate(table) for line in _route(f"@place{number}", place)]
    body = [
        "header X-Content-Type-Options nosniff",
        "header Cache-Control no-store",
        "# The time of a file follows from its content, so that its ETag does; as a date it would be wrong.",
        "request_header -If-Modified-Since",
        "header -Last-Modified",
        "rewrite @named {re.named.1}",
        *routes,
        *_refusal("@reserved", NOT_FOUND),
        *_SHOW_MISSING,
    ]
    return "\n".join([_HEAD, *matchers, "", "route {", *(f"    {line}" for line in body), "}", ""])


def _route(matcher: str, place: Place) -> list[str]:
    file = _FILES[place.holds]
    methods = ["header @options Access-Control-Allow-Methods " + _quoted(OPEN_METHODS)]
    lines = ["header Access-Control-Allow-Origin *", *methods] if place.any_origin else []
    lines += [
        "header @options -Cache-Control",
        f"header @options Allow {_quoted(METHODS)}",
        "respond @options 204",
        f"header @other Allow {_quoted(METHODS)}",
        *_refusal("@other", NOT_ALLOWED),
        f"@missing not file {file}",
        *_missing(place),
    ]
    headers = {
        "Cache-Control": place.cache,
        "Content-Type": place.media,
        "Content-Disposition": place.disposition,
        "Content-Security-Policy": place.policy,
    }
    lines += [f"header {name} {_quoted(value)}" for name, value in headers.items() if value is not None]
    if place.holds is Holds.PAGE:
        lines.append(f"try_files {file}")
    elif place.holds is not Holds.FILE:
        lines.append(f"rewrite * {file}")
    return [f"route {matcher} {{", *(f"    {line}" for line in [*lines, "file_server"]), "}"]


def _missing(place: Place) -> list[str]:
    if place.holds is not Holds.PAGE:
        return _refusal("@missing", place.refusal)
    return ["route @missing {", *(f"    {line}" for line in _SHOW_MISSING), "}"]


def _refusal(matcher: str, refusal: Refusal) -> list[str]:
    cached = [f"header {matcher} Cache-Control {_quoted(refusal.cache)}"]
    return [
        *(cached if refusal.cache != NOT_CACHED else []),
        f"header {matcher} Content-Type application/json".replace("  ", " "),
        f"respond {matcher} `{{{refusal.body}}}` {refusal.status}".replace("  ", " "),
    ]


def _quoted(value: str) -> str:
    return f"`{value}`"
