"""What `check-setup --public-url` says: does the proxy in front of us let through what clients need?

Every refusal names the line to change as nginx writes it; other proxies have the same switch.
"""

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from peewee import Database

from seqfacility_instance.access.sessions import Sessions
from seqfacility_instance.accounts import throttle
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.settings import Settings
from seqfacility_instance.site import store
from seqfacility_instance.site.checks import Check, Verdict, certificate_check, dated_clock_checks
from seqfacility_instance.site.public_probe import Answer, PublicProbe, Unreachable

LARGE_CHUNK_BYTES: Final = 256 * 1024**2
"""As large as a client may choose its chunks when the settings name no limit."""

BEGINNING_BYTES: Final = 64 * 1024
FILE_BYTES: Final = 300_000
FORGED_ADDRESS: Final = "192.0.2.77"
"""An address for documentation (RFC 5737): nobody has it, so only a believed header can bring it in."""


@dataclass(frozen=True, slots=True)
class ProxyChecks:
    """Tries the public address as people's programs use it, as an admin with a session of its own."""

    settings: Settings
    database: Database
    facility: FacilitySettings
    sessions: Sessions
    clock: Clock

    def run(self, url: str) -> list[Check]:
        """Try everything; leaves no file, session or count behind. Decision: G365."""
        door = PublicProbe(url.rstrip("/"))
        with self.database.connection_context():
            try:
                health = door.ask("GET", "/api/health")
                first = _reached(door, health)
                if first.verdict is Verdict.FAIL:
                    return [first]
                tried = [
                    first,
                    *self._times(door, health),
                    _errors(door),
                    _methods(door),
                    self._addresses(door),
                ]
                admin = store.first_admin()
                if admin is None:
                    return [*tried, _warn("Sign-in", "there is no admin yet; run `seqfacility init`")]
                token = self.sessions.start_check(admin, "check-setup")
                try:
                    return [*tried, *self._signed_in(door, {"Cookie": f"service_session={token}"})]
                finally:
                    self.sessions.end(token)
            except Unreachable as error:
                return [_fail("Public address", f"{url} cannot be used: {error}")]

    def _signed_in(self, door: PublicProbe, cookie: dict[str, str]) -> list[Check]:
        origin = _origin(door, cookie)
        if origin.verdict is Verdict.FAIL:
            return [origin]
        return [origin, self._upload(door, cookie), *self._download(door, cookie)]

    def _times(self, door: PublicProbe, health: Answer) -> Iterator[Check]:
        """Hold our clock against that of the public address, and see when its certificate ends."""
        yield from dated_clock_checks("the public address", health.headers.get("date"), self.clock.now())
        ends_at = door.certificate_end()
        if ends_at is not None:
            yield certificate_check(ends_at, self.clock.now())

    def _addresses(self, door: PublicProbe) -> Check:
        """See whether a client can choose the address that throttles count it by. Decision: G29."""
        name = "Client addresses"
        if door.own_address() in self.settings.trusted_proxies:
            return _warn(name, "not known from here, because this machine is a trusted proxy itself")
        email = f"check-{secrets.token_hex(8)}@example.invalid"
        body = json.dumps({"email": email, "password": secrets.token_hex(8)}).encode()
        headers = {"Content-Type": "application/json", "X-Forwarded-For": FORGED_ADDRESS}
        began = self.clock.now()
        door.ask("POST", "/api/auth/sign-in", headers, body)
        throttle.take_back(email, began)
        if throttle.take_back(FORGED_ADDRESS, began):
            line = "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;"
            return _fail(name, f"a client can forge its address, and so escape every throttle. Set `{line}`")
        if not self.settings.trusted_proxies:
            text = "everybody has the proxy's address. Set SEQFACILITY_TRUSTED_PROXIES to it"
            return _warn(name, text)
        return _ok(name, "a forged X-Forwarded-For is not believed.")

    def _upload(self, door: PublicProbe, cookie: dict[str, str]) -> Check:
        """Announce a large chunk for an upload that there is not: the service refuses it before its body.

        Decision: G99.
        """
        name = "Uploads"
        largest = self.facility.uploads().max_chunk_bytes or LARGE_CHUNK_BYTES
        headers = {**cookie, "x-service-offset": "0", "Content-Type": "application/octet-stream"}
        path = "/api/orders/check-setup/sequencing/uploads/check-setup"
        answer = door.answer_to_begun_body("PATCH", path, headers, largest, b"\0" * BEGINNING_BYTES)
        if answer is None:
            text = "the proxy keeps a chunk until it is whole, so no progress is kept when a line breaks."
            return _fail(name, f"{text} Set `proxy_request_buffering off;`")
        if answer.status == 413 and not answer.is_ours:
            text = f"a chunk of {largest} bytes is too large for the proxy."
            return _fail(name, f"{text} Set `client_max_body_size 0;`")
        if answer.status != 404 or not answer.is_ours:
            return _warn(name, f"not known, because the proxy itself answers {answer.status} to a chunk")
        return _ok(name, f"chunks of {largest} bytes pass, and reach the service as they come.")

    def _download(self, door: PublicProbe, cookie: dict[str, str]) -> Iterator[Check]:
        base = self.facility.storage().data_base_path
        if base is None or not Path(base).is_dir():
            yield _warn("Downloads", "not tried: the data folder is not set or not there")
            return
        with _probe_file(Path(base)) as (place, content):
            path = f"/api/files/download?path={quote(place)}"
            whole = door.ask("GET", path, {**cookie, "Accept-Encoding": "gzip"})
            as_it_is = _whole_file(whole, content, uses_accel=self.settings.accel_prefix is not None)
            yield as_it_is
            if as_it_is.verdict is Verdict.FAIL:
                return
            yield from _ranges(lambda headers: door.ask("GET", path, {**cookie, **headers}), whole, content)
            yield _nobody(door.ask("GET", path), "a file", "proxy_cache off;")
            if self.settings.accel_prefix is not None:
                direct = door.ask("GET", self.settings.accel_prefix + quote(place))
                yield _nobody(direct, f"files below {self.settings.accel_prefix}", "internal;")


