"""Requests to identity providers: limits on time and size, checked addresses, no redirects.

Decision: G826.
"""

import base64
import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import quote_plus

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session
from seqfacility_wire.errors import ServiceError
from seqfacility_wire.requests import parse_json_object
from urllib3.exceptions import HTTPError

from seqfacility_instance.core import limits
from seqfacility_instance.oidc.errors import Reason, SignInRefused
from seqfacility_instance.registry_client.connections import CheckedAdapter, PrivateAddress
from seqfacility_instance.registry_client.reach import Reach
from seqfacility_instance.registry_client.rules import shown_url

_SessionT = TypeVar("_SessionT", bound=requests.Session)
_BROKEN = (requests.RequestException, HTTPError, OSError, ServiceError)
_HEADERS = {"Accept": "application/json", "Accept-Encoding": "identity"}


class _BoundedAdapter(CheckedAdapter):
    """Reads each answer itself, so that nobody after it reads more than the limit."""

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        answer = super().send(request, *args, **{**options, "stream": True})
        with answer:
            if answer.headers.get("Content-Encoding", "identity") != "identity":
                raise OSError("the answer is in an encoding that nobody asked for")
            content = answer.raw.read(limits.OIDC_ANSWER_MAX_BYTES + 1)
        if len(content) > limits.OIDC_ANSWER_MAX_BYTES:
            raise OSError(f"the answer is larger than {limits.OIDC_ANSWER_MAX_BYTES} bytes")
        answer.raw = io.BytesIO(content)
        return answer


def fetch_object(url: str, reach: Reach, bearer: str | None = None) -> dict[str, object]:
    """Fetch a JSON object; raises `SignInRefused`, its note saying where and why."""
    headers = {**_HEADERS, **({} if bearer is None else {"Authorization": f"Bearer {bearer}"})}
    with _told(url), _bounded(requests.Session(), reach) as session:
        answer = session.get(url, headers=headers, allow_redirects=False, timeout=limits.OIDC_SECONDS)
        if answer.status_code != 200:
            raise OSError(f"answers {answer.status_code}")
        return parse_json_object(answer.content)


def fetch_tokens(client: OAuth2Session, url: str, reach: Reach, **words: str) -> Mapping[str, object]:
    """Send a code to the token endpoint.

    Raises `SignInRefused`: `INVALID_ANSWER` when the provider does not take the code.
    """
    with _told(url), _bounded(client, reach) as session:
        try:
            tokens: dict[str, object] = session.fetch_token(
                url,
                grant_type="authorization_code",
                headers={**_HEADERS, "Content-Type": "application/x-www-form-urlencoded"},
                allow_redirects=False,
                timeout=limits.OIDC_SECONDS,
                **words,
            )
        except AuthlibBaseError as refused:
            note = f"{shown_url(url)}: {str(refused.error)!r:.100}"
            raise SignInRefused(Reason.INVALID_ANSWER, note) from refused
        return tokens


def authentication(metadata: Mapping[str, Any]) -> str | Callable[..., Any]:
    """Return how a client with a secret names itself at the token endpoint."""
    offered = metadata.get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
    return (
        _basic if not isinstance(offered, list) or "client_secret_basic" in offered else "client_secret_post"
    )


def _basic(client: Any, _method: str, url: str, headers: dict[str, str], body: str) -> Any:
    """Write both words encoded, as RFC 6749 says in 2.3.1 and Authlib does not."""
    words = f"{quote_plus(client.client_id)}:{quote_plus(client.client_secret)}"
    headers["Authorization"] = f"Basic {base64.b64encode(words.encode()).decode()}"
    return url, headers, body


@contextmanager
def _bounded(session: _SessionT, reach: Reach) -> Iterator[_SessionT]:
    with session:
        session.trust_env = False
        adapter = _BoundedAdapter(reach)
        session.mount("http://", adapter)
        session.mount("https://", adapter)
        yield session


@contextmanager
def _told(url: str) -> Iterator[None]:
    try:
        yield
    except PrivateAddress as private:
        note = "its address is in a private network, and SEQFACILITY_PRIVATE_HOSTS does not name it"
        raise SignInRefused(Reason.PROVIDER_UNREACHABLE, f"{shown_url(url)}: {note}") from private
    # WHY also the errors of values: Authlib reads the tokens' document, and foreign JSON may hold anything.
    except (*_BROKEN, ValueError, TypeError, RecursionError) as broken:
        note = " ".join(str(broken).split())[:300] or type(broken).__name__
        raise SignInRefused(Reason.PROVIDER_UNREACHABLE, f"{shown_url(url)}: {note}") from broken
