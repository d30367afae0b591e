"""One POST to an address that an admin has named; no redirect is followed, and no answer read."""

import socket
import time

import requests
from urllib3.exceptions import HTTPError

from seqfacility_instance.registry_client.connections import PrivateAddress, checked_addresses
from seqfacility_instance.registry_client.following import checked_session, reason_of
from seqfacility_instance.registry_client.reach import Reach, port_of
from seqfacility_instance.registry_client.rules import checked_url

NOT_READABLE = "is not an http or https address that can be called"
NOT_ENCRYPTED = "must begin with https:// unless webhooks.allowPrivateNetworks is on"
PRIVATE = "leads into a private network; the setting webhooks.allowPrivateNetworks allows that"
NEVER = "leads to an address that is never called"


class NotSent(Exception):
    """Nothing was sent, or no answer came. The text is for people and holds no address."""


def allowed_reach(url: str, *, private_networks: bool) -> Reach:
    """Return where the host of an address may lie; raises `NotSent` for an address that is not called.

    Private networks allow plain http too. Link-local addresses and those of cloud metadata stay refused.

    Decision: G855.
    """
    parts = checked_url(url)
    if parts is None:
        raise NotSent(NOT_READABLE)
    if parts.scheme != "https" and not private_networks:
        raise NotSent(NOT_ENCRYPTED)
    return Reach().including(url) if private_networks else Reach()


def check_host(url: str, reach: Reach) -> None:
    """Look the host up; raises `NotSent` when it may not be called. A host that is not known passes.

    Whoever names an address is told at once; what counts is the look at each attempt.

    Decision: G855.
    """
    parts = checked_url(url)
    assert parts is not None
    try:
        checked_addresses(str(parts.host).strip("[]"), port_of(parts), reach)
    except PrivateAddress as private:
        raise NotSent(PRIVATE) from private
    except socket.gaierror:
        return
    except UnicodeError as unreadable:
        raise NotSent(NOT_READABLE) from unreadable
    except OSError as refused:
        raise NotSent(NEVER) from refused


def post_once(url: str, content: bytes, headers: dict[str, str], reach: Reach, seconds: float) -> int:
    """Send a document and return the status of the answer, whose body is left unread.

    The address that is dialled is the one that was looked at. An answer that is not there in time is none:
    of one that was cut off in its headers the library makes a whole one. Raises `NotSent`.

    Decision: G226, G855.
    """
    began = time.monotonic()
    late = NotSent(f"No answer within {seconds:g} seconds")
    try:
        with (
            checked_session(reach) as session,
            session.post(
                url, data=content, headers=headers, allow_redirects=False, stream=True, timeout=seconds
            ) as answer,
        ):
            status = answer.status_code
    except PrivateAddress as private:
        raise NotSent(f"The address {PRIVATE}") from private
    except (requests.RequestException, HTTPError, OSError, UnicodeError) as broken:
        raise late if time.monotonic() - began >= seconds else NotSent(reason_of(broken)) from broken
    if time.monotonic() - began >= seconds:
        raise late
    return status
