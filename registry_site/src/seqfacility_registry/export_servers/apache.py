"""The places of a mirror in the words of Apache."""

from collections.abc import Sequence

from seqfacility_registry.export_servers.places import (
    METHODS,
    MISSING,
    NAMED_FILE,
    NOT_ALLOWED,
    NOT_FOUND,
    OPEN_METHODS,
    Holds,
    Place,
    Refusal,
    quoted,
)
from seqfacility_registry.pages.policy import PAGE_POLICY
from seqfacility_registry.publishing import NOT_CACHED

_HEAD = f"""\
# A mirror of a SeqFacility registry. Include this file in a virtual host of Apache 2.4, with the modules
# deflate, headers, mime and rewrite:
#
#     <VirtualHost *:8090>
#         DocumentRoot /srv/registry                  # the exported folder
#         Include /srv/registry/server/apache.conf
#     </VirtualHost>

AllowEncodedSlashes On
<Location "/">
    Require all granted
    AddType application/json .json
    AddType text/css .css
    AddType text/html .html
    AddType text/javascript .js
    AddType application/xml .xml
    AddType image/svg+xml .svg
    AddType image/png .png
    AddType image/webp .webp
    AddType image/jpeg .jpg
    AddOutputFilterByType DEFLATE application/json application/xml image/svg+xml
    AddOutputFilterByType DEFLATE text/css text/html text/javascript
    # The time of a file follows from its content, so that its ETag does; as a date it would be wrong.
    FileETag MTime Size
    RequestHeader unset If-Modified-Since
    Header unset Last-Modified
    # The filter adds to an ETag what is not looked for in a request.
    RequestHeader edit* If-None-Match "-gzip\\"" "\\""
    Header always set X-Content-Type-Options nosniff
    Header always set Cache-Control "no-store" "expr=%{{REQUEST_STATUS}} >= 400"
    Header always set Content-Type application/json "expr=%{{REQUEST_STATUS}} >= 400"
    Header always set Allow "{METHODS}" "expr=%{{REQUEST_STATUS}} -in {{'204', '405'}}"
"""
_ANSWERED = {Holds.FOLDER: "$0/index.json", Holds.FILE: "-"}
_IS_404 = '"expr=%{REQUEST_STATUS} == 404"'
_PAGES = f"""\
<LocationMatch "^/(?!(?:api|ga4gh|images|server)(?:/|$))">
    ErrorDocument 404 {MISSING}
    Header always set Content-Type "text/html; charset=utf-8" {_IS_404}
    Header always set Content-Security-Policy "{PAGE_POLICY}" {_IS_404}
</LocationMatch>"""


def apache_configuration(table: Sequence[Place]) -> str:
    """Write the rules of a mirror in their order, and their headers the other way: there the last counts."""
    head = [f"{_HEAD}    {_document(NOT_FOUND)}", f"    {_document(NOT_ALLOWED)}", "</Location>", ""]
    headers = [line for place in reversed(table) for line in _headers(place)]
    rules = [line for place in table for line in _rules(place)]
    names = [
        "RewriteEngine On",
        "# Whoever copies all files asks for them by their names.",
        r"RewriteCond %{DOCUMENT_ROOT}%{REQUEST_URI} -f",
        f'RewriteRule "{NAMED_FILE}$" "$1"',
    ]
    return "\n".join([*head, _PAGES, *headers, "", *names, *rules, 'RewriteRule "^" "-" [R=404,END]', ""])


def _headers(place: Place) -> list[str]:
    lines = [] if place.holds is Holds.PAGE else [_document(place.refusal)]
    values = {
        "Cache-Control": place.cache,
        "Content-Disposition": place.disposition,
        "Content-Security-Policy": place.policy,
    }
    # WHY: Apache would send these headers in addition to those that `_PAGES` sets on an error page.
    when = ' "expr=%{REQUEST_STATUS} < 400"' if place.holds is Holds.PAGE else ""
    lines += [
        f"Header set {name} {quoted(value)}{when}" for name, value in values.items() if value is not None
    ]
    if place.refusal.cache != NOT_CACHED:
        value = quoted(place.refusal.cache)
        lines.append(f'Header always set Cache-Control {value} "expr=%{{REQUEST_STATUS}} >= 400"')
    if place.any_origin:
        is_options = '"expr=%{REQUEST_STATUS} == 204"'
        lines.append('Header always set Access-Control-Allow-Origin "*"')
        lines.append(f'Header always set Access-Control-Allow-Methods "{OPEN_METHODS}" {is_options}')
    else:
        lines.append("Header always unset Access-Control-Allow-Origin")
        lines.append("Header always unset Access-Control-Allow-Methods")
    if place.media is not None:
        lines.append(f"ForceType {place.media}")
    return [f'<LocationMatch "{place.expression}">', *(f"    {line}" for line in lines), "</LocationMatch>"]


def _rules(place: Place) -> list[str]:
    match = f'RewriteRule "{place.expression}"'
    lines = [
        "RewriteCond %{REQUEST_METHOD} =OPTIONS",
        f'{match} "-" [R=204,END]',
        "RewriteCond %{REQUEST_METHOD} !^(GET|HEAD)$",
        f'{match} "-" [R=405,END]',
    ]
    if place.holds is Holds.PAGE:
        for file in ("$0", "$0/index.html"):
            lines += [f"RewriteCond %{{DOCUMENT_ROOT}}{file} -f", f'{match} "{file}" [END]']
        return [*lines, f'{match} "-" [R=404,END]']
    if place.holds is Holds.NOTHING:
        return [*lines, f'{match} "-" [R={place.refusal.status},END]']
    return [*lines, f'{match} "{_ANSWERED[place.holds]}" [END]']


def _document(refusal: Refusal) -> str:
    return f"ErrorDocument {refusal.status} '{{{refusal.body}}}'"
