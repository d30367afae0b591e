"""The cross-site check: may this request have been made by another site's page?"""

from urllib.parse import urlsplit

_DEFAULT_PORTS = {"http": 80, "https": 443}


def is_cross_site(
    fetch_site: str | None, origin: str | None, host: str | None, public_url: str | None
) -> bool:
    """Decide from the browser's own words whether an unsafe request is refused.

    Refused when `Sec-Fetch-Site` is `cross-site`, or when an `Origin` is there whose host and port match
    neither the `Host` header nor the public address. Default ports are dropped and the scheme is not
    compared; `Origin: null` matches nothing. Without both headers it is no browser, and it passes.

    Decision: G19.
    """
    if (fetch_site or "").strip().lower() == "cross-site":
        return True
    if origin is None:
        return False
    scheme = origin.split("://", 1)[0].lower()
    ours = {_place(f"{scheme}://{host}") if host else None, _place(public_url) if public_url else None}
    place = _place(origin)
    return place is None or place not in ours


def _place(url: str) -> tuple[str, int | None] | None:
    """Host and port of a URL, the scheme's default port dropped; None when it has no host."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return None
    if not parts.hostname or "://" not in url:
        return None
    return parts.hostname, None if port == _DEFAULT_PORTS.get(parts.scheme.lower()) else port
