"""Final names where link(2) is refused: no crash lets a file be replaced, or leaves a second one."""

import os
from collections.abc import Callable

import pytest
from seqfacility_instance.site.identity import MARKER
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.sequencing import complete, initiate, send, submitted_order, upload


class Crash(BaseException):
    """The process ends here."""


STEPS = ["open", "write", "fsync", "rename", "unlink"]


@pytest.fixture(autouse=True)
def no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let link(2) answer as it does where there are no links: a taken name is told first."""

    def link(_source: str, target: str, *, dst_dir_fd: int | None = None, **_: object) -> None:
        if dst_dir_fd is not None and target in os.listdir(dst_dir_fd):  # noqa: PTH208  # a descriptor
            raise FileExistsError
        raise PermissionError(1, "no links here")

    monkeypatch.setattr(os, "link", link)


def test_files_of_one_name_keep_their_bytes(facility: Facility) -> None:
    order = submitted_order(facility)

    first = upload(facility, order, b"first")
    second = upload(facility, order, b"second")

    assert (facility.data / first).read_bytes() == b"first"
    assert (facility.data / second).read_bytes() == b"second"
    assert files(facility) == {first, second}


@pytest.mark.parametrize("step", STEPS)
def test_a_crash_at_any_step_is_gone_on_from(
    facility: Facility, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = submitted_order(facility)
    for number in range(12):
        content = f"round {number}".encode()
        upload_id = initiate(facility, order, len(content), originalName=f"{number}.fastq")
        send(facility, order, upload_id, 0, content)

        with monkeypatch.context() as patched:
            is_over = crash_at(patched, step, number, lambda u=upload_id: complete(facility, order, u))  # type: ignore[misc]  # bound per round
        done = complete(facility, order, upload_id)

        assert (facility.data / done.json["finalPath"]).read_bytes() == content
        if is_over:
            break
    assert len(files(facility)) == number + 1


def crash_at(patched: pytest.MonkeyPatch, step: str, number: int, work: Callable[[], object]) -> bool:
    """Do some work and crash before the call of that number; True when it came to its end before."""
    plain = getattr(os, step)
    calls = iter(range(1000))

    def crashing(*arguments: object, **options: object) -> object:
        if next(calls) == number:
            raise Crash
        return plain(*arguments, **options)

    patched.setattr(os, step, crashing)
    try:
        work()
    except Crash:
        return False
    return True


def files(facility: Facility) -> set[str]:
    """List all files but empty ones: a crash in the moment of a reservation leaves one, as a foreign file."""
    found = [path for path in facility.data.rglob("*") if path.is_file() and path.stat().st_size]
    return {str(path.relative_to(facility.data)) for path in found} - {MARKER}
