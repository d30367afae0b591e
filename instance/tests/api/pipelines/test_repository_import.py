"""Packages out of git repositories: what is taken, what is noted, and what is refused."""

import base64
import os
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from seqfacility_instance.pipelines.bodies import RepositoryRequest
from seqfacility_instance.pipelines.errors import RepositoryNotReadable
from seqfacility_instance.pipelines.repository import read_package_files
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.git_repositories import Repository
from seqfacility_testkit.packages import SLEEPER, sleeper
from seqfacility_workflow_runtime.repository import RepositoryUnreachable, Wanted, read_repository

IMPORT = "/api/admin/pipelines/import"


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    repository = Repository(tmp_path / "forge")
    repository.write(sleeper())
    (repository.work / "README.md").write_text("A pipeline.\n")
    (repository.work / ".github").mkdir()
    (repository.work / ".github" / "ci.yml").write_text("on: push\n")
    return repository


def imported(facility: Facility, repository: Repository, **more: object) -> Any:
    return facility.admin.post(IMPORT, {"repository": repository.url, **more})


def test_a_tagged_package_is_installed_disabled_with_its_commit(
    facility: Facility, repository: Repository
) -> None:
    commit = repository.publish("v1.0.0")

    answer = imported(facility, repository, ref="v1.0.0")

    assert answer.status_code == 201, answer.text
    shown = answer.json["pipeline"]
    assert (shown["id"], shown["version"], shown["origin"]) == (SLEEPER, "1.0.0", "repository")
    assert shown["source"] == {"repository": repository.url, "ref": "v1.0.0", "commit": commit}
    assert shown["enabled"] is False
    assert shown["sha256"] == sleeper()["sha256"]
    folder = facility.home / "packages" / SLEEPER / "1.0.0" / SLEEPER
    assert (folder / "workflow" / "Snakefile").is_file()
    assert not (folder / "README.md").exists()
    again = imported(facility, repository, ref="v1.0.0")
    assert (again.status_code, again.json) == (409, {"error": "Pipeline sleeper 1.0.0 is already installed"})


def test_a_later_commit_is_an_update_that_keeps_what_was_decided(
    facility: Facility, repository: Repository
) -> None:
    repository.publish("v1.0.0")
    imported(facility, repository, ref="v1.0.0")
    facility.admin.put(f"/api/admin/pipelines/{SLEEPER}", {"enabled": True, "config": {"seconds": 3}})
    repository.write(sleeper("1.1.0"))
    commit = repository.publish()

    shown = imported(facility, repository).json["pipeline"]

    assert (shown["version"], shown["enabled"], shown["config"]) == ("1.1.0", True, {"seconds": 3})
    assert shown["source"]["commit"] == commit
    assert facility.admin.delete(f"/api/admin/pipelines/{SLEEPER}").json == {"success": True}


def test_a_commit_and_a_folder_of_the_repository_can_be_named(facility: Facility, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "forge")
    repository.write(sleeper(), "pipelines/any-name")
    commit = repository.publish()
    repository.write(sleeper("2.0.0"), "pipelines/any-name")
    repository.publish()

    answer = imported(facility, repository, ref=commit, descriptorPath="pipelines/any-name/manifest.json")

    assert answer.json["pipeline"]["version"] == "1.0.0"


def test_the_workflow_can_be_left_to_the_engine(facility: Facility, repository: Repository) -> None:
    payload = sleeper()
    payload["manifest"]["execution"]["engine"] = "nextflow"
    payload["manifest"]["execution"]["workflow"] = {
        "repository": "https://git.example/lab/sleeper",
        "revision": "v1.0.0",
    }
    repository.write(payload)
    repository.publish()

    answer = imported(facility, repository, includeWorkflow=False)

    assert answer.status_code == 201, answer.text
    assert not (facility.home / "packages" / SLEEPER / "1.0.0" / SLEEPER / "workflow").exists()


def test_a_package_that_breaks_rules_is_refused_line_by_line(
    facility: Facility, repository: Repository
) -> None:
    payload = sleeper()
    payload["registry"]["category"] = 5
    payload["definition"]["pipeline"] = "other"
    del payload["manifest"]["targets"]
    repository.write(payload)
    (repository.work / "workflow" / "-rf").write_text("x")
    repository.publish()

    names = imported(facility, repository)
    (repository.work / "workflow" / "-rf").unlink()
    repository.publish()
    rules = imported(facility, repository)

    assert names.json["details"] == [
        "workflow/-rf: document: has a name that is not plain letters, digits, '.', '_' and '-'"
    ]
    assert (rules.status_code, rules.json["error"]) == (400, "Package validation failed")
    assert any(line.startswith("manifest.json: ") and "targets" in line for line in rules.json["details"])
    assert any(line.startswith("registry.json: category: ") for line in rules.json["details"])
    assert facility.admin.get(f"/api/admin/pipelines/{SLEEPER}/readiness").status_code == 404


def test_links_and_submodules_in_a_package_are_refused_and_elsewhere_ignored(
    facility: Facility, repository: Repository
) -> None:
    (repository.work / "docs").symlink_to("/etc")
    repository.publish("fine")
    (repository.work / "workflow" / "secret.py").symlink_to("/etc/passwd")
    repository.publish("link")

    linked = imported(facility, repository, ref="link")

    assert linked.json["details"] == ["workflow/secret.py: document: is a link"]
    assert imported(facility, repository, ref="fine").status_code == 201


