"""`seqfacility registry-trust`: what was verified, and a new beginning."""

import hashlib
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import seqfacility_instance
from seqfacility_testkit.lying_mirror import SignedAnswers, pipeline_documents
from seqfacility_testkit.registry import StandInRegistry

Command = Callable[..., Any]


def test_a_root_that_a_build_ships_is_pinned_unless_the_environment_names_another(
    seqfacility: Command, tmp_path: Path, monkeypatch: Any
) -> None:
    built = tmp_path / "seqfacility_instance"
    built.mkdir()
    for source in Path(seqfacility_instance.__file__).parent.iterdir():
        (built / source.name).symlink_to(source)
    with StandInRegistry() as registry, StandInRegistry() as another:
        signed, other = SignedAnswers(registry), tmp_path / "other.json"
        signed.publish(pipeline_documents("new-qc", "1.0.0"))
        (built / "registry_root.json").write_bytes(signed.file("root.1.json"))
        other.write_bytes(SignedAnswers(another).file("root.1.json"))
        monkeypatch.setenv("SERVICE_API_URL", registry.base_url)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        assert seqfacility("init").returncode == 0

        shown = seqfacility("registry-trust", "show")
        checked = seqfacility("check-setup", "--only", "Registry")
        monkeypatch.setenv("SEQFACILITY_REGISTRY_ROOT", str(other))
        named = seqfacility("registry-trust", "show")

    assert "trust: required\n" in shown.stdout
    assert f"root: {built / 'registry_root.json'}, SHA-256 " in shown.stdout
    assert "ok Registry signatures: " in checked.stdout
    assert f"root: {other}, SHA-256 " in named.stdout


def test_the_signers_of_a_registry_are_shown_refused_and_replaced(
    seqfacility: Command, home: Path, tmp_path: Path, monkeypatch: Any
) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    with StandInRegistry() as registry, StandInRegistry() as other:
        signed, replaced = SignedAnswers(registry), SignedAnswers(other)
        first.write_bytes(signed.file("root.1.json"))
        second.write_bytes(replaced.file("root.1.json"))
        signed.publish(pipeline_documents("new-qc", "1.0.0"))
        replaced.publish(pipeline_documents("new-qc", "1.1.0"))
        monkeypatch.setenv("SERVICE_API_URL", registry.base_url)
        monkeypatch.setenv("SEQFACILITY_REGISTRY_ROOT", str(first))
        assert seqfacility("init").returncode == 0

        before = seqfacility("registry-trust", "show")
        installed = seqfacility("install-pipeline", "new-qc")
        shown = seqfacility("registry-trust", "show")
        registry.answers = other.answers
        refused = seqfacility("install-pipeline", "new-qc")
        kept = seqfacility("registry-trust", "show")
        no_root = seqfacility("registry-trust", "reset", "--root", str(home / "secret.key"))
        reset = seqfacility("registry-trust", "reset", "--root", str(second))
        again = seqfacility("install-pipeline", "new-qc")
        checked = seqfacility("check-setup", "--only", "Registry")
        monkeypatch.setenv("SEQFACILITY_REGISTRY_ROOT", str(tmp_path / "mistyped.json"))
        mistyped = seqfacility("check-setup", "--only", "Registry")
        named = seqfacility("registry-trust", "show")

    assert before.stdout.splitlines() == [
        f"registry: {registry.base_url}",
        "trust: required",
        f"root: {first}, SHA-256 {hashlib.sha256(first.read_bytes()).hexdigest()}",
    ]
    assert installed.returncode == 0, installed.stderr
    keys = ", ".join(sorted(key.public_key.keyid[:16] for key in signed.root_keys[:2]))
    assert f"  root 1: until {signed.root.expires:%Y-%m-%d}, signed by {keys} (2 needed)\n" in shown.stdout
    assert f"  targets 1: until {signed.now:%Y}"[:20] in shown.stdout
    assert "3 documents, signed by " in shown.stdout
    assert refused.returncode == 1
    assert refused.stderr.startswith("error: Registry signature is not valid; ")
    assert f"{registry.base_url}/trust/timestamp.json: " in refused.stderr
    assert ": Registry signature is not valid; " in kept.stdout.splitlines()[-1]
    assert no_root.stderr.startswith(f"error: {home / 'secret.key'} is no root of a registry")
    assert reset.returncode == 0, reset.stderr
    assert again.returncode == 0, again.stderr
    assert f"{registry.base_url}: begun anew\n" in reset.stdout
    assert "ok Registry signatures: " in checked.stdout
    unusable = (
        f"{tmp_path / 'mistyped.json'} is no root of a registry that enough of its own keys have signed"
    )
    assert f"SEQFACILITY_REGISTRY_ROOT: {unusable}" in mistyped.stdout
    assert f"root: {unusable}\n" in named.stdout
    with sqlite3.connect(home / "seqfacility.db") as database:
        rows = database.execute("SELECT count(*) FROM audit_events WHERE action = 'registry-trust-reset'")
        assert rows.fetchone() == (1,)
