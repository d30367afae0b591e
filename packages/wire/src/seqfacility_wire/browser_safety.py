"""Headers that restrict what browsers do with answers of both services."""

from collections.abc import Mapping
from typing import Final

from falcon import Request, Response

_SAFETY: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
}
_ONLY_TLS: Final = {"Strict-Transport-Security": "max-age=63072000"}
"""Two years, for a service whose public address is https. Sub-domains are not ours to speak for."""

NOT_SHARED: Final = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""For answers that no other site may use."""


class BrowserSafety:
    """Tells browsers what an answer of the API is not: a page, a script's data, a thing to frame or refer to.

    An answer that is a page (documentation, a preview) has stated its own policy; it stays.

    Decision: G17, G413.
    """

    def __init__(self, more: Mapping[str, str], *, is_secure: bool) -> None:
        self._headers = {**_SAFETY, **more, **(_ONLY_TLS if is_secure else {})}

    def process_response(self, _req: Request, resp: Response, _resource: object, _succeeded: bool) -> None:
        """Add what the responder has not stated."""
        for name, value in self._headers.items():
            if resp.get_header(name) is None:
                resp.set_header(name, value)
