"""The nginx configuration that gives an exported mirror the headers and refusals of the service."""

import re
from collections.abc import Mapping

from seqfacility_registry.pipelines.ro_crate import FILE_NAME
from seqfacility_registry.publishing import (
    IMMUTABLE,
    INSTALL_PROFILES,
    NOT_CACHED,
    PUBLIC_DOCUMENT,
    RESEARCH_DATA,
    TRUST_TIMESTAMP,
)
from seqfacility_registry.site.resources import SANDBOX
from seqfacility_registry.trs.errors import ToolNotFound
from seqfacility_registry.trs.rules import ROOT
from seqfacility_registry.trust.content import MEDIA_BYTES

_HEAD = """\
# A mirror of a SeqFacility registry. Include this file in a server block of nginx:
#
#     server {
#         listen 8090;
#         root /srv/registry;                        # the exported folder
#         include /srv/registry/server/nginx.conf;
#     }
#
# Headers are written once, below; each location only says what they hold. An empty one is not sent.

default_type application/json;
types { application/json json; image/svg+xml svg; image/png png; image/webp webp; image/jpeg jpg; }
server_tokens off;
etag on;
gzip on;
gzip_vary on;
gzip_proxied any;
gzip_min_length 256;
gzip_types application/json image/svg+xml;

set $any_origin "";
set $cache "no-store";
set $methods "";
set $allow "";
set $disposition "";
set $policy "";
add_header X-Content-Type-Options nosniff always;
add_header X-Request-Id $request_id always;
add_header Cache-Control $cache always;
add_header Access-Control-Allow-Origin $any_origin always;
add_header Access-Control-Allow-Methods $methods always;
add_header Allow $allow always;
add_header Content-Disposition $disposition always;
add_header Content-Security-Policy $policy always;

error_page 404 @not_found;
error_page 405 @method_not_allowed;
"""

_REFUSALS = (
    ("not_found", 404, "Not found"),
    ("pipeline_not_found", 404, "Pipeline not found"),
    ("package_not_found", 404, "Pipeline package not found"),
    ("profile_not_found", 404, "Install profile not found"),
    ("no_release", 404, "No releases found for channel"),
    ("no_snapshot", 503, "No research-data snapshot available"),
    ("invalid_id", 400, "Invalid pipeline ID"),
    ("invalid_version", 400, "Invalid pipeline version"),
)
_TRS_ERROR = f'"code": {ToolNotFound.status}, "message": "{ToolNotFound.message}"'
_ID = "[a-z0-9-]+"
_VERSION = r"[a-z0-9]+(?:\.[a-z0-9]+)*"
_DIGEST = "[0-9a-f]+"
_PACKAGES = "^/api/registry/pipelines"
_CRATE = re.escape(FILE_NAME)


