"""A private one-node Slurm cluster on the loopback interface, for tests against the real thing."""

import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from seqfacility_testkit.slurm_accounting import CONTROLLER_LINES, start_accounting
from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until

PACKAGES = "slurm-wlm munge"

_NAME, _SIBLING_NAME = "seqfacilitytest", "seqfacilitysibling"

_CONFIGURATION = """\
ClusterName={name}
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={root}/run/munge.sock
StateSaveLocation={root}/state
SlurmdSpoolDir={root}/spool
SlurmctldPidFile={root}/run/slurmctld.pid
SlurmdPidFile={root}/run/slurmd.pid
SlurmctldLogFile={root}/log/slurmctld.log
SlurmdLogFile={root}/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0,bf_interval=1
MinJobAge={remembered_seconds}
MessageTimeout=5
ReturnToService=2
KillWait=15
{accounting}
JobCompType=jobcomp/none
CommunicationParameters=NoAddrCache,NoCtldInAddrAny,NoInAddrAny
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=16 Boards=1 SocketsPerBoard=1 CoresPerSocket=16 \
ThreadsPerCore=1 RealMemory=8000 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


@dataclass(frozen=True, slots=True)
class PrivateSlurm:
    """A running cluster; clients find it by `SLURM_CONF`, the path in `configuration`."""

    root: Path

    @property
    def configuration(self) -> Path:
        """The file that `SLURM_CONF` has to name."""
        return self.root / "slurm.conf"

    def pause_controller(self) -> None:
        """Freeze the controller: it neither answers nor refuses."""
        os.kill(self._pid("slurmctld"), signal.SIGSTOP)

    def resume_controller(self) -> None:
        """Let a frozen controller go on."""
        os.kill(self._pid("slurmctld"), signal.SIGCONT)

    def stop_controller(self) -> None:
        """End the controller as for an upgrade: it refuses until `start_controller`, and jobs run on."""
        self._end("slurmctld")

    def start_controller(self, *, is_forgetful: bool = False) -> None:
        """Start the controller again; a forgetful one has lost every job that it knew."""
        forget = ["-c"] if is_forgetful else []
        log = str(self.root / "log" / "slurmctld.log")
        _launch(self, ["slurmctld", *forget, "-f", str(self.configuration), "-L", log])
        wait_until(lambda: self.ask("sinfo", "-h", "-o", "%T") != "", "the controller answers again")

    def kill_steps(self) -> None:
        """Kill the keepers of all running jobs, so that nobody reports how these end."""
        for pid in _keepers(self.root):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def drain_node(self) -> None:
        """Let the node take no new job."""
        self.ask("scontrol", "update", f"NodeName={_host()}", "State=DRAIN", "Reason=test")

    def resume_node(self) -> None:
        """Let the node take jobs again."""
        self.ask("scontrol", "update", f"NodeName={_host()}", "State=RESUME")

    def fail_node(self) -> None:
        """Declare the node broken, with what runs on it."""
        self.ask("scontrol", "update", f"NodeName={_host()}", "State=DOWN", "Reason=test")

    def let_time_run_out(self, number: str) -> None:
        """Bring the end of a running job's time to now; the controller looks every 30 seconds."""
        self.ask("scontrol", "update", f"JobId={number}", "EndTime=now")

    def ask(self, *words: str) -> str:
        """Run one of Slurm's commands against this cluster and give what it prints."""
        environment = os.environ | {"SLURM_CONF": str(self.configuration)}
        done = subprocess.run(
            words, env=environment, capture_output=True, text=True, check=False, timeout=DEADLINE_SECONDS
        )
        return done.stdout.strip()

    def stop(self) -> None:
        """End the daemons, and them only; those that the others still need go last."""
        for names in (("slurmd", "slurmctld"), ("slurmdbd",), ("mariadbd", "munged")):
            self._end(*names)

    def logs(self) -> str:
        """Join the daemons' logs, for the report of a failed test."""
        return "\n".join(path.read_text(errors="replace") for path in sorted((self.root / "log").iterdir()))

    def _end(self, *names: str) -> None:
        pids = []
        for name in names:
            with suppress(OSError, ValueError):
                pid = self._pid(name)
                os.kill(pid, signal.SIGCONT)
                os.kill(pid, signal.SIGTERM)
                pids.append(pid)
        for pid in pids:
            # WHY: a controller whose sibling is silent may wait for it and not hear the signal.
            with suppress(AssertionError):
                wait_until(partial(_has_ended, pid), f"daemon {pid} has ended", 20.0)
                continue
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            wait_until(partial(_has_ended, pid), f"daemon {pid} has ended")

    def _pid(self, name: str) -> int:
        return int((self.root / "run" / f"{name}.pid").read_text())


def missing_slurm() -> str | None:
    """Return which Debian packages a test against a real Slurm lacks; None when it can run."""
    found = all(shutil.which(name) for name in ("sbatch", "slurmctld", "slurmd", "munged"))
    return None if found else f"needs the packages {PACKAGES}"


