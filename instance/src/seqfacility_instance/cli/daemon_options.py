"""The options that every daemon has."""

import argparse


def add_daemon_arguments(parser: argparse.ArgumentParser, *, has_interval: bool) -> None:
    """Add the options that daemons share. Gap: G262."""
    parser.add_argument("--once", action="store_true", help="work until nothing is left to do now, then end")
    if has_interval:
        parser.add_argument("--interval", type=float, metavar="S", help="seconds between two looks")
