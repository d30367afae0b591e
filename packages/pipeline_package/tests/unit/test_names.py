"""What may be the id of a pipeline."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from seqfacility_pipeline_package.names import RESERVED_IDS, is_pipeline_id
from seqfacility_pipeline_package.package import check_package

Documents = dict[str, Any]


@pytest.mark.parametrize(
    "package_id",
    [*sorted(RESERVED_IDS), "mixs-2", "a", "-", "x" * 64, "x" * 65, "", "mag\n", "Mag", "m.g", "mäg", "٣"],
)
def test_the_schema_of_a_manifest_takes_exactly_the_ids_that_a_service_takes(
    package_id: str, tmp_path: Path, documents: Documents, write: Callable[[Path, Documents], Path]
) -> None:
    documents["manifest.json"]["package"]["id"] = package_id
    folder = write(tmp_path / "package", documents)

    lines = [str(problem) for problem in check_package(folder)]
    refused = [
        line for line in lines if line.startswith("manifest.json: package.id:") and "the folder" not in line
    ]

    assert (refused == []) is is_pipeline_id(package_id), lines
