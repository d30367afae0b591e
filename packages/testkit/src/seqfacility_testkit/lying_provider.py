"""An OpenID provider that keeps to the protocol, and lies where a test tells it to."""

import base64
import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit

from joserfc.jwk import RSAKey
from joserfc.jwt import encode

LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout"
CLIENT_ID = "seqfacility"
CLIENT_SECRET = "a secret + of 100% the client"  # noqa: S105  # of a provider of tests
Reply = tuple[int, dict[str, str], bytes]


class LyingProvider:
    """Its attributes are what it says; a test changes them before somebody signs in."""

    def __init__(self) -> None:
        self.key = RSAKey.generate_key(2048, {"kid": "first", "use": "sig"})
        self.published = [self.key]
        self.claims: dict[str, Any] = {
            "sub": "person-1",
            "email": "marie@institute.test",
            "email_verified": True,
            "given_name": "Marie",
            "family_name": "Curie",
            "sid": "sid-1",
        }
        self.userinfo: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {}
        self.header: dict[str, Any] = {}
        self.sign: Callable[[dict[str, Any]], str] = self.sign_with_key
        self.replies: dict[str, Callable[[], Reply]] = {}
        self.asked: list[str] = []
        self.checks_pkce = True
        self.clients: list[tuple[str, str]] = []
        self.codes: dict[str, dict[str, str]] = {}
        self.issuer = ""

    def authorize(self, address: str) -> dict[str, str]:
        """Do what a person does at the provider; return what the browser brings back."""
        asked = dict(parse_qsl(urlsplit(address).query))
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        return {"state": asked["state"], "code": code}

    def documents(self, path: str) -> dict[str, Any] | None:
        if path == "/.well-known/openid-configuration":
            return {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/jwks",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
                "id_token_signing_alg_values_supported": ["RS256"],
                **self.metadata,
            }
        if path == "/jwks":
            return {"keys": [key.as_dict(private=False) for key in self.published]}
        return self.userinfo if path == "/userinfo" else None

    def tokens(self, form: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
        asked = self.codes.pop(form.get("code", ""), None)
        proof = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        is_proved = asked is not None and asked["code_challenge"] == _base64(proof)
        if asked is None or (self.checks_pkce and not is_proved):
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 300,
            "nonce": asked["nonce"],
            **self.claims,
        }
        sent = {name: value for name, value in claims.items() if value is not None}
        return 200, {"access_token": "opaque", "token_type": "Bearer", "id_token": self.sign(sent)}

    def sign_with_key(self, claims: dict[str, Any]) -> str:
        header = {"alg": "RS256", "kid": self.key.kid, **self.header}
        return encode(header, claims, self.key, algorithms=["RS256", "RS512"])

    def sign_with_nothing(self, claims: dict[str, Any]) -> str:
        return f"{_base64(json.dumps({'alg': 'none'}).encode())}.{_base64(json.dumps(claims).encode())}."

    def sign_with_public_key(self, claims: dict[str, Any]) -> str:
        """Sign by HMAC with the public key as its secret, as if a verifier mixed them up."""
        return self._by_hmac(claims, self.key.as_pem(private=False))

    def sign_with_client_secret(self, claims: dict[str, Any]) -> str:
        return self._by_hmac(claims, CLIENT_SECRET.encode())

    def _by_hmac(self, claims: dict[str, Any], secret: bytes) -> str:
        header = {"alg": "HS256", "kid": self.key.kid}
        signed = ".".join(_base64(json.dumps(part).encode()) for part in (header, claims))
        return f"{signed}.{_base64(hmac.new(secret, signed.encode(), hashlib.sha256).digest())}"

    def logout_token(self, **changes: Any) -> str:
        """Return a logout token for the person; None takes a claim away."""
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT_ID,
            "iat": now,
            "exp": now + 120,
            "jti": secrets.token_urlsafe(8),
            "sub": self.claims["sub"],
            "events": {LOGOUT_EVENT: {}},
            **changes,
        }
        return self.sign({name: value for name, value in claims.items() if value is not None})


def _base64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


class _Handler(BaseHTTPRequestHandler):
    provider: LyingProvider

    def do_GET(self) -> None:
        self._reply(lambda path: (200, self.provider.documents(path) or {}))

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        self.provider.clients.append((self.headers.get("Authorization") or "", raw))
        form = {name: values[-1] for name, values in parse_qs(raw).items()}
        self._reply(lambda _path: self.provider.tokens(form))

    def _reply(self, usual: Callable[[str], tuple[int, dict[str, Any]]]) -> None:
        path = urlsplit(self.path).path
        self.provider.asked.append(path)
        if path in self.provider.replies:
            status, headers, content = self.provider.replies[path]()
        else:
            status, document = usual(path)
            headers, content = {"Content-Type": "application/json"}, json.dumps(document).encode()
        try:
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
        except OSError:
            pass  # who asked has heard enough

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name of the base class
        """Say nothing."""


@contextmanager
def lying_provider() -> Iterator[LyingProvider]:
    """Run a provider on a free port of 127.0.0.1."""
    provider = LyingProvider()
    handler = type("_OfProvider", (_Handler,), {"provider": provider})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
