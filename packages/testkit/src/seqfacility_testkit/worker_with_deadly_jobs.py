"""Background workers, one after the other, that some files kill, as the kernel does when memory runs out.

A file whose content begins with `deadly` is one of them; the others are examined as always. Prints how each
worker ended, and ends with the first that has nothing left to do.
"""

import os
import signal
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from seqfacility_instance.core.vocabulary.site import JobStatus
from seqfacility_instance.settings import read_settings
from seqfacility_instance.tables.sequencing import SequencingUpload
from seqfacility_instance.tables.site import BackgroundJob
from seqfacility_instance.uploads.service.completion import VERIFY_JOB
from seqfacility_instance.wiring import wire


def main() -> None:
    ended = None
    while ended != 0:
        worker = os.fork()
        if not worker:
            work()
            os._exit(0)
        ended = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
        sys.stdout.write(f"{ended}\n")


def work() -> None:
    """Do what is due; the leases of dead workers, which run out after minutes, count as over."""
    services = wire(read_settings(os.environ))
    services.database.connect()
    now = services.clock.now()
    BackgroundJob.update(leased_until=now - timedelta(seconds=1)).where(
        BackgroundJob.status == JobStatus.RUNNING
    ).execute()
    root = Path(str(services.facility.storage().data_base_path))

    def verify(payload: Mapping[str, object]) -> None:
        path = str(SequencingUpload.get_by_id(payload["uploadId"]).final_path)
        if (root / path).read_bytes().startswith(b"deadly"):
            os.kill(os.getpid(), signal.SIGKILL)
        services.worker.works[VERIFY_JOB](payload)

    replace(services.worker, works={VERIFY_JOB: verify}).tick(now)


if __name__ == "__main__":
    main()
