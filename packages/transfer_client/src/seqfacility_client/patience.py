"""Waiting between attempts, as long as there is hope, and ending at once when the person says so."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import TypeVar

from seqfacility_client.errors import Interrupted, Stopped, TransferRefused
from seqfacility_client.rules.pace import pause_seconds

_Value = TypeVar("_Value")


@dataclass(slots=True)
class Patience:
    """Counts the attempts of one transfer since something last moved. Decision: G320."""

    seconds: float
    stop: Event
    _attempt: int = 0
    _since: float = field(default_factory=time.monotonic)

    def moved(self) -> None:
        """Begin anew: the transfer got on."""
        self._attempt, self._since = 0, time.monotonic()

    def answered(self, ask: Callable[[], _Value]) -> _Value:
        """Ask until there is an answer; raises as `wait`, and what else `ask` raises."""
        while True:
            try:
                return ask()
            except Interrupted as interrupted:
                self.wait(interrupted)

    def wait(self, interrupted: Interrupted) -> None:
        """Pause before the next attempt.

        Raises `TransferRefused` when nothing moved for too long, `Stopped` when the person ended the command.
        """
        if time.monotonic() - self._since >= self.seconds:
            reason = f"nothing moved for {self.seconds:g} s: {interrupted}; run the command again to go on"
            raise TransferRefused(reason) from interrupted
        spread = random.random()  # noqa: S311  # it spreads clients, it keeps no secret
        if self.stop.wait(pause_seconds(self._attempt, spread, interrupted.pause)):
            raise Stopped
        self._attempt += 1