def test_hooks_and_settings_of_a_repository_do_nothing(
    facility: Facility, repository: Repository, tmp_path: Path
) -> None:
    proof = tmp_path / "ran"
    for hook in ("post-checkout", "post-merge", "reference-transaction", "pre-receive"):
        script = repository.bare / "hooks" / hook
        script.parent.mkdir(exist_ok=True)
        script.write_text(f"#!/bin/sh\ntouch {proof}\n")
    (repository.work / ".gitattributes").write_text("* filter=evil\n")
    (repository.work / ".gitmodules").write_text('[submodule "x"]\npath = x\nurl = ext::touch ran\n')
    repository.publish("v1.0.0")
    for script in (repository.bare / "hooks").iterdir():
        script.chmod(0o755)

    assert imported(facility, repository, ref="v1.0.0").status_code == 201
    assert not proof.exists()


@pytest.mark.parametrize(
    ("body", "detail"),
    [
        ({"repository": "ext::sh -c touch% x"}, "repository: must be an https, http or file address"),
        ({"repository": "git@github.com:lab/x.git"}, "repository: must be an https, http or file address"),
        ({"repository": "ssh://git@host/x"}, "repository: must be an https, http or file address"),
        ({"repository": "https://user:word@host/x"}, "repository: must be an https, http or file address"),
        ({"repository": "--upload-pack=x"}, "repository: must be an https, http or file address"),
        ({"repository": "file:///x/../../etc"}, "repository: must be an https, http or file address"),
        ({"repository": "file:///x", "ref": "--output=/x"}, "ref: must be the name of a tag"),
        ({"repository": "file:///x", "ref": "a..b"}, "ref: must be the name of a tag"),
        ({"repository": "file:///x", "ref": "a:b"}, "ref: must be the name of a tag"),
        ({"repository": "file:///x", "descriptorPath": "../x"}, "descriptorPath: has a name"),
        ({"repository": "file:///x", "key": "word"}, "key: is sent by https only"),
        ({"repository": "file:///x", "branch": "x"}, "branch: is not a known key"),
        ({}, "repository: is required"),
    ],
)
def test_words_that_no_import_may_have_are_refused(
    facility: Facility, body: dict[str, object], detail: str
) -> None:
    answer = facility.admin.post(IMPORT, body)

    assert (answer.status_code, answer.json["error"]) == (400, "Validation failed")
    assert answer.json["details"][0].startswith(detail)


def test_what_cannot_be_read_is_a_bad_gateway_with_gits_own_words(
    facility: Facility, repository: Repository
) -> None:
    repository.publish()

    unknown = imported(facility, repository, ref="v9")
    gone = facility.admin.post(IMPORT, {"repository": "file:///nowhere/at/all"})
    folder = imported(facility, repository, descriptorPath="nowhere")

    assert (unknown.status_code, unknown.json["error"]) == (502, "Repository cannot be read")
    assert unknown.json["details"] == ["git: couldn't find remote ref v9"]
    assert gone.status_code == 502
    assert folder.json["details"] == ["nowhere: document: is no folder of the repository"]


def test_the_metadata_of_a_cloud_is_never_asked(facility: Facility) -> None:
    answer = facility.admin.post(IMPORT, {"repository": "http://169.254.169.254/lab/x"})

    assert answer.json["details"] == ["repository: is at an address that nothing is fetched from"]


class _Forge(BaseHTTPRequestHandler):
    asked: list[dict[str, str]]

    def do_GET(self) -> None:
        self.asked.append(dict(self.headers.items()))
        self.send_response(401)
        self.send_header("WWW-Authenticate", 'Basic realm="forge"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the base class names it so
        """Say nothing: tests read standard error."""


@pytest.fixture
def forge() -> Iterator[tuple[str, list[dict[str, str]]]]:
    asked: list[dict[str, str]] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Forge", (_Forge,), {"asked": asked}))
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/lab/x", asked
    server.shutdown()
    thread.join()
    server.server_close()


def test_nobody_is_asked_for_a_password_and_nothing_of_ours_is_sent(
    forge: tuple[str, list[dict[str, str]]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url, asked = forge
    (tmp_path / ".netrc").write_text("machine 127.0.0.1 login ada password word\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "http.extraHeader")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "X-Ours: secret")

    with pytest.raises(RepositoryNotReadable):
        read_package_files(RepositoryRequest(repository=url))

    assert asked
    assert not any({"Authorization", "X-Ours"} & set(headers) for headers in asked)
    assert base64.b64encode(b"ada:word").decode() not in str(asked)
    assert os.environ["HOME"] == str(tmp_path)


def test_git_connects_to_the_address_that_was_looked_at_whatever_the_name_says_then(
    forge: tuple[str, list[dict[str, str]]],
) -> None:
    url, asked = forge
    elsewhere = url.replace("127.0.0.1", "forge.invalid")

    with pytest.raises(RepositoryUnreachable):
        read_repository(Wanted(elsewhere, "main", addresses=("127.0.0.1",)), lambda _path: True)

    assert asked
