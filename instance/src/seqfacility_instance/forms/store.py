"""Queries on forms."""

from collections.abc import Collection
from datetime import datetime

from peewee import JOIN, Expression

from seqfacility_instance.forms.built_in import BUILT_IN_VERSION
from seqfacility_instance.forms.form import Form
from seqfacility_instance.forms.in_force import AppliedStudyForm
from seqfacility_instance.tables.base import locked
from seqfacility_instance.tables.people import User
from seqfacility_instance.tables.site import OrderFormConfig, OrderFormVersion, SiteSettings
from seqfacility_instance.tables.studies import Study, StudyForm, StudyFormVersion

ORDER_FORM_ID = "order-form"


def find_order_form() -> OrderFormConfig | None:
    """Read the saved order form with the admin who saved it; None while the built-in one is in force."""
    row: OrderFormConfig | None = (
        OrderFormConfig.select(OrderFormConfig, User)
        .join(User, JOIN.LEFT_OUTER, on=OrderFormConfig.updated_by)
        .where(OrderFormConfig.id == ORDER_FORM_ID)
        .first()
    )
    return row


def find_order_form_version(version: int) -> OrderFormVersion | None:
    row: OrderFormVersion | None = (
        OrderFormVersion.select(OrderFormVersion, User)
        .join(User, JOIN.LEFT_OUTER)
        .where(OrderFormVersion.version == version)
        .first()
    )
    return row


def list_order_form_versions(limit: int, offset: int) -> tuple[list[OrderFormVersion], int]:
    """List the saved versions with their authors, without the forms, newest first, and count them all."""
    columns = (OrderFormVersion.version, OrderFormVersion.saved_at, OrderFormVersion.saved_by)
    query = OrderFormVersion.select(*columns, User).join(User, JOIN.LEFT_OUTER)
    query = query.order_by(OrderFormVersion.version.desc())
    return list(query.limit(limit).offset(offset)), OrderFormVersion.select().count()


def claim_order_form(
    seen_version: int, schema: dict[str, object], user_id: str | None, now: datetime
) -> bool:
    """Save the order form over version `seen_version` and keep it in the history.

    False when somebody else saved meanwhile.

    Decision: G20, G55.
    """
    version = seen_version + 1
    columns = {"schema": schema, "version": version, "updated_at": now, "updated_by": user_id}
    if seen_version == BUILT_IN_VERSION:
        changed = bool(
            OrderFormConfig.insert(id=ORDER_FORM_ID, **columns).on_conflict_ignore().as_rowcount().execute()
        )
    else:
        changed = bool(
            OrderFormConfig.update(**columns)
            .where((OrderFormConfig.id == ORDER_FORM_ID) & (OrderFormConfig.version == seen_version))
            .execute()
        )
    if changed:
        OrderFormVersion.insert(version=version, schema=schema, saved_at=now, saved_by=user_id).execute()
    return changed


def lock_study_forms() -> None:
    """Make other saves of study forms wait until the end of the transaction."""
    locked(SiteSettings.select(SiteSettings.id)).first()


def _is_version_of(study_id: str | None) -> Expression:
    """Return the condition that a version belongs to the form of a study, or to the global one."""
    study = StudyFormVersion.study
    return study.is_null() if study_id is None else study == study_id


def find_study_form_version(study_id: str | None, version: int) -> StudyFormVersion | None:
    row: StudyFormVersion | None = (
        StudyFormVersion.select(StudyFormVersion, User)
        .join(User, JOIN.LEFT_OUTER)
        .where(_is_version_of(study_id), StudyFormVersion.version == version)
        .first()
    )
    return row


def list_study_form_versions(
    study_id: str | None, limit: int, offset: int
) -> tuple[list[StudyFormVersion], int]:
    """List the saved versions with their authors, without the forms, newest first, and count them all."""
    columns = (StudyFormVersion.version, StudyFormVersion.saved_at, StudyFormVersion.saved_by)
    saved = _is_version_of(study_id) & (StudyFormVersion.version > BUILT_IN_VERSION)
    query = StudyFormVersion.select(*columns, User).join(User, JOIN.LEFT_OUTER).where(saved)
    query = query.order_by(StudyFormVersion.version.desc())
    return list(query.limit(limit).offset(offset)), StudyFormVersion.select().where(saved).count()


def add_study_form_version(before: AppliedStudyForm, form: Form, user_id: str | None, now: datetime) -> None:
    """Add a study form that replaces `before` to its history; under `lock_study_forms`. Decision: G1027."""
    study_id = before.study_id
    versions = StudyFormVersion.select().where(_is_version_of(study_id)).count()
    if versions == 0:
        _insert_version(study_id, BUILT_IN_VERSION, before.form, None, before.updated_at)
        versions = BUILT_IN_VERSION
    _insert_version(study_id, versions + 1, form, user_id, now)


def _insert_version(
    study_id: str | None, version: int, form: Form, user_id: str | None, saved_at: datetime | None
) -> None:
    StudyFormVersion.create(
        study=study_id,
        version=version,
        fields=form.field_documents(),
        groups=form.group_documents(),
        saved_at=saved_at,
        saved_by=user_id,
    )


def count_studies_without_form() -> int:
    """Count the studies that use the global form."""
    return Study.select().join(StudyForm, JOIN.LEFT_OUTER).where(StudyForm.id.is_null()).count()


def count_studies() -> int:
    return Study.select().count()


def find_study_form(study_id: str) -> StudyForm | None:
    return StudyForm.get_or_none(StudyForm.study == study_id)


def study_forms(study_ids: Collection[str]) -> dict[str, Form]:
    if not study_ids:
        return {}
    rows = StudyForm.select().where(StudyForm.study.in_(list(study_ids)))
    return {row.study_id: Form.from_documents(row.fields, row.groups) for row in rows}


def study_forms_for_admins() -> dict[str, Form]:
    """Return the forms of studies with a question that is for admins."""
    rows = StudyForm.select().where(StudyForm.fields.cast("TEXT").contains('"adminOnly":true'))
    return {row.study_id: Form.from_documents(row.fields, row.groups) for row in rows}


def save_study_form(study_id: str, form: Form, user_id: str, now: datetime) -> None:
    columns = {
        "fields": form.field_documents(),
        "groups": form.group_documents(),
        "updated_at": now,
        "updated_by": user_id,
    }
    (
        StudyForm.insert(study=study_id, **columns)
        .on_conflict(conflict_target=[StudyForm.study], update=columns)
        .execute()
    )
