"""One GET, its redirects followed: the policy that every fetch of the service shares."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

import requests

from seqfacility_instance.core import limits
from seqfacility_instance.core.storable_text import storable_text
from seqfacility_instance.registry_client.connections import CheckedAdapter, PrivateAddress
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.registry_client.rules import checked_url, redirect_target

_REDIRECTS: Final = frozenset({301, 302, 303, 307, 308})


class AddressRefused(Exception):
    """Nothing is fetched from there, and trying again would change nothing. The text is for people."""


@contextmanager
def opened_answer(
    url: str,
    reach: Reach,
    headers: Mapping[str, str],
    timeout: Callable[[], float | tuple[float, float]],
    *,
    bearer: str | None = None,
    is_patient: bool = False,
    stays_at_origin: bool = False,
) -> Iterator[requests.Response]:
    """Return the answer that three redirects at most lead to, its body unread.

    Neither cookies nor `bearer` go along to another address. With `stays_at_origin` scheme, host and port
    remain those of `url`. Raises `AddressRefused`, and what requests, urllib3 and sockets raise.

    Decision: G226, G406.
    """
    with checked_session(reach, is_patient=is_patient) as session:
        for _ in range(limits.REGISTRY_MAX_REDIRECTS + 1):
            if checked_url(url) is None:
                raise AddressRefused("The address cannot be fetched from")
            sent = dict(headers) if bearer is None else {**headers, "Authorization": f"Bearer {bearer}"}
            try:
                answer = session.get(url, headers=sent, allow_redirects=False, stream=True, timeout=timeout())
            except PrivateAddress as private:
                raise AddressRefused(
                    "The address is in a private network, and SEQFACILITY_PRIVATE_HOSTS does not name it"
                ) from private
            with answer:
                location = answer.headers.get("Location")
                if answer.status_code not in _REDIRECTS or not location:
                    yield answer
                    return
            session.cookies.clear()
            target = redirect_target(url, location)
            if target is None:
                raise AddressRefused("The server sends us on to an address that is unencrypted or is none")
            if stays_at_origin and urlsplit(target)[:2] != urlsplit(url)[:2]:
                raise AddressRefused("The server sends us on to another one")
            url, bearer = target, None
    raise AddressRefused("The server sends us on too often")


class _Session(requests.Session):
    """Is led nowhere.

    HAZARD: requests prepares the next request of a redirect that is not followed too: it reads the whole
    answer for that, and fails on a Location that it cannot read.
    """

    def get_redirect_target(self, resp: requests.Response) -> None:  # noqa: ARG002  # the name of the base class
        return None


@contextmanager
def checked_session(reach: Reach, *, is_patient: bool = False) -> Iterator[requests.Session]:
    """Return a session that takes nothing from the environment and looks at each address before it dials.

    Decision: G857.
    """
    with _Session() as session:
        session.trust_env = False
        adapter = CheckedAdapter(reach, is_patient=is_patient)
        session.mount("http://", adapter)
        session.mount("https://", adapter)
        yield session


def reason_of(broken: Exception) -> str:
    """Return in a line why a connection failed: the innermost reason, without the library's wrapping."""
    if isinstance(broken, AddressRefused):
        return str(broken)
    inner: BaseException = broken
    while inner.__cause__ or inner.__context__:
        inner = inner.__cause__ or inner.__context__ or inner
    words = getattr(inner, "strerror", None) or " ".join(str(inner).split()) or type(inner).__name__
    return storable_text(words)
