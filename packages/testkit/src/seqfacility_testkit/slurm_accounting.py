"""The accounting of a private Slurm cluster: slurmdbd over a MariaDB of its own, on 127.0.0.1 only."""

import os
import shutil
import subprocess
from pathlib import Path

from seqfacility_testkit.waiting import wait_until

PACKAGES = "slurmdbd mariadb-server"

_DAEMON = """\
AuthType=auth/munge
AuthInfo={root}/run/munge.sock
DbdHost={host}
DbdAddr=127.0.0.1
DbdPort={port}
SlurmUser={user}
LogFile={root}/log/slurmdbd.log
PidFile={root}/run/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={database_port}
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm_acct_db
CommunicationParameters=NoInAddrAny
"""

# With a munge socket of one's own the clients take its path from AccountingStoragePass.
CONTROLLER_LINES = """\
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={port}
AccountingStorageUser=slurm
AccountingStoragePass={root}/run/munge.sock
"""

_ACCOUNTS = """\
CREATE DATABASE slurm_acct_db;
CREATE USER 'slurm'@'127.0.0.1' IDENTIFIED BY 'slurm';
CREATE USER 'slurm'@'localhost' IDENTIFIED BY 'slurm';
GRANT ALL ON slurm_acct_db.* TO 'slurm'@'127.0.0.1';
GRANT ALL ON slurm_acct_db.* TO 'slurm'@'localhost';
"""


def missing_accounting() -> str | None:
    """Return which Debian packages a test with accounting lacks; None when it can run."""
    programs = ("slurmdbd", "mariadbd", "mariadb-install-db", "sacctmgr")
    return None if all(shutil.which(name) for name in programs) else f"needs the packages {PACKAGES}"


def start_accounting(root: Path, host: str, user: str, port: int, database_port: int) -> None:
    """Bring up the database and the daemon before it, and make the cluster known to it."""
    _start_database(root, user, database_port)
    configuration = root / "slurmdbd.conf"
    configuration.touch(mode=0o600)
    configuration.write_text(
        _DAEMON.format(root=root, host=host, user=user, port=port, database_port=database_port)
    )
    environment = os.environ | {"SLURM_CONF": str(root / "slurm.conf")}
    with (root / "log" / "start.log").open("ab") as output:
        subprocess.run(["slurmdbd"], env=environment, stdout=output, stderr=output, check=True)

        def answers(*words: str) -> bool:
            command = ["timeout", "20", "sacctmgr", "--noheader", "--immediate", *words]
            done = subprocess.run(command, env=environment, stdout=output, stderr=output, check=False)
            return done.returncode == 0

        wait_until(lambda: answers("list", "cluster"), "the accounting answers")
        wait_until(lambda: answers("add", "cluster", "seqfacilitytest"), "the cluster is known")


def _start_database(root: Path, user: str, port: int) -> None:
    data, socket = root / "accounts", root / "run" / "database.sock"
    common = ["--no-defaults", f"--datadir={data}", f"--user={user}"]
    with (root / "log" / "database.log").open("ab") as output:
        make = ["mariadb-install-db", *common, "--auth-root-authentication-method=normal", "--skip-test-db"]
        subprocess.run(make, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=True)
        words = ["mariadbd", *common, f"--socket={socket}", f"--port={port}", "--bind-address=127.0.0.1"]
        words += [f"--pid-file={root}/run/mariadbd.pid", "--skip-log-bin"]
        words += ["--innodb-buffer-pool-size=64M", "--innodb-log-file-size=16M"]
        words += ["--innodb-lock-wait-timeout=900", "--innodb-flush-log-at-trx-commit=0"]
        # `setsid --fork` leaves no child of ours, as the other daemons leave none.
        subprocess.run(
            ["setsid", "--fork", *words], stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=True
        )

        def takes(text: str) -> bool:
            command = ["mariadb", "--no-defaults", "--user=root", f"--socket={socket}"]
            done = subprocess.run(command, input=text.encode(), stdout=output, stderr=output, check=False)
            return done.returncode == 0

        wait_until(lambda: takes("SELECT 1;"), "the database answers")
        wait_until(lambda: takes(_ACCOUNTS), "the accounts are made")
