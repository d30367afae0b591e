"""A real Chromium that opens pages and is over."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import requests

from seqfacility_testkit.waiting import wait_until

DEBIAN_PACKAGE = "chromium"
_SECONDS_ON_PAGE = 4
_WORDS = (
    "--headless",
    "--no-sandbox",  # as root there is no other way
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--allow-loopback-in-peer-connection",  # or WebRTC is mute on a machine without a network
    "--no-first-run",
    "--password-store=basic",
)


def find_chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


def find_headless() -> str | None:
    """Return the Chromium without a window, which starts and draws for less; else the whole one."""
    return shutil.which("chromium-headless-shell") or find_chromium()


def open_page(binary: str, url: str, profile: Path) -> str:
    """Open a page and return its document as it is when it has loaded, or after some seconds."""
    stay = f"--timeout={_SECONDS_ON_PAGE * 1000}"
    words = [binary, *_WORDS, f"--user-data-dir={profile}", stay, "--dump-dom", url]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout


@contextmanager
def open_tabs(binary: str, urls: Iterable[str], profile: Path) -> Iterator[None]:
    """Keep pages open beside each other for as long as the block lasts."""
    words = [binary, *_WORDS, f"--user-data-dir={profile}", "--remote-debugging-port=0"]
    null = subprocess.DEVNULL
    browser = subprocess.Popen(words, stdout=null, stderr=null, start_new_session=True)
    port = profile / "DevToolsActivePort"
    try:
        wait_until(lambda: port.exists() and port.read_text() != "", "Chromium said where it listens")
        for url in urls:
            at = f"http://127.0.0.1:{port.read_text().split()[0]}/json/new?{quote(url)}"
            requests.put(at, timeout=60).raise_for_status()
        yield
    finally:
        os.killpg(browser.pid, signal.SIGKILL)
        browser.wait()