@contextmanager
def private_slurm(
    root: Path, remembered_seconds: int = 3600, *, has_accounting: bool = False
) -> Iterator[PrivateSlurm]:
    """Run a cluster under `root` until the block ends; it forgets ended jobs after `remembered_seconds`.

    With `has_accounting` there is an accounting that does not forget; see `missing_accounting`.
    """
    cluster = PrivateSlurm(root)
    ports = _free_ports(4)
    accounting = "AccountingStorageType=accounting_storage/none"
    if has_accounting:
        accounting = CONTROLLER_LINES.format(root=root, port=ports[2])
    _write_files(cluster, remembered_seconds, ports, accounting)
    try:
        _start_munge(cluster)
        if has_accounting:
            start_accounting(root, _host(), _user(), ports[2], ports[3])
        _start(cluster)
        wait_until(lambda: cluster.ask("sinfo", "-h", "-o", "%T") == "idle", "the node is idle")
        yield cluster
    finally:
        cluster.stop()


@contextmanager
def sibling_slurm(first: PrivateSlurm, root: Path) -> Iterator[PrivateSlurm]:
    """Run a second cluster in a federation with the first one, which has to have an accounting."""
    cluster, ports = PrivateSlurm(root), _free_ports(2)
    for name in ("state", "spool", "log", "run"):
        (root / name).mkdir(mode=0o755, parents=True)
    text = first.configuration.read_text().replace(f"{first.root}/", f"{root}/")
    for pattern, value in (
        ("(?<=ClusterName=).*", _SIBLING_NAME),
        ("(?<=SlurmctldPort=).*", str(ports[0])),
        ("(?<=SlurmdPort=).*", str(ports[1])),
        (f"{root}(?=/run/munge.sock)", str(first.root)),
    ):
        text = re.sub(pattern, value, text)
    cluster.configuration.write_text(text)
    first.ask("sacctmgr", "--immediate", "add", "cluster", _SIBLING_NAME)
    try:
        _start(cluster)
        members = f"clusters={_NAME},{_SIBLING_NAME}"
        first.ask("sacctmgr", "--immediate", "add", "federation", "both", members)
        federation = ("scontrol", "show", "federation")
        wait_until(lambda: "Synced:Yes" in first.ask(*federation), "both are federated", 120.0)
        wait_until(lambda: cluster.ask("sinfo", "-h", "-o", "%T") == "idle", "the node is idle", 120.0)
        yield cluster
    finally:
        cluster.stop()


def _write_files(
    cluster: PrivateSlurm, remembered_seconds: int, ports: Sequence[int], accounting: str
) -> None:
    for name in ("state", "spool", "log", "run"):
        (cluster.root / name).mkdir(mode=0o755, parents=True)
    key = cluster.root / "munge.key"
    key.touch(mode=0o600)
    key.write_bytes(secrets.token_bytes(1024))
    cluster.configuration.write_text(
        _CONFIGURATION.format(
            name=_NAME,
            host=_host(),
            user=_user(),
            root=cluster.root,
            controller_port=ports[0],
            node_port=ports[1],
            remembered_seconds=remembered_seconds,
            accounting=accounting,
        )
    )


def _start_munge(cluster: PrivateSlurm) -> None:
    run, log = cluster.root / "run", cluster.root / "log"
    munge = ["munged", "--force", f"--socket={run}/munge.sock", f"--key-file={cluster.root}/munge.key"]
    munge += [f"--pid-file={run}/munged.pid", f"--log-file={log}/munged.log", f"--seed-file={run}/munge.seed"]
    _launch(cluster, munge)


def _start(cluster: PrivateSlurm) -> None:
    configuration, log = str(cluster.configuration), cluster.root / "log"
    commands = (
        ["slurmctld", "-c", "-f", configuration, "-L", f"{log}/slurmctld.log"],
        ["slurmd", "-c", "-f", configuration, "-N", _host(), "-L", f"{log}/slurmd.log"],
    )
    for command in commands:
        _launch(cluster, command)


def _launch(cluster: PrivateSlurm, command: list[str]) -> None:
    """Start a daemon, which keeps what it inherits and so must not get a pipe of ours."""
    environment = os.environ | {"SLURM_CONF": str(cluster.configuration)}
    with (cluster.root / "log" / "start.log").open("ab") as output:
        subprocess.run(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output, check=True
        )


def _keepers(root: Path) -> list[int]:
    """Find the processes of a cluster that each stand above one job; they work where the node's log is."""
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            is_keeper = process.name.isdigit() and (process / "cmdline").read_bytes().startswith(
                b"slurmstepd:"
            )
            if is_keeper and (process / "cwd").readlink().is_relative_to(root):
                found.append(int(process.name))
    return found


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [int(one.getsockname()[1]) for one in sockets]


def _has_ended(pid: int) -> bool:
    return not Path(f"/proc/{pid}").exists()


def _host() -> str:
    return socket.gethostname().split(".")[0]


def _user() -> str:
    return pwd.getpwuid(os.getuid()).pw_name
