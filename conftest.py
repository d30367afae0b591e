"""What holds for every test of the repository."""

import gc
import os
import shutil
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

# A verdict on a change must hang neither on a lucky draw nor on the speed of a machine: the routine command
# draws the same examples everywhere, a soak new ones. Hypothesis' own choice, by CI, is overruled.
SUPPRESSED = (
    *(HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example),
    HealthCheck.function_scoped_fixture,  # a facility or a folder may serve all examples of a test
)
for name, derandomize in (("routine", True), ("soak", False)):
    settings.register_profile(
        name,
        settings.get_profile("default"),
        deadline=None,
        derandomize=derandomize,
        suppress_health_check=SUPPRESSED,
    )
settings.load_profile("soak" if os.environ.get("SEQFACILITY_SOAK") else "routine")

# Tests that are not about a disk need not wait for one: each makes a facility's folders, and takes them away.
MEMORY = "/dev/shm"  # noqa: S108  # pytest makes a folder of its own in it
ENOUGH_BYTES = 2 * 1024**3  # containers often have a few megabytes there
if (
    os.environ.get("SEQFACILITY_TEST_FOLDERS") == "memory"
    and os.access(MEMORY, os.W_OK)
    and shutil.disk_usage(MEMORY).free >= ENOUGH_BYTES
):
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of a real Nextflow where there is none: CI can install no package of it."""
    without = [item for item in items if item.get_closest_marker("needs_nextflow")]
    if without and shutil.which("nextflow") is None:
        config.hook.pytest_deselected(items=without)
        items[:] = [item for item in items if item not in without]


def pytest_collection_finish() -> None:
    """Let the garbage collector leave alone what was imported, and look less often: a fifth of the time."""
    gc.freeze()
    gc.set_threshold(20_000)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a skipped test fail where everything must run: CI installs what tests need."""
    report = yield
    if report.skipped and os.environ.get("SEQFACILITY_NO_SKIPS") == "1":
        report.outcome = "failed"
        report.longrepr = f"{item.nodeid} was skipped, and here nothing may be: {report.longrepr}"
    return report
