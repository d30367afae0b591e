"""Install profiles on their way from a registry into a new installation."""

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import requests
from seqfacility_schemas import problems
from seqfacility_testkit.processes import whole_environment


def fetched(url: str, schema: str) -> dict[str, Any]:
    document: dict[str, Any] = requests.get(url, timeout=60).json()
    assert problems(schema, document) == [], url
    return document


def test_the_command_that_a_registry_prints_makes_an_installation(registry: str, tmp_path: Path) -> None:
    listed = fetched(f"{registry}/install-profiles", "registry/install-profile-list")["profiles"]
    open_ones = [profile["id"] for profile in listed if not profile["requiresAccessCode"]]
    assert len(open_ones) >= 3

    for profile_id in open_ones:
        profile = fetched(f"{registry}/install-profiles/{profile_id}", "registry/install-profile")
        resolved = fetched(profile["resolveUrl"], "registry/resolved-install-profile")
        program, *arguments = shlex.split(profile["installCommand"])
        assert program == "seqfacility"

        environment = {"SEQFACILITY_HOME": str(tmp_path / profile_id), "SEQFACILITY_DATABASE_URL": ""}
        done = subprocess.run(
            [sys.executable, "-m", "seqfacility_instance", *arguments],
            env=whole_environment({**environment, "SERVICE_API_URL": registry}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )

        assert (done.returncode, done.stderr) == (0, ""), profile_id
        assert done.stdout.splitlines()[-1] == f"profile: {profile_id} {resolved['version']} applied"


def test_what_needs_a_code_is_listed_and_not_handed_out(registry: str) -> None:
    listed = fetched(f"{registry}/install-profiles", "registry/install-profile-list")["profiles"]
    (closed,) = [profile for profile in listed if profile["requiresAccessCode"]]

    answer = requests.get(closed["resolveUrl"], timeout=60)

    assert answer.status_code in {401, 404}
    assert problems("registry/error", answer.json()) == []
    assert "weblogSecret" not in answer.text
