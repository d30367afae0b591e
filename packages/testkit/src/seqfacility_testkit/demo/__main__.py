"""Carry a real order from submission to delivery on embedded defaults, and show every step."""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from seqfacility_testkit.demo.browser import Browser
from seqfacility_testkit.demo.narration import Narrator
from seqfacility_testkit.demo.reads import own_reads, simulated_reads
from seqfacility_testkit.demo.stage import (
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    RESEARCHER_EMAIL,
    RESEARCHER_PASSWORD,
    Stage,
)
from seqfacility_testkit.demo.story import Story
from seqfacility_testkit.processes import Processes


def main() -> int:
    parser = argparse.ArgumentParser(prog="demo", description=__doc__)
    parser.add_argument(
        "--reads", nargs="+", metavar="FASTQ", help="your own pairs of files, R1 R2 [R1 R2 ...]"
    )
    parser.add_argument("--folder", type=Path, help="an empty or new folder for everything")
    parser.add_argument(
        "--registry-site", type=Path, required=True, help="the folder of the registry distribution"
    )
    parser.add_argument("--serve", action="store_true", help="open the services without telling the story")
    parser.add_argument(
        "--pages-from", type=Path, metavar="FOLDER", help="serve the pages from their sources as well"
    )
    arguments = parser.parse_args()
    folder = (arguments.folder or Path(f"seqfacility-demo/{datetime.now():%Y%m%d-%H%M%S}")).resolve()  # noqa: DTZ005  # a name for people
    folder.mkdir(parents=True)
    narrator = Narrator()
    processes = Processes(folder / "logs")
    stage = Stage(folder, processes)
    try:
        _open(stage, narrator)
        if not arguments.serve:
            _narrate(stage, narrator, arguments)
        _close_with(stage, narrator)
        if narrator.is_watched or arguments.serve:
            with _pages_from(arguments.pages_from, stage, narrator):
                _serve_until_interrupted(narrator)
    except BaseException:
        sys.stderr.write(f"the logs of every process lie in {folder / 'logs'}\n")
        raise
    finally:
        processes.stop_all()
    return 0


def _open(stage: Stage, narrator: Narrator) -> None:
    narrator.scene("The services open")
    narrator.step(f"public registry at {stage.open_registry()}")
    stage.make_instance()
    narrator.step(f"installation made in {stage.home}, with an admin and a researcher")
    narrator.step(f"instance at {stage.open_instance()}, with its monitor and worker")


def _narrate(stage: Stage, narrator: Narrator, arguments: argparse.Namespace) -> None:
    narrator.scene("The sequencer runs")
    if arguments.reads:
        mates = own_reads(arguments.reads)
        narrator.step(f"takes {len(mates)} pair(s) of your own files")
    else:
        mates = simulated_reads(stage.folder / "sequencer", arguments.registry_site.resolve(), narrator)
    researcher = Browser(stage.instance, RESEARCHER_EMAIL, RESEARCHER_PASSWORD)
    admin = Browser(stage.instance, ADMIN_EMAIL, ADMIN_PASSWORD)
    Story(researcher, admin, narrator, stage.folder).tell(mates)


def _close_with(stage: Stage, narrator: Narrator) -> None:
    narrator.scene("Where everything lies")
    for line in (
        f"everything   {stage.folder}",
        f"state        {stage.home}",
        f"registry     {stage.registry}",
        f"API          {stage.instance}/api/docs",
    ):
        narrator.console.print(f"  {line}", markup=False)
    narrator.scene("Open it")
    for line in (
        f"page         {stage.instance}",
        f"researcher   {RESEARCHER_EMAIL}, password {RESEARCHER_PASSWORD}",
        f"admin        {ADMIN_EMAIL}, password {ADMIN_PASSWORD}",
    ):
        narrator.console.print(f"  {line}", markup=False)


@contextmanager
def _pages_from(sources: Path | None, stage: Stage, narrator: Narrator) -> Iterator[None]:
    """Serve the pages from their sources, which Vite reloads when they change; the API is handed on."""
    if sources is None:
        yield
        return
    vite = subprocess.Popen(
        ["node", "node_modules/vite/bin/vite.js", "--clearScreen", "false"],
        cwd=sources,
        env={**os.environ, "SEQFACILITY_URL": stage.instance},
    )
    narrator.step(f"pages come from {sources}, at the address that Vite prints")
    try:
        yield
    finally:
        vite.terminate()
        vite.wait()


def _serve_until_interrupted(narrator: Narrator) -> None:
    narrator.console.print("\nServing until Ctrl-C.")
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        narrator.console.print("Closed.")


if __name__ == "__main__":
    sys.exit(main())
