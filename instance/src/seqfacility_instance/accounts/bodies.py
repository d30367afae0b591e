"""Requests and answers around accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError
from seqfacility_wire.timestamps import format_optional_time, format_time

from seqfacility_instance.access.callers import SignedIn
from seqfacility_instance.access.person import person
from seqfacility_instance.accounts.rules import Applicant, is_email, normalized_email
from seqfacility_instance.accounts.store import AccountFilter
from seqfacility_instance.core import limits
from seqfacility_instance.core.request_model import FilledLine, Line, RequestModel, Text
from seqfacility_instance.core.vocabulary.people import AccountSort, ResearcherRole, Role
from seqfacility_instance.tables.people import AdminInvite, Department, Session, User
from seqfacility_instance.tables.second_factors import SecondFactor

if TYPE_CHECKING:
    from seqfacility_schemas import answers


def _email(text: str) -> str:
    email = normalized_email(text)
    if not is_email(email):
        raise PydanticCustomError("email", "must be an e-mail address")
    return email


Email = Annotated[FilledLine, AfterValidator(_email)]
"""An e-mail address in lower case. Decision: G21."""

RoleName = Annotated[Role, Field(strict=False)]
ResearcherRoleName = Annotated[ResearcherRole, Field(strict=False)]


class PasswordChange(RequestModel):
    """Body of `POST /api/auth/password`. Decision: G28."""

    current_password: str
    new_password: str


class ConfirmationBody(RequestModel):
    """Body of `POST /api/auth/confirm`. Decision: G810."""

    password: str
    code: str | None = None


class CodeBody(RequestModel):
    """Body of `POST /api/auth/totp/confirm`. Decision: G814."""

    code: str


class PasswordReset(RequestModel):
    """Body of `POST /api/auth/password-reset`. Decision: G269."""

    token: str
    new_password: str


class ResetRequest(RequestModel):
    """Body of `POST /api/auth/password-reset-request`: any text, as the answer is always the same.

    Decision: G842, G834.
    """

    email: str


class ResetLinkOptions(RequestModel):
    """Body of `POST /api/admin/users/{id}/reset-link`, which may be left out. Decision: G842."""

    mail: bool = False


class RegistrationBody(RequestModel):
    """Body of `POST /api/register`. Decision: G30."""

    email: Email
    password: str
    first_name: FilledLine
    last_name: FilledLine
    role: RoleName = Role.RESEARCHER
    researcher_role: ResearcherRoleName | None = None
    institution: Line | None = None
    department_id: Line | None = None
    invite_code: Line | None = None

    def applicant(self) -> Applicant:
        """Return who asks; empty texts say nothing."""
        return Applicant(
            email=self.email,
            password=self.password,
            first_name=self.first_name,
            last_name=self.last_name,
            role=self.role,
            researcher_role=self.researcher_role,
            institution=self.institution or None,
            department_id=self.department_id or None,
            invite_code=self.invite_code or None,
        )


class ProfileSave(RequestModel):
    """Body of `PUT /api/user/profile`; an empty text clears what may be empty. Decision: G34."""

    first_name: FilledLine | None = None
    last_name: FilledLine | None = None
    researcher_role: ResearcherRoleName | None = None
    institution: Line | None = None
    department_id: Line | None = None

    def columns(self) -> dict[str, object]:
        """Return what is to be changed, by column."""
        said: dict[str, object] = {
            "first_name": self.first_name,
            "last_name": self.last_name,
            "researcher_role": self.researcher_role,
            "institution": self.institution,
            "department": self.department_id,
        }
        return {column: value or None for column, value in said.items() if value is not None}


class UserSave(ProfileSave):
    """Body of `PATCH /api/admin/users/{id}`. Decision: G269."""

    role: RoleName | None = None
    is_active: bool | None = None

    def columns(self) -> dict[str, object]:
        """Return what is to be changed, by column."""
        columns = ProfileSave.columns(self)
        if self.role is not None:
            columns["role"] = self.role
        if self.is_active is not None:
            columns["is_active"] = self.is_active
        return columns


class InviteBody(RequestModel):
    """Body of `POST /api/admin/invites`. Decision: G31."""

    email: Email | None = None
    expires_in_days: int = Field(
        default=limits.INVITE_DEFAULT_DAYS, ge=limits.INVITE_MIN_DAYS, le=limits.INVITE_MAX_DAYS
    )


class InviteCheck(RequestModel):
    """Body of `POST /api/invites/verify`. Decision: G269."""

    code: FilledLine
    email: Line | None = None

    def normalized_email(self) -> str | None:
        """Return the e-mail as it is compared."""
        return normalized_email(self.email) if self.email else None


class DepartmentSave(RequestModel):
    """Body of `PUT /api/admin/departments/{id}`. Decision: G32."""

    name: FilledLine | None = None
    description: Text | None = None
    is_active: bool | None = None

    def columns(self) -> dict[str, object]:
        """Return what is to be changed, by column; an empty description is none."""
        said = {"name": self.name, "description": self.description, "is_active": self.is_active}
        columns: dict[str, object] = {column: value for column, value in said.items() if value is not None}
        if "description" in columns:
            columns["description"] = self.description or None
        return columns


class NewDepartment(DepartmentSave):
    """Body of `POST /api/admin/departments`. Decision: G32."""

    name: FilledLine


def account_filter(
    *, role: str | None, text: str | None, department_id: str | None, state: str | None, sort: str | None
) -> AccountFilter:
    """Read the filter of a list of accounts; an unknown `sort` means newest first. Decision: G16, G1085."""
    order = AccountSort(sort) if sort in set(AccountSort) else AccountSort.NEWEST
    return AccountFilter(role, text, department_id, state, order)


def session_user(user: User) -> answers.SessionUser:
    """Show the account of a new session. Decision: G23."""
    return {
        "id": user.id,
        "email": user.email,
        "firstName": user.first_name,
        "lastName": user.last_name,
        "role": user.role.value,
        "isDemo": user.is_demo,
    }


def caller_user(caller: SignedIn) -> answers.SessionUser:
    """Show the account of a running session. Decision: G23, G26."""
    return {
        "id": caller.user_id,
        "email": caller.email,
        "firstName": caller.first_name,
        "lastName": caller.last_name,
        "role": caller.role.value,
        "isDemo": caller.is_demo,
    }


def session_shape(session: Session, *, is_current: bool) -> answers.OpenSession:
    """Show a session to its person. Decision: G812."""
    return {
        "id": session.id,
        "createdAt": format_time(session.created_at),
        "lastSeenAt": format_time(session.last_seen_at),
        "address": session.address or "",
        "userAgent": session.user_agent or "",
        "current": is_current,
    }


def second_factor(factor: SecondFactor | None, *, is_required: bool) -> answers.SecondFactorAnswer:
    """Show how an account stands to its second factor. Decision: G814."""
    return {
        "enabled": factor is not None and factor.enabled_at is not None,
        "required": is_required,
        "recoveryCodesLeft": 0 if factor is None else len(factor.recovery_hashes),
    }


def profile(user: User) -> answers.Profile:
    """Show somebody's own account. Decision: G34."""
    department = user.department
    return {
        "id": user.id,
        "email": user.email,
        "firstName": user.first_name,
        "lastName": user.last_name,
        "role": user.role.value,
        "researcherRole": None if user.researcher_role is None else user.researcher_role.value,
        "institution": user.institution,
        "department": None if department is None else department_choice(department),
        "mustChangePassword": user.must_change_password,
        "createdAt": format_time(user.created_at),
    }


