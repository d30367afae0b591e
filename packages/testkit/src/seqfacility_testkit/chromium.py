"""A real Chromium that opens one page and is over."""

import shutil
import subprocess
from pathlib import Path

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
    """Find the program; None when it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


def open_page(binary: str, url: str, profile: Path) -> str:
    """Open a page, stay on it for some seconds and give what its document then was."""
    stay = f"--timeout={_SECONDS_ON_PAGE * 1000}"
    words = [binary, *_WORDS, f"--user-data-dir={profile}", stay, "--dump-dom", url]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    return done.stdout
