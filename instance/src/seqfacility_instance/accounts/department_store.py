"""Queries on departments."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import cast

from peewee import IntegrityError, fn

from seqfacility_instance.tables.people import Department, User


def list_departments() -> list[tuple[Department, int]]:
    """List all departments by name, each with the number of its users. Decision: G32."""
    of_people = User.select(User.department, fn.COUNT(User.id)).where(~User.is_demo)
    counted = dict(cast("Iterable[tuple[str | None, int]]", of_people.group_by(User.department).tuples()))
    return [
        (department, counted.get(department.id, 0))
        for department in Department.select().order_by(Department.name)
    ]


def list_active() -> list[Department]:
    """List the departments that somebody may choose, by name. Decision: G269."""
    return list(Department.select().where(Department.is_active).order_by(Department.name))


def find_department(department_id: str) -> Department | None:
    """Find a department by id."""
    return Department.get_or_none(Department.id == department_id)


def count_users(department_id: str) -> int:
    """Count the users of a department. Decision: G32."""
    return User.select().where((User.department == department_id) & ~User.is_demo).count()


def insert_department(columns: Mapping[str, object], now: datetime) -> Department | None:
    """Make a department; None when the name is taken, also by a simultaneous request."""
    department = Department(**columns, created_at=now, updated_at=now)
    try:
        department.save(force_insert=True)
    except IntegrityError:
        return None
    return department


def claim_changes(department_id: str, columns: Mapping[str, object], now: datetime) -> bool:
    """Change a department; False when the new name is taken."""
    try:
        Department.update(**columns, updated_at=now).where(Department.id == department_id).execute()
    except IntegrityError:
        return False
    return True


def claim_deletion(department_id: str) -> bool:
    """Delete a department; False while users belong to it. Decision: G32."""
    try:
        Department.delete().where(Department.id == department_id).execute()
    except IntegrityError:
        return False
    return True