def admin_user(user: User) -> answers.AdminUser:
    """Show an account to an admin. Decision: G33."""
    shown: answers.AdminUser = {
        **profile(user),  # type: ignore[typeddict-item]  # what is not required comes below
        "isActive": user.is_active,
        "isDemo": user.is_demo,
        "lastSignInAt": format_optional_time(user.last_sign_in_at),
    }
    if user.pending_since is not None:
        shown["pendingApproval"] = True
    return shown


def registered(user: User) -> dict[str, object]:
    """Show a new account to whoever made it. Decision: G30, G410."""
    pending = {} if user.pending_since is None else {"pendingApproval": True}
    return {"success": True, "user": session_user(user), **pending}


def department_choice(department: Department) -> answers.DepartmentChoice:
    """Show a department to somebody who chooses one. Decision: G269."""
    return {"id": department.id, "name": department.name}


def department_shape(department: Department, user_count: int) -> dict[str, object]:
    """Show a department to an admin. Decision: G32."""
    return {
        "id": department.id,
        "name": department.name,
        "description": department.description,
        "isActive": department.is_active,
        "userCount": user_count,
        "createdAt": format_time(department.created_at),
        "updatedAt": format_time(department.updated_at),
    }


def invite_shape(invite: AdminInvite) -> answers.Invite:
    """Show an invite without its code. Decision: G31."""
    return {
        "id": invite.id,
        "codeEnding": invite.code_ending,
        "email": invite.email,
        "expiresAt": format_time(invite.expires_at),
        "createdAt": format_time(invite.created_at),
        "createdBy": person(invite.created_by),
        "usedAt": format_optional_time(invite.used_at),
        "usedBy": None if invite.used_by is None else person(invite.used_by),
    }
