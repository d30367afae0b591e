"""A certified OpenID provider, npm's `oidc-provider`, as a process, and a person in front of it."""

import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import requests

FOLDER = Path(__file__).parents[2] / "identity_provider"
INSTALL = "python instance/tools/npm_packages.py packages/testkit/identity_provider"
_FORM = re.compile(r'<form[^>]*action="([^"]+)"')
_FIELD = re.compile(r'<input[^>]*type="hidden"[^>]*name="([^"]+)"[^>]*value="([^"]*)"')
_MANY_STEPS = 20


def why_not() -> str | None:
    """Return what is missing for the provider to run, None when nothing is."""
    if shutil.which("node") is None:
        return "needs node"
    return None if (FOLDER / "node_modules/oidc-provider").exists() else f"needs oidc-provider: {INSTALL}"


@contextmanager
def running_provider(
    clients: Sequence[Mapping[str, Any]], people: Mapping[str, Mapping[str, Any]]
) -> Iterator[str]:
    """Run the provider; return its issuer. It ends with its standard input, however this process ends."""
    configuration = json.dumps({"clients": clients, "people": people})
    process = subprocess.Popen(
        ["node", "provider.mjs", configuration],
        cwd=FOLDER,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        announced = process.stdout.readline()
        assert announced.startswith("listening on "), announced
        yield announced.removeprefix("listening on ").strip()
    finally:
        process.stdin.close()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


@dataclass
class Visitor:
    """A person's browser without a screen: keeps cookies, follows redirects, sends the provider's forms."""

    session: requests.Session
    login: str

    def sign_in(self, url: str, home: str) -> str:
        """Go from `url` through the provider's pages; return the page of `home` where it ends."""
        return self._walk(url, home, {"login": self.login, "password": "any"})

    def sign_out(self, issuer: str) -> None:
        """Sign out at the provider."""
        self._walk(f"{issuer}/session/end", issuer, {"logout": "yes"})

    def _walk(self, url: str, home: str, typed: Mapping[str, str]) -> str:
        method, data = "GET", dict[str, str]()
        for _ in range(_MANY_STEPS):
            answer = self.session.request(method, url, data=data, allow_redirects=False, timeout=30)
            place = answer.headers.get("Location")
            form = None if place else _FORM.search(answer.text)
            if place:
                url, method, data = urljoin(url, place), "GET", {}
                if url.startswith(home) and "/api/" not in url and "/session/" not in url:
                    return url.removeprefix(home)
            elif form is not None and answer.status_code == 200 and not url.startswith(f"{home}/sign-in"):
                url, method = urljoin(url, unescape(form[1])), "POST"
                data = {**dict(_FIELD.findall(answer.text)), **typed}
            else:
                assert answer.status_code == 200, f"{method} {url}: {answer.status_code} {answer.text[:500]}"
                return url.removeprefix(home)
        raise AssertionError(f"no end after {_MANY_STEPS} steps: {url}")
