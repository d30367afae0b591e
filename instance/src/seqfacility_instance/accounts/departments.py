"""Departments: names that people may give as theirs; they grant nothing."""

from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_instance.access import audit
from seqfacility_instance.access.callers import FacilityAdmin, LiveFacilityAdmin
from seqfacility_instance.accounts import department_store as store
from seqfacility_instance.accounts.errors import DepartmentInUse, DepartmentNameTaken, DepartmentNotFound
from seqfacility_instance.core.clock import Clock
from seqfacility_instance.core.vocabulary.people import AuditAction
from seqfacility_instance.tables.base import database
from seqfacility_instance.tables.people import Department


@dataclass(frozen=True, slots=True)
class Departments:
    """Keeps the list of departments. Decision: G32."""

    clock: Clock

    def list_active(self) -> list[Department]:
        """List those that somebody may choose, by name. Decision: G269."""
        return store.list_active()

    def list_all(self, _caller: FacilityAdmin) -> list[tuple[Department, int]]:
        """List all by name, each with the number of its users. Decision: G32."""
        return store.list_departments()

    def get(self, _caller: FacilityAdmin, department_id: str) -> Department:
        """Return a department; raises `DepartmentNotFound`."""
        department = store.find_department(department_id)
        if department is None:
            raise DepartmentNotFound
        return department

    def create(self, caller: LiveFacilityAdmin, columns: Mapping[str, object]) -> Department:
        """Make a department; raises `DepartmentNameTaken`. Decision: G32."""
        now = self.clock.now()
        with database.atomic():
            department = store.insert_department(columns, now)
            if department is None:
                raise DepartmentNameTaken
            audit.record(
                caller, AuditAction.DEPARTMENT_SAVED, "department", department.id, now, keys=sorted(columns)
            )
        return department

    def change(
        self, caller: LiveFacilityAdmin, department_id: str, columns: Mapping[str, object]
    ) -> tuple[Department, int]:
        """Change what is sent; return the department with the number of its users.

        Raises `DepartmentNotFound` or `DepartmentNameTaken`.

        Decision: G32.
        """
        self.get(caller, department_id)
        now = self.clock.now()
        with database.atomic():
            if not store.claim_changes(department_id, columns, now):
                raise DepartmentNameTaken
            audit.record(
                caller, AuditAction.DEPARTMENT_SAVED, "department", department_id, now, keys=sorted(columns)
            )
        return self.get(caller, department_id), store.count_users(department_id)

    def delete(self, caller: LiveFacilityAdmin, department_id: str) -> None:
        """Delete a department that nobody belongs to; raises `DepartmentNotFound` or `DepartmentInUse`.

        Decision: G32.
        """
        self.get(caller, department_id)
        with database.atomic():
            if not store.claim_deletion(department_id):
                raise DepartmentInUse
            audit.record(
                caller, AuditAction.DEPARTMENT_DELETED, "department", department_id, self.clock.now()
            )