def _reached(door: PublicProbe, answer: Answer) -> Check:
    name = "Public address"
    if not answer.is_ours:
        text = f"{door.url}/api/health is answered with {answer.status}, and not by this service."
        return _fail(name, f"{text} Check `proxy_pass` and its address")
    if answer.status != 200:
        return _fail(
            name, f"the service answers {answer.status}; run `seqfacility check-setup` without options"
        )
    return _ok(name, f"{door.url} reaches the service.")


def _errors(door: PublicProbe) -> Check:
    answer = door.ask("GET", "/api/check-setup-asks-for-nothing")
    if answer.status == 404 and answer.is_ours and answer.body.startswith(b'{"error"'):
        return _ok("Errors", "the service's own words arrive.")
    return _fail("Errors", "the proxy puts its own pages in their place. Set `proxy_intercept_errors off;`")


def _methods(door: PublicProbe) -> Check:
    refused = [
        method for method in ("PUT", "PATCH", "DELETE") if not door.ask(method, "/api/version").is_ours
    ]
    if refused:
        return _fail("Methods", f"the proxy refuses {', '.join(refused)}. Take `limit_except` away")
    return _ok("Methods", "PUT, PATCH and DELETE pass.")


def _origin(door: PublicProbe, cookie: dict[str, str]) -> Check:
    """See whether a page of the public address may act: the host that we see must be its host.

    Decision: G19.
    """
    headers = {**cookie, "Origin": door.origin, "Content-Type": "application/json"}
    answer = door.ask("POST", "/api/files/checksum", headers, b"{}")
    if answer.status == 403:
        text = f"requests of {door.origin}'s own pages are refused as another site's."
        return _fail("Host", f"{text} Set `proxy_set_header Host $http_host;` and SEQFACILITY_PUBLIC_URL")
    if answer.status == 401:
        return _fail("Host", "the session cookie does not arrive. Let the header `Cookie` pass")
    return _ok("Host", "pages of the public address may act.")


def _whole_file(answer: Answer, content: bytes, *, uses_accel: bool) -> Check:
    name = "Downloads"
    if answer.status == 404 and uses_accel:
        line = "location /PREFIX/ { internal; alias DATA_FOLDER/; }"
        return _fail(name, f"nginx does not find what the service hands over to it. Set `{line}`")
    if answer.headers.get("content-encoding"):
        return _fail(name, "the proxy compresses files, and ends every resumption with it. Set `gzip off;`")
    if answer.status != 200 or answer.body != content:
        return _fail(name, f"a file arrives changed or not at all (status {answer.status})")
    if answer.headers.get("content-length") != str(len(content)):
        return _fail(name, "the length of a file is not told. Set `chunked_transfer_encoding off;`")
    return _ok(name, "a file arrives as it is.")


def _ranges(ask: Callable[[dict[str, str]], Answer], whole: Answer, content: bytes) -> Iterator[Check]:
    """See whether a download can be resumed, and only of the same bytes. Decision: G121."""
    name = "Ranges"
    etag = whole.headers.get("etag", "")
    if not etag.startswith('"'):
        yield _fail(name, "the proxy weakens or removes the ETag. Set `gzip off;` and let `ETag` pass")
        return
    part = ask({"Range": "bytes=1000-1999"})
    if part.status != 206 or part.body != content[1000:2000]:
        yield _fail(name, "parts of a file do not pass. Take `max_ranges` and `proxy_set_header Range` away")
        return
    same = ask({"Range": "bytes=1000-1999", "If-Range": etag})
    other = ask({"Range": "bytes=1000-1999", "If-Range": '"another"'})
    if (same.status, other.status) != (206, 200):
        yield _fail(name, "`If-Range` does not arrive. Take `proxy_set_header If-Range` away")
        return
    yield _ok(name, "a broken download goes on where it stopped.")


def _nobody(answer: Answer, what: str, line: str) -> Check:
    if answer.status in (401, 403, 404):
        return _ok("Strangers", f"{what} cannot be had without a session.")
    return _fail("Strangers", f"{what} can be had by anybody without a session. Set `{line}`")


@contextmanager
def _probe_file(base: Path) -> Iterator[tuple[str, bytes]]:
    """Put a file with an awkward name into the data folder for as long as it is tried."""
    name = f"check-setup {secrets.token_hex(8)} ä%41+#.txt"
    content = (b"SeqFacility check-setup\n" * (FILE_BYTES // 24 + 1))[:FILE_BYTES]
    with (base / name).open("xb") as file:
        file.write(content)
    try:
        yield name, content
    finally:
        (base / name).unlink()


def _ok(name: str, text: str) -> Check:
    return Check(Verdict.OK, f"{name}: {text}")


def _warn(name: str, text: str) -> Check:
    return Check(Verdict.WARN, f"{name}: {text}.")


def _fail(name: str, text: str) -> Check:
    return Check(Verdict.FAIL, f"{name}: {text}.")
