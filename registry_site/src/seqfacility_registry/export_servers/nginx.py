"""The places of a mirror in the words of nginx."""

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
    quoted,
)
from seqfacility_registry.pages.policy import PAGE_POLICY

_HEAD = f"""\
# A mirror of a SeqFacility registry. Include this file in a server block of nginx:
#
#     server {{
#         listen 8090;
#         root /srv/registry;                        # the exported folder
#         include /srv/registry/server/nginx.conf;
#     }}
#
# Headers are written once, below; each location only says what they hold. An empty one is not sent.
# The time of a file follows from its content, so that its ETag does; as a date it would be wrong.

default_type application/json;
types {{
    application/json json;
    text/css css;
    text/html html;
    text/javascript js;
    application/xml xml;
    image/svg+xml svg;
    image/png png;
    image/webp webp;
    image/jpeg jpg;
}}
server_tokens off;
etag on;
if_modified_since off;
gzip on;
gzip_vary on;
gzip_proxied any;
gzip_min_length 256;
gzip_types application/json application/xml image/svg+xml text/css text/javascript;

set $any_origin "";
set $cache "no-store";
set $methods "";
set $allow "";
set $disposition "";
set $policy "";
add_header X-Content-Type-Options nosniff always;
add_header X-Request-Id $request_id always;
add_header Last-Modified "" always;
add_header Cache-Control $cache always;
add_header Access-Control-Allow-Origin $any_origin always;
add_header Access-Control-Allow-Methods $methods always;
add_header Allow $allow always;
add_header Content-Disposition $disposition always;
add_header Content-Security-Policy $policy always;

# Whoever copies all files asks for them by their names.
if (-f $request_filename) {{ rewrite {NAMED_FILE}$ $1 last; }}

error_page 404 @not_found;
error_page 405 @method_not_allowed;
"""

_MISSING = f"error_page 404 {MISSING}; error_page 405 @method_not_allowed;"
_FILES = {
    Holds.FOLDER: "$uri/index.json",
    Holds.FILE: "$uri",
    Holds.PAGE: "$uri $uri/index.html",
    Holds.NOTHING: "/nothing-there",
}


def nginx_configuration(table: Sequence[Place]) -> str:
    """Write the locations of a mirror."""
    refusals = dict.fromkeys([NOT_FOUND, *(place.refusal for place in table)])
    parts = [
        _HEAD,
        *map(_location, table),
        f"location ~ {RESERVED} {{ return 404; }}\n",
        f'location / {{ set $policy "{PAGE_POLICY}"; {_MISSING} return 404; }}\n',
        *map(_refusal, refusals),
        _refusal(NOT_ALLOWED, METHODS),
    ]
    return "\n".join(parts)


def _location(place: Place) -> str:
    lines = [] if place.media is None else [f"    default_type {place.media};"]
    options = f'set $cache ""; set $allow "{METHODS}";'
    if place.any_origin:
        lines.append('    set $any_origin "*";')
        options += f' set $methods "{OPEN_METHODS}";'
    lines.append(f"    if ($request_method = OPTIONS) {{ {options} return 204; }}")
    lines.append("    if ($request_method !~ ^(GET|HEAD)$) { return 405; }")
    variables = {"cache": place.cache, "disposition": place.disposition, "policy": place.policy}
    lines += [f"    set ${name} {quoted(value)};" for name, value in variables.items() if value is not None]
    if place.holds is Holds.PAGE:
        lines.append(f"    {_MISSING}")
    otherwise = "=404" if place.holds is Holds.PAGE else f"@{place.refusal.name}"
    lines.append(f"    try_files {_FILES[place.holds]} {otherwise};")
    match = f"= {place.path}" if place.is_literal else f"~ {place.expression}"
    return "\n".join([f"location {match} {{", *lines, "}\n"])


def _refusal(refusal: Refusal, allow: str = "") -> str:
    return (
        f'location @{refusal.name} {{ set $cache "{refusal.cache}"; set $disposition ""; '
        f'set $policy ""; '
        f"set $allow \"{allow}\"; return {refusal.status} '{{{refusal.body}}}'; }}"
    )
