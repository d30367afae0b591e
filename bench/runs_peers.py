"""The peers of the weblog: endpoints for the same events on the same gunicorn, which do less, or plainly.

    python -m runs_peers (bare | peewee) DATABASE

`bare` parses the body and inserts one row, with the driver's own connection: the limit of this server.
`peewee` is what a weblog looks like when it is written down without further thought: five statements of an
object-relational mapper in one transaction. Neither checks a token, nor knows of tasks, steps or outputs.
DATABASE is the path of an SQLite file or a `postgresql://` URL. Both are as durable as the service.
"""

import json
import sqlite3
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import peewee
from falcon import App, Request, Response
from playhouse.postgres_ext import PooledPsycopg3Database
from seqfacility_instance.web_server import WebServer

WORKERS = 2
BUSY_SECONDS = 15
KEPT = 100
WINDOW_MS = 2000


class Bare:
    """One row for each event."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._own = threading.local()

    def on_post(self, req: Request, resp: Response) -> None:
        """Insert one row."""
        event = json.loads(req.bounded_stream.read())
        row = (req.get_param("runId"), event["event"], now_ms(), json.dumps(event))
        if self._address.startswith("postgresql:"):
            line = self._connection()
            line.execute("INSERT INTO bare (run, name, occurred_at, payload) VALUES (%s, %s, %s, %s)", row)
        else:
            self._connection().execute(
                "INSERT INTO bare (run, name, occurred_at, payload) VALUES (?, ?, ?, ?)", row
            )
        resp.media = {"success": True}

    def _connection(self) -> Any:
        """Return this thread's connection; each statement is a transaction of its own."""
        line = getattr(self._own, "line", None)
        if line is None:
            line = self._own.line = self._connect()
        return line

    def _connect(self) -> Any:
        if self._address.startswith("postgresql:"):
            import psycopg

            return psycopg.connect(self._address, autocommit=True)
        line = sqlite3.connect(self._address, timeout=BUSY_SECONDS, isolation_level=None)
        line.execute("PRAGMA synchronous=FULL")
        return line


database = peewee.DatabaseProxy()


class PeerRun(peewee.Model):
    """A run as far as an event changes it."""

    id = peewee.CharField(primary_key=True)
    status = peewee.CharField(default="running")
    current_step = peewee.TextField(null=True)
    last_event_at = peewee.BigIntegerField(null=True)

    class Meta:
        """Where its rows are."""

        database = database


class PeerEvent(peewee.Model):
    """An event of a run."""

    run = peewee.ForeignKeyField(PeerRun)
    name = peewee.CharField()
    identity = peewee.TextField()
    occurred_at = peewee.BigIntegerField()
    payload = peewee.TextField()

    class Meta:
        """The same indexes as the service has."""

        database = database
        indexes = ((("run", "identity", "occurred_at"), False), (("run", "occurred_at"), False))


class InFiveStatements:
    """Read the run, look for a duplicate, insert, delete what is too old, save the run."""

    def on_post(self, req: Request, resp: Response) -> None:
        """Store an event as Peewee's manual would."""
        event = json.loads(req.bounded_stream.read())
        occurred_at = int(datetime.fromisoformat(event["utcTime"]).astimezone(UTC).timestamp() * 1000)
        identity = json.dumps({key: event[key] for key in event if key != "utcTime"}, sort_keys=True)
        with database.connection_context(), database.atomic():
            run = PeerRun.get_by_id(req.get_param("runId"))
            near = PeerEvent.occurred_at.between(occurred_at - WINDOW_MS, occurred_at + WINDOW_MS)
            same = (PeerEvent.run == run) & (PeerEvent.identity == identity) & near
            if not PeerEvent.select().where(same).exists():
                PeerEvent.create(
                    run=run,
                    name=event["event"],
                    identity=identity,
                    occurred_at=occurred_at,
                    payload=json.dumps(event),
                )
                newest = (
                    PeerEvent.select(PeerEvent.id)
                    .where(PeerEvent.run == run)
                    .order_by(PeerEvent.occurred_at.desc(), PeerEvent.id.desc())
                    .limit(KEPT)
                )
                PeerEvent.delete().where((PeerEvent.run == run) & PeerEvent.id.not_in(newest)).execute()
                run.current_step, run.last_event_at = event["trace"]["process"], now_ms()
                run.save()
        resp.media = {"success": True}


def prepare(address: str, run_ids: list[str]) -> None:
    """Make the tables of both peers."""
    database.initialize(open_plainly(address))
    key = "SERIAL PRIMARY KEY" if address.startswith("postgresql:") else "INTEGER PRIMARY KEY"
    with database.connection_context():
        database.create_tables([PeerRun, PeerEvent])
        database.execute_sql(
            f"CREATE TABLE bare (id {key}, run TEXT, name TEXT, occurred_at BIGINT, payload TEXT)"
        )
        database.execute_sql("CREATE INDEX bare_of_run ON bare (run, occurred_at)")
        PeerRun.insert_many([{"id": run_id} for run_id in run_ids]).execute()


def kept_at_most(address: str) -> int:
    """Return the length of the longest feed of the peer that prunes."""
    database.initialize(open_plainly(address))
    with database.connection_context():
        counts = PeerEvent.select(peewee.fn.COUNT(PeerEvent.id)).group_by(PeerEvent.run).tuples()
        return max(count for (count,) in counts)


def open_plainly(address: str) -> peewee.Database:
    """Open a database with nothing of the service's but its durability, and without deferred begins."""
    if address.startswith("postgresql:"):
        return PooledPsycopg3Database(address, max_connections=20, timeout=BUSY_SECONDS)
    pragmas = {"journal_mode": "wal", "synchronous": "full"}
    return peewee.SqliteDatabase(address, pragmas=pragmas, timeout=BUSY_SECONDS, lock_type="IMMEDIATE")


def now_ms() -> int:
    """Return the present in milliseconds."""
    return time.time_ns() // 1_000_000


def make_app(kind: str, address: str) -> App[Request, Response]:
    """Make the application of one worker."""
    app = App()
    if kind == "peewee":
        database.initialize(open_plainly(address))
    app.add_route("/api/pipelines/weblog", Bare(address) if kind == "bare" else InFiveStatements())
    return app


if __name__ == "__main__":
    wanted, where = sys.argv[1:]
    assert where.startswith("postgresql:") or Path(where).exists()
    WebServer(lambda: make_app(wanted, where), "127.0.0.1:0", WORKERS).run()
