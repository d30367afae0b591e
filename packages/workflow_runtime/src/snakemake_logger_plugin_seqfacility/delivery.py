"""Posts events one after another from a thread of its own, so that no receiver can hold up the workflow."""

import contextlib
import json
import queue
import threading
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException

from seqfacility_workflow_runtime.run_folder import JsonValue

POST_SECONDS = 5.0
MAX_WAITING = 10_000


class Delivery:
    """A bounded queue of events and the thread that posts them in order.

    An event that does not fit, or whose post fails, is lost without a word: the
    trace file and the exit record are the truth, the weblog is news. A post
    takes at most 5 seconds for each step of the connection.
    """

    def __init__(self, url: str, token: str) -> None:
        self._url = url
        self._token = token
        self._waiting: queue.Queue[Mapping[str, JsonValue] | None] = queue.Queue(MAX_WAITING)
        self._opener = _direct_opener()
        self._thread: threading.Thread | None = None

    def send(self, event: Mapping[str, JsonValue]) -> None:
        """Queue one event and return at once."""
        if not self._url.startswith(("http://", "https://")):
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="seqfacility-weblog", daemon=True)
            self._thread.start()
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(event)

    def close(self, seconds: float) -> bool:
        """Wait until what is queued has been posted; False when that takes longer than `seconds`."""
        if self._thread is None:
            return True
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(None)
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _work(self) -> None:
        while (event := self._waiting.get()) is not None:
            with contextlib.suppress(OSError, HTTPException, ValueError):
                self._post(event)

    def _post(self, event: Mapping[str, JsonValue]) -> None:
        request = urllib.request.Request(  # noqa: S310 - `send` lets only http and https in
            self._url,
            data=json.dumps(event).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {self._token}"},
            method="POST",
        )
        with self._opener.open(request, timeout=POST_SECONDS) as answer:
            answer.read(64 * 1024)


def _direct_opener() -> urllib.request.OpenerDirector:
    """Make an opener that knows neither proxies nor redirects, which would carry the token elsewhere."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener
