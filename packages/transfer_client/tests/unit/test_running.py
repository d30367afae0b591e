"""What a whole command makes of the trouble of one file."""

import sys
from pathlib import Path
from threading import Event
from typing import cast

import pytest
from seqfacility_client.errors import Stopped, TransferRefused
from seqfacility_client.fetching import Fetcher
from seqfacility_client.progress import Lines
from seqfacility_client.rules.fetching import Delivered
from seqfacility_client.rules.plan import Placed
from seqfacility_client.running import each, failure_line, fetched_one, sent_one
from seqfacility_client.sending import Sender


class Failing:
    """Sends and fetches nothing, for a reason of its own."""

    progress = Lines()

    def __init__(self, reason: Exception) -> None:
        self._reason = reason

    def send(self, _placed: Placed) -> None:
        raise self._reason

    def fetch(self, _file: Delivered, _place: Path) -> None:
        raise self._reason


@pytest.mark.parametrize(
    ("reason", "error"),
    [
        (TransferRefused("no"), "no"),
        (Stopped(), "stopped"),
        (OSError(5, "Input/output error"), "[Errno 5] Input/output error"),
        (KeyError("uploadId"), "unexpected KeyError: 'uploadId'"),
    ],
)
def test_whatever_happens_to_one_file_is_a_result_of_that_file(reason: Exception, error: str) -> None:
    failing = Failing(reason)
    file = Delivered("orders/o/a.fastq", "a.fastq", 1, None, "S-1", "reads", "id1")

    sent = each(
        [Placed((Path("a"),), None, "R1", "a", 1)],
        lambda one: sent_one(cast("Sender", failing), one),
        1,
        Event(),
    )
    fetched = fetched_one(cast("Fetcher", failing), file, Path("a"))

    assert [(one["status"], one["error"]) for one in (sent[0], fetched)] == [("failed", error)] * 2
    assert failure_line(sent, Event()) == error


def test_what_ends_the_command_for_one_file_stops_the_others() -> None:
    stop, begun = Event(), Event()
    stopped = []

    def work(number: int) -> None:
        if number == 0:
            begun.wait(10)
            sys.exit(141)  # its line could not be printed: nobody reads the output any more
        begun.set()
        stopped.append(stop.wait(3))

    with pytest.raises(SystemExit):
        each(range(3), work, 2, stop)

    assert stopped == [True, True]
