"""`seqfacility registry-trust`: what was verified, and a new beginning."""

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import seqfacility_instance
from seqfacility_schemas.examples import valid_examples
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
    outdated = (
        f"SEQFACILITY_REGISTRY_ROOT: {first} holds the root that a reset has replaced; put the new one there"
    )
    assert f"warning: {outdated}\n" in reset.stdout
    assert f"warn Registry signatures: {outdated}. " in checked.stdout
    assert "ok Registry signatures: " in checked.stdout
    unusable = (
        f"{tmp_path / 'mistyped.json'} is no root of a registry that enough of its own keys have signed"
    )
    assert f"SEQFACILITY_REGISTRY_ROOT: {unusable}" in mistyped.stdout
    assert f"root: {unusable}\n" in named.stdout
    with sqlite3.connect(home / "seqfacility.db") as database:
        rows = database.execute("SELECT count(*) FROM audit_events WHERE action = 'registry-trust-reset'")
        assert rows.fetchone() == (1,)


def test_a_lost_variable_of_the_root_switches_nothing_off(
    seqfacility: Command, tmp_path: Path, monkeypatch: Any
) -> None:
    root, payload = tmp_path / "root.json", tmp_path / "package.json"
    profile = next(iter(valid_examples("registry/resolved-install-profile").values()))
    path = "install-profiles/cluster/resolve"
    with StandInRegistry() as registry:
        signed = SignedAnswers(registry)
        root.write_bytes(signed.file("root.1.json"))
        signed.publish(pipeline_documents("new-qc", "1.0.0"))
        monkeypatch.setenv("SERVICE_API_URL", registry.base_url)
        monkeypatch.setenv("SEQFACILITY_REGISTRY_ROOT", str(root))
        assert seqfacility("init").returncode == 0
        assert seqfacility("install-pipeline", "new-qc").returncode == 0

        monkeypatch.setenv("SEQFACILITY_REGISTRY_ROOT", "")
        unsigned = pipeline_documents("new-qc", "6.6.6")
        registry.answers |= {f"/api/{name}": body for name, body in unsigned.items()}
        registry.answers[f"/api/{path}"] = json.dumps({**profile, "requiredSecrets": []}).encode()
        refused = seqfacility("install-pipeline", "new-qc")
        checked = seqfacility("check-setup", "--only", "Registry")
        applied = seqfacility("init", "--profile", f"{registry.base_url}/{path}", "--yes")
        payload.write_bytes(unsigned["registry/pipelines/new-qc/6.6.6/download"])
        carried = seqfacility("install-pipeline", "new-qc", "--file", str(payload))

    assert refused.stderr == "error: Pipeline new-qc 1.0.0 is already installed\n"
    assert "warn Registry signatures: SEQFACILITY_REGISTRY_ROOT names no root; " in checked.stdout
    assert applied.returncode == 1
    assert applied.stderr == "error: The profile could not be read: the registry has no such profile\n"
    assert carried.returncode == 0, carried.stderr
    assert "warning: a file has no signature of the registry, " in carried.stdout
