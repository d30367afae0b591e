"""The content security policy of the pages."""

from typing import Final

_OWN_FILES: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; {frames}require-trusted-types-for 'script'; trusted-types 'none'"
)
PAGE_POLICY: Final = _OWN_FILES.format(frames="frame-ancestors 'none'; ")
POLICY_IN_PAGE: Final = _OWN_FILES.format(frames="")
"""For a `<meta>` element, as hosts of files send no headers; `frame-ancestors` works only in a header.

Decision: G1003.
"""