def nginx_configuration(attachments: Mapping[str, str]) -> str:
    """Write the locations of a mirror; `attachments` maps open profiles to the file name of their download.

    Spec: registry, Limits. Decision: G236, G243.
    """
    parts = [_HEAD]
    document = {"cache": PUBLIC_DOCUMENT}
    anybody = {**document, "any_origin": "*"}
    immutable = {"cache": IMMUTABLE}
    drawing = {**immutable, "media": MEDIA_BYTES}
    parts += [
        _location("= /api/registry", "not_found", anybody),
        _location("= /api/registry/mixs", "not_found", anybody),
        _location("= /api/registry/sequencing-tech", "not_found", document),
        _location(rf"~ ^/api/registry/{_ID}\z", "pipeline_not_found", anybody),
        _location(r"~ ^/api/registry/[^/]+\z", "invalid_id", anybody, exists=False),
        _location(rf"~ {_PACKAGES}/{_ID}/{_VERSION}/download\z", "package_not_found", anybody),
        _location(rf"~ {_PACKAGES}/{_ID}/[^/]+/download\z", "invalid_version", anybody, exists=False),
        _location(rf"~ {_PACKAGES}/[^/]+/[^/]+/download\z", "invalid_id", anybody, exists=False),
        _location(rf"~ {_PACKAGES}/{_ID}/{_VERSION}/{_CRATE}\z", "package_not_found", anybody, file="$uri"),
        _location(rf"~ {_PACKAGES}/{_ID}/[^/]+/{_CRATE}\z", "invalid_version", anybody, exists=False),
        _location(rf"~ {_PACKAGES}/[^/]+/[^/]+/{_CRATE}\z", "invalid_id", anybody, exists=False),
        _location("= /api/version", "no_release", {"cache": NOT_CACHED}),
        _location("= /api/research-data", "no_snapshot", {"cache": RESEARCH_DATA}),
        _location("= /api/install-profiles", "not_found", {"cache": INSTALL_PROFILES}),
    ]
    for name, file_name in sorted(attachments.items()):
        variables = {"cache": NOT_CACHED, "disposition": f'attachment; filename="{file_name}"'}
        parts.append(_location(f"= /api/install-profiles/{name}/resolve", "profile_not_found", variables))
    parts += [
        _location(
            r"~ ^/api/install-profiles/[^/]+(/resolve)?\z", "profile_not_found", {"cache": INSTALL_PROFILES}
        ),
        _location("= /api/trust/timestamp.json", "not_found", {"cache": TRUST_TIMESTAMP}, file="$uri"),
        _location(r"~ ^/api/trust/root\.[0-9]+\.json\z", "no_root_yet", immutable, file="$uri"),
        _location(r"~ ^/api/trust/[a-z0-9-]+\.[0-9]+\.json\z", "not_found", immutable, file="$uri"),
        _location(rf"~ ^/api/trust/documents/{_DIGEST}\.json\z", "not_found", immutable, file="$uri"),
        _location(rf"~ ^/api/trust/documents/{_DIGEST}\z", "not_found", drawing, file="$uri"),
        _location(rf"~ ^{ROOT}/(service-info|toolClasses|tools(/.+)?)\z", "tool_not_found", anybody),
        _location("= /api/health", "not_found", {"cache": NOT_CACHED}),
        _location(
            r"~ ^/images/(catalog|checklists)/[^/]+\z",
            "not_found",
            {**document, "policy": SANDBOX},
            file="$uri",
        ),
        "location / { return 404; }\n",
    ]
    parts += [_refusal(name, status, text) for name, status, text in _REFUSALS]
    parts.append(_refusal("no_root_yet", 404, "Not found", cache=TRUST_TIMESTAMP))
    parts.append(_refusal("tool_not_found", 404, ToolNotFound.message, body=_TRS_ERROR))
    parts.append(_refusal("method_not_allowed", 405, "Method not allowed", allow="GET, HEAD, OPTIONS"))
    return "\n".join(parts)


def _location(
    match: str,
    otherwise: str,
    variables: Mapping[str, str],
    *,
    exists: bool = True,
    file: str = "$uri/index.json",
) -> str:
    variables = dict(variables)
    media = variables.pop("media", None)
    lines = [] if media is None else [f"    default_type {media};"]
    options = 'set $cache ""; set $allow "GET, HEAD, OPTIONS";'
    if "any_origin" in variables:
        lines.append(f"    set $any_origin {_quoted(variables.pop('any_origin'))};")
        options += ' set $methods "GET, OPTIONS";'
    lines.append(f"    if ($request_method = OPTIONS) {{ {options} return 204; }}")
    lines.append("    if ($request_method !~ ^(GET|HEAD)$) { return 405; }")
    lines += [f"    set ${name} {_quoted(value)};" for name, value in variables.items()]
    lines.append(f"    try_files {file if exists else '/nothing-there'} @{otherwise};")
    return "\n".join([f"location {match} {{", *lines, "}\n"])


def _refusal(
    name: str, status: int, text: str, allow: str = "", body: str = "", cache: str = NOT_CACHED
) -> str:
    return (
        f'location @{name} {{ set $cache "{cache}"; set $disposition ""; set $policy ""; '
        f"set $allow \"{allow}\"; return {status} '{{{body or _error(text)}}}'; }}"
    )


def _error(text: str) -> str:
    return f'"error": "{text}"'


def _quoted(value: str) -> str:
    return f'"{value}"' if '"' not in value else f"'{value}'"
