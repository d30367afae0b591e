"""Requests to identity providers: limits on time and size, checked addresses, no redirects.

Decision: G826.
"""

from collections.abc import Mapping

import requests
from seqfacility_wire.errors import ServiceError
from seqfacility_wire.requests import parse_json_object
from urllib3.exceptions import HTTPError

from seqfacility_instance.core import limits
from seqfacility_instance.oidc.errors import Reason, SignInRefused
from seqfacility_instance.registry_client.connections import PrivateAddress
from seqfacility_instance.registry_client.following import checked_session
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.registry_client.rules import shown_url

_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity"}


def fetch_object(
    url: str,
    reach: Reach,
    *,
    bearer: str | None = None,
    form: Mapping[str, str] | None = None,
    basic: tuple[str, str] | None = None,
) -> dict[str, object]:
    """Fetch a JSON object, or send a form for one; `basic` is name and secret of a client.

    Raises `SignInRefused`, its note saying where and why: `INVALID_ANSWER` when the provider does not take
    the form, else `PROVIDER_UNREACHABLE`.
    """
    headers = {**_HEADERS, **({} if bearer is None else {"Authorization": f"Bearer {bearer}"})}
    try:
        document = parse_json_object(_content(url, reach, headers, form, basic))
    except PrivateAddress as private:
        note = "its address is in a private network, and SEQFACILITY_PRIVATE_HOSTS does not name it"
        raise SignInRefused(Reason.PROVIDER_UNREACHABLE, f"{shown_url(url)}: {note}") from private
    except (requests.RequestException, HTTPError, OSError, ServiceError, ValueError) as broken:
        note = " ".join(str(broken).split())[:300] or type(broken).__name__
        raise SignInRefused(Reason.PROVIDER_UNREACHABLE, f"{shown_url(url)}: {note}") from broken
    if form is not None and "error" in document:
        raise SignInRefused(Reason.INVALID_ANSWER, f"{shown_url(url)}: {document['error']!r:.100}")
    return document


def _content(
    url: str,
    reach: Reach,
    headers: Mapping[str, str],
    form: Mapping[str, str] | None,
    basic: tuple[str, str] | None,
) -> bytes:
    """Read an answer; one that refuses a form says why, see RFC 6749 in 5.2."""
    with (
        checked_session(reach) as session,
        session.request(
            "GET" if form is None else "POST",
            url,
            data=form,
            auth=basic,
            headers=headers,
            allow_redirects=False,
            stream=True,
            timeout=limits.OIDC_SECONDS,
        ) as answer,
    ):
        if answer.status_code != 200 and (form is None or not 400 <= answer.status_code < 500):
            raise OSError(f"answers {answer.status_code}")
        # WHY raw: what is packed would grow beyond the limit while it is unpacked; nobody asked for that.
        content = bytes(answer.raw.read(limits.OIDC_ANSWER_MAX_BYTES + 1))
    if len(content) > limits.OIDC_ANSWER_MAX_BYTES:
        raise OSError(f"the answer is larger than {limits.OIDC_ANSWER_MAX_BYTES} bytes")
    return content
