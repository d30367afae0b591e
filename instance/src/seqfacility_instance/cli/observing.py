"""How every process of the service is watched: its log, and its metrics."""

import argparse
import os

from seqfacility_wire import metrics
from seqfacility_wire.command_line.refusal import Refused
from seqfacility_wire.listening import check_bindable
from seqfacility_wire.logs import configure_logging

from seqfacility_instance.cli.refusal import parse_bind


def add_metrics_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--metrics-bind", metavar="HOST:PORT", help="show Prometheus metrics there, at /metrics"
    )


def start_observing(arguments: argparse.Namespace) -> str | None:
    """Configure logging; with `--metrics-bind` start recording and return the address.

    Raises `Refused` and `InvalidVariable`.

    Decision: G267, G364.
    """
    configure_logging(os.environ)
    if arguments.metrics_bind is None:
        return None
    bind = free_address(arguments.metrics_bind, is_shared=True)
    metrics.record_metrics()
    return bind


def add_web_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--bind", default="127.0.0.1:8080", metavar="HOST:PORT", help="where to listen")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="web processes")
    add_metrics_argument(parser)


def free_address(bind: str, *, is_shared: bool = False) -> str:
    """Return `HOST:PORT` when something can listen there; raises `Refused`. Decision: G262, G471."""
    try:
        check_bindable(parse_bind(bind), is_shared=is_shared)
    except OSError as refused:
        raise Refused(str(refused)) from refused
    return bind
