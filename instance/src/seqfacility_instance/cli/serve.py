"""Run the web processes only.

They share nothing but the database and the disk with the monitors and the worker; `seqfacility up` runs all.
"""

import argparse
import os
from typing import TYPE_CHECKING, Any

from seqfacility_instance.cli.installation import check_before_serving
from seqfacility_instance.cli.observing import add_web_arguments, free_address, start_observing
from seqfacility_instance.cli.refusal import check_database_file
from seqfacility_instance.settings import read_settings

if TYPE_CHECKING:
    from falcon import App


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_web_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve until told to stop. Decision: G262, G263."""
    from seqfacility_instance.web_server import WebServer

    settings = read_settings(os.environ)
    metrics_bind = start_observing(arguments)
    check_database_file(settings)
    check_before_serving(settings)
    bind, workers = free_address(arguments.bind), max(1, arguments.workers)
    WebServer(_make_app, bind, workers, metrics_bind, settings.trusted_proxies).run()
    return 0


def _make_app() -> "App[Any, Any]":
    from seqfacility_instance.wsgi import make_app

    return make_app(os.environ)
