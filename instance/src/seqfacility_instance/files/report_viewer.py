"""The page around a report that somebody opens as a page of its own.

A policy cannot forbid a document to navigate itself, and so to carry what it shows to another server in an
address. It can forbid that to a frame: `frame-src` of the page around it is asked for each navigation.

Decision: G412.
"""

from html import escape
from typing import Final
from urllib.parse import urlencode

SANDBOX: Final = (
    "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src data:; font-src data:"
)
"""A report runs in an origin of its own: it has no cookie of ours and loads nothing. Decision: G124."""

FRAMED_SANDBOX: Final = (
    f"{SANDBOX}; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; webrtc 'block'"
)

VIEWER_POLICY: Final = (
    "default-src 'none'; frame-src 'self'; style-src 'unsafe-inline'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)

CONNECTIONS: Final = {"Connection-Allowlist": "(response-origin)", "X-DNS-Prefetch-Control": "off"}
"""What no policy covers: WebRTC and names that are looked up in advance. Not every browser knows these."""

_PAGE: Final = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{name}</title>
<style>
html, body, iframe {{ border: 0; display: block; height: 100%; margin: 0; width: 100% }}
</style>
<iframe title="{name}" src="?{query}" sandbox="allow-scripts" referrerpolicy="no-referrer"></iframe>
</html>
"""


def viewer_page(path: str) -> bytes:
    """Return the page that shows the report at `path` in a frame."""
    name, query = escape(path.rpartition("/")[2]), escape(urlencode({"path": path}))
    return _PAGE.format(name=name, query=query).encode()
