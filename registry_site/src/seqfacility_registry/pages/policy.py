"""What a browser may do with a page."""

from typing import Final

_OWN_FILES: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; {frames}require-trusted-types-for 'script'; trusted-types 'none'"
)
PAGE_POLICY: Final = _OWN_FILES.format(frames="frame-ancestors 'none'; ")
POLICY_IN_PAGE: Final = _OWN_FILES.format(frames="")
"""For hosts that send no headers; who may frame a page can only be said by a header. Decision: G1003."""
