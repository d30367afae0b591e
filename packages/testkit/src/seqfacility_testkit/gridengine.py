"""A private one-node Grid Engine cluster in a network of its own, for tests against the real thing."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from seqfacility_testkit.waiting import DEADLINE_SECONDS, wait_until

PACKAGES = "gridengine-master gridengine-exec gridengine-client iproute2"

_PROGRAMS = Path("/usr/lib/gridengine")
_SHARED = Path("/usr/share/gridengine")
_COMMANDS = ("qsub", "qstat", "qdel", "qacct", "qconf", "qmod", "qalter")

_BOOTSTRAP = """\
admin_user              root
default_domain          none
ignore_fqdn             true
spooling_method         classic
spooling_lib            libspoolc
spooling_params         {spool}
binary_path             /usr/sbin
qmaster_spool_dir       {root}/qmaster
security_mode           none
listener_threads        2
worker_threads          2
scheduler_threads       1
"""

_CONFIGURATION = {"min_uid": "0", "min_gid": "0"}
_SCHEDULER = {"schedule_interval": "0:0:1", "flush_submit_sec": "1", "flush_finish_sec": "1"}
_QUEUE = {
    "qname": "main.q", "hostlist": "localhost", "slots": "16", "pe_list": "smp", "load_thresholds": "NONE",
    "notify": "00:00:30",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class PrivateGridEngine:
    """A running cluster; clients find it by the variables of `environment`, where `commands` is in PATH.

    WHY a network of its own: the daemons listen on every interface and let everybody who reaches them start
    jobs as anybody. In an empty network there is only loopback, which the commands here enter. There the
    machine is called `localhost`: the daemons need a name that resolves, and not every machine's own does.
    """

    root: Path
    _daemons: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict, compare=False)

    @property
    def commands(self) -> Path:
        """The folder of the client's commands."""
        return self.root / "bin"

    @property
    def environment(self) -> dict[str, str]:
        """Which cluster the commands shall talk to."""
        ports = {"SGE_QMASTER_PORT": "6444", "SGE_EXECD_PORT": "6445"}
        return {"SGE_ROOT": str(self.root), "SGE_CELL": "test", **ports}

    def pause_controller(self) -> None:
        """Freeze the controller: it neither answers nor refuses."""
        os.kill(self._pid("sge_qmaster"), signal.SIGSTOP)

    def resume_controller(self) -> None:
        """Let a frozen controller go on."""
        os.kill(self._pid("sge_qmaster"), signal.SIGCONT)

    def ask(self, *words: str) -> str:
        """Run one of the commands against this cluster and give what it prints."""
        done = subprocess.run(
            [str(self.commands / words[0]), *words[1:]],
            env=os.environ | self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=DEADLINE_SECONDS,
        )
        return done.stdout.strip()

    def stop(self) -> None:
        """End the daemons, and them only."""
        for process in reversed(self._daemons.values()):
            process.send_signal(signal.SIGCONT)
            process.terminate()
            process.wait(DEADLINE_SECONDS)

    def start(self, *words: str) -> None:
        """Start a daemon in the network of the cluster, or without any make that network."""
        name = Path(words[0]).name if words else "network"
        way = self._entered(*words) if words else ["unshare", "--net", "--uts", "sleep", "infinity"]
        with (self.root / "daemons.log").open("ab") as log:
            self._daemons[name] = subprocess.Popen(
                way,
                env={"PATH": os.environ["PATH"], **self.environment, "SGE_ND": "true"},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def run(self, *words: str) -> None:
        """Run a command of the set-up in the network of the cluster."""
        environment = os.environ | self.environment
        subprocess.run(self._entered(*words), env=environment, check=True, capture_output=True)

    def is_apart(self) -> bool:
        """Return whether the network of the cluster is made."""
        own = Path("/proc/self/ns/net").readlink()
        return Path(f"/proc/{self._pid('network')}/ns/net").readlink() != own

    def write_commands(self) -> None:
        """Write the client's commands, each of which enters the network first."""
        self.commands.mkdir()
        for name in _COMMANDS:
            command = self.commands / name
            entered = " ".join(self._entered(f"/usr/bin/{name}"))
            command.write_text(f'#!/bin/sh\nexec {entered} "$@"\n')
            command.chmod(0o755)

    def _entered(self, *words: str) -> list[str]:
        spaces = f"/proc/{self._pid('network')}/ns"
        return ["nsenter", f"--net={spaces}/net", f"--uts={spaces}/uts", "--", *words]

    def _pid(self, name: str) -> int:
        return self._daemons[name].pid


def missing_gridengine() -> str | None:
    """Return what a test against a real Grid Engine lacks; None when it can run."""
    if not all(
        shutil.which(name) for name in ("sge_qmaster", "sge_execd", "qsub", "ip", "nsenter", "unshare")
    ):
        return f"needs the packages {PACKAGES}"
    if os.geteuid() != 0:
        return "needs root: jobs of Grid Engine are started by root, and networks made by it"
    return None


@contextmanager
def private_gridengine(root: Path) -> Iterator[PrivateGridEngine]:
    """Run a cluster under `root` until the block ends."""
    cluster = PrivateGridEngine(root)
    try:
        cluster.start()
        wait_until(cluster.is_apart, "the network is there")
        cluster.run("ip", "link", "set", "lo", "up")
        cluster.run("hostname", "localhost")
        cluster.write_commands()
        _make_cell(cluster)
        cluster.start(str(_PROGRAMS / "sge_qmaster"))
        wait_until(lambda: cluster.ask("qconf", "-sh") == "localhost", "the controller answers")
        _make_queue(cluster)
        cluster.start(str(_PROGRAMS / "sge_execd"))
        wait_until(lambda: _is_ready(cluster.ask("qstat", "-f")), "the node is ready")
        yield cluster
    finally:
        cluster.stop()


def _is_ready(listing: str) -> bool:
    return any(line.split()[-1:] == ["lx-amd64"] for line in listing.splitlines() if "main.q" in line)


def _make_cell(cluster: PrivateGridEngine) -> None:
    root, common = cluster.root, cluster.root / "test" / "common"
    for folder in (common, root / "qmaster" / "job_scripts", root / "execd", root / "util"):
        folder.mkdir(parents=True)
    (root / "util" / "arch").symlink_to(_SHARED / "util" / "arch")
    spool = f"{common};{root}/qmaster"
    (common / "bootstrap").write_text(_BOOTSTRAP.format(spool=spool, root=root))
    (common / "act_qmaster").write_text("localhost\n")
    shipped = (_SHARED / "default-configuration").read_text()
    configuration = _changed(shipped, {**_CONFIGURATION, "execd_spool_dir": f"{root}/execd"})
    (root / "configuration").write_text(configuration.replace("flush_time=00:00:15", "flush_time=00:00:00"))
    resources = _SHARED / "util" / "resources"
    cluster.run(str(_PROGRAMS / "spoolinit"), "classic", "libspoolc", spool, "init")
    for words in (
        ("configuration", str(root / "configuration")),
        ("complexes", str(resources / "centry")),
        ("usersets", str(resources / "usersets")),
        ("managers", "root"),
        ("adminhosts", "localhost"),
    ):
        cluster.run(str(_PROGRAMS / "spooldefaults"), *words)


def _make_queue(cluster: PrivateGridEngine) -> None:
    cluster.ask("qconf", "-as", "localhost")
    smp = (_SHARED / "util" / "resources" / "pe" / "smp").read_text()
    for command, text, values in (
        ("-Msconf", cluster.ask("qconf", "-ssconf"), _SCHEDULER),
        ("-Ap", smp, {"slots": "16"}),
        ("-Aq", cluster.ask("qconf", "-sq"), _QUEUE),
    ):
        file = cluster.root / "changed"
        file.write_text(_changed(text, values))
        cluster.ask("qconf", command, str(file))


def _changed(text: str, values: dict[str, str]) -> str:
    """Give each of the named lines another value."""
    lines = (line.split(maxsplit=1) for line in text.splitlines() if line.strip() and line[0] != "#")
    return "".join(f"{name} {values.get(name, rest)}\n" for name, rest in lines)
