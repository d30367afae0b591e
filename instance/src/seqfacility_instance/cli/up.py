"""Run everything of a small facility: web processes, monitors and worker, under one supervisor."""

import argparse
import os

from seqfacility_instance.cli.installation import check_before_serving
from seqfacility_instance.cli.observing import add_web_arguments, free_address, start_observing
from seqfacility_instance.cli.refusal import check_database_file
from seqfacility_instance.settings import read_settings

SHORT_JOBS = ("verify-upload", "examine-read", "examine-reports", "registry-poll")
LONG_JOBS = ("collect-stream", "file-reads")
"""Copying the reads of a flow cell takes hours, and what was uploaded meanwhile is verified.

Decision: G436, G997.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_web_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Start all processes, restart what dies, end all on SIGTERM. Decision: G262."""
    from seqfacility_instance.daemons.loop import stop_on_signals
    from seqfacility_instance.daemons.supervisor import Child, supervise

    settings = read_settings(os.environ)
    metrics_bind = start_observing(arguments)
    check_database_file(settings)
    check_before_serving(settings)
    shown = ["--metrics-bind", metrics_bind] if metrics_bind else []
    bind, workers = free_address(arguments.bind), str(max(1, arguments.workers))
    children = [
        Child("serve", ["serve", "--bind", bind, "--workers", workers, *shown]),
        Child("monitor-runs", ["monitor-runs"]),
        Child("monitor-streams", ["monitor-streams"]),
        Child("worker", ["worker", "--kinds", *SHORT_JOBS]),
        Child("worker of long jobs", ["worker", "--kinds", *LONG_JOBS]),
    ]
    supervise(children, stop_on_signals())
    return 0
