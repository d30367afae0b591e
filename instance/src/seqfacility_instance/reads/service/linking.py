"""Making reads of files that lie on disk already."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from seqfacility_wire.errors import ServiceError, ValidationFailed

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import LiveFacilityAdmin
from seqfacility_instance.access.opened import OrderFor
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.core.vocabulary.sequencing import DataClass, ReadSource
from seqfacility_instance.facility_settings.service import FacilitySettings
from seqfacility_instance.orders import sample_store
from seqfacility_instance.orders import store as orders_store
from seqfacility_instance.orders.rules import check_sequencing_allowed
from seqfacility_instance.reads import adding, store
from seqfacility_instance.reads.bodies import Assignment, Assignments
from seqfacility_instance.reads.data_base import data_root, open_stored, stored_path
from seqfacility_instance.reads.intake import queue_examination
from seqfacility_instance.reads.rules import has_extension
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.orders import Order, Sample
from seqfacility_instance.tables.sequencing import Read


@dataclass(frozen=True, slots=True)
class _Checked:
    """An assignment whose sample and files were found."""

    assignment: Assignment
    sample: Sample
    files: tuple[adding.NewFile | None, adding.NewFile | None]


@dataclass(frozen=True, slots=True)
class ReadLinking:
    """Links files to samples. Decision: G114."""

    facility: FacilitySettings
    clock: Clock

    def link(self, opened: OrderFor[LiveFacilityAdmin], body: Mapping[str, object]) -> list[Read]:
        """Make a new active read for each assignment, all or none; raises `ValidationFailed`.

        Decision: G90, G114.
        """
        caller = opened.caller
        check_sequencing_allowed(opened.row)
        assignments = Assignments.read(dict(body)).assignments
        root = data_root(self.facility.storage())
        with database.atomic():
            order = orders_store.lock_order(opened.id)
            check_sequencing_allowed(order)
            check = _Check(order, root, self.facility.uploads().allowed_read_extensions)
            checked = check.all(assignments)
            now = self.clock.now()
            return [self._add(caller, one, now) for one in checked]

    def _add(self, caller: LiveFacilityAdmin, one: _Checked, now: datetime) -> Read:
        default_class = self.facility.storage().default_upload_data_class
        values: dict[str, object] = {
            "data_class": DataClass(one.assignment.data_class or default_class),
            "sequencing_run": one.assignment.sequencing_run_id or None,
            "source": ReadSource.LINK,
        }
        for number, file in zip(("1", "2"), one.files, strict=True):
            if file is not None:
                values |= {
                    f"file{number}": file.path,
                    f"size{number}": file.size,
                    f"checksum{number}": file.checksum,
                }
        read = adding.add_read(one.sample.id, values, now)
        if self.facility.uploads().verify_in_background:
            queue_examination(read.id, now)
        paths = [file.path for file in one.files if file is not None]
        note = one.assignment.note
        audit.record(caller, AuditAction.READ_LINKED, "read", read.id, now, files=paths, note=note)
        return read


class _Check:
    """Looks at all assignments and collects what is wrong with them."""

    def __init__(self, order: Order, root: Path, extensions: list[str]) -> None:
        self._order = order
        self._root = root
        self._extensions = extensions
        self._problems: list[str] = []
        self._sample_of_path: dict[str, str] = {}
        self._named: set[str] = set()

    def all(self, assignments: list[Assignment]) -> list[_Checked]:
        """Return the assignments with their samples and files; raises `ValidationFailed`."""
        samples = sample_store.find_in_order(self._order.id, [one.sample_id for one in assignments])
        checked = []
        for index, one in enumerate(assignments):
            where = f"assignments[{index}]"
            sample = samples.get(one.sample_id)
            self._check_sample(where, sample)
            files = (
                self._file(f"{where}.file1", sample, one.file1, one.checksum1),
                self._file(f"{where}.file2", sample, one.file2, one.checksum2),
            )
            run_id = one.sequencing_run_id
            if run_id and not store.is_sequencing_run_of(run_id, self._order.id):
                self._problems.append(f"{where}.sequencingRunId: is not a sequencing run of this order")
            if sample is not None:
                checked.append(_Checked(one, sample, files))
        if self._problems:
            raise ValidationFailed(self._problems)
        return checked

    def _check_sample(self, where: str, sample: Sample | None) -> None:
        if sample is None:
            self._problems.append(f"{where}.sampleId: is not a sample of this order")
        elif sample.id in self._named:
            self._problems.append(f"{where}.sampleId: is named twice")
        else:
            self._named.add(sample.id)

    def _file(
        self, where: str, sample: Sample | None, text: str | None, checksum: str | None
    ) -> adding.NewFile | None:
        if not text:
            return None
        try:
            path = stored_path(text)
            file = open_stored(self._root, path)
        except ServiceError as refused:
            self._problems.append(f"{where}: {refused.text}")
            return None
        try:
            size = os.fstat(file).st_size
        finally:
            os.close(file)
        if not has_extension(path.rpartition("/")[2], self._extensions):
            self._problems.append(f"{where}: is not an allowed sequencing file extension")
        if path in self._sample_of_path:
            self._problems.append(f"{where}: is named twice")
        self._sample_of_path[path] = where
        owners = {read.sample_id for read in store.list_reads_with_paths([path])}
        if owners - {sample.id if sample else ""}:
            self._problems.append(f"{where}: belongs to another sample")
        return adding.NewFile(path, size, checksum or None)
