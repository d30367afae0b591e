"""Bring the database schema to this release.

The other commands never do it by themselves: an old schema answers 503 until somebody decides.
"""

import argparse
import os
import sys

from seqfacility_instance.cli.refusal import existing_home
from seqfacility_instance.settings import read_settings


def add_arguments(_parser: argparse.ArgumentParser) -> None: ...


def run(_arguments: argparse.Namespace) -> int:
    """Apply what is pending and name it. Decision: G262."""
    from seqfacility_instance import migrations
    from seqfacility_instance.tables.base import open_database

    settings = read_settings(os.environ)
    existing_home(settings.home)
    applied = migrations.apply(open_database(settings.database_address))
    for name in applied:
        sys.stdout.write(f"applied: {name}\n")
    sys.stdout.write(f"schema: {migrations.head()}\n")
    return 0
