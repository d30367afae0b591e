"""How every process of the service is watched: its log, and its metrics."""

import argparse
import os

from seqfacility_wire import metrics
from seqfacility_wire.logs import UnknownLogFormat, configure_logging

from seqfacility_instance.cli.refusal import Refused, parse_bind


def add_metrics_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option that opens the metrics of a process and its children. Gap: G364."""
    parser.add_argument(
        "--metrics-bind", metavar="HOST:PORT", help="show Prometheus metrics there, at /metrics"
    )


def begin_observing(arguments: argparse.Namespace) -> str | None:
    """Open the log; give the address of the metrics when they are asked for, and record from then on.

    Raises `Refused`.

    Gap: G267, G364.
    """
    try:
        configure_logging(os.environ)
    except UnknownLogFormat as error:
        raise Refused(str(error)) from error
    if arguments.metrics_bind is None:
        return None
    bind = parse_bind(arguments.metrics_bind)
    metrics.record_metrics()
    return bind
