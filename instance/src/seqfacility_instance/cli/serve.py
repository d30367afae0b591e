"""Run the web processes only.

They share nothing but the database and the disk with the monitors and the worker; `seqfacility up` runs all.
"""

import argparse
import gc
import os
from functools import partial

from seqfacility_instance.cli.installation import check_before_serving
from seqfacility_instance.cli.observing import add_web_arguments, free_address, start_observing
from seqfacility_instance.cli.refusal import check_database_file
from seqfacility_instance.settings import read_settings


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_web_arguments(parser)


def run(arguments: argparse.Namespace) -> int:
    """Serve until told to stop. Decision: G262, G263."""
    settings = read_settings(os.environ)
    metrics_bind = start_observing(arguments)
    check_database_file(settings)
    check_before_serving(settings)
    # WHY: what is imported before the fork is there once for all workers, in time and, as long as no garbage
    # collector writes in it, in memory.
    gc.disable()
    from seqfacility_instance.web_server import WebServer
    from seqfacility_instance.wsgi import make_app

    gc.freeze()
    gc.enable()
    bind, workers = free_address(arguments.bind), max(1, arguments.workers)
    WebServer(partial(make_app, os.environ), bind, workers, metrics_bind, settings.trusted_proxies).run()
    return 0
