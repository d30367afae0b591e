"""The Chromium of a test process."""

import atexit
from functools import cache

import pytest
from playwright.sync_api import Browser, sync_playwright

from seqfacility_testkit.chromium import DEBIAN_PACKAGE, find_headless
from seqfacility_testkit.pages import CHROMIUM_WORDS


@cache
def one_chromium() -> Browser:
    """Return Debian's Chromium, as Playwright brings none; no process can have a second driver."""
    binary = find_headless()
    if binary is None:
        pytest.skip(f"needs the Debian package {DEBIAN_PACKAGE}")
    driver = sync_playwright().start()
    atexit.register(driver.stop)
    return driver.chromium.launch(executable_path=binary, args=list(CHROMIUM_WORDS))
