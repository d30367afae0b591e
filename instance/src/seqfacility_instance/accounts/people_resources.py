"""The routes of registration, profiles, and the admin's side of accounts."""

from dataclasses import dataclass

from falcon import HTTP_201, Request, Response
from seqfacility_wire.paging import read_page
from seqfacility_wire.requests import query_flag, query_text, read_json_object
from seqfacility_wire.timestamps import format_time

from seqfacility_instance.access import guard
from seqfacility_instance.accounts import bodies
from seqfacility_instance.accounts.departments import Departments
from seqfacility_instance.accounts.invites import Invites
from seqfacility_instance.accounts.people import People
from seqfacility_instance.accounts.registration import Registration
from seqfacility_instance.accounts.rules import normalized_email
from seqfacility_instance.core import limits


@dataclass(frozen=True, slots=True)
class Register:
    """`/api/register`."""

    registration: Registration

    def on_post(self, req: Request, resp: Response) -> None:
        """Make an account; nobody is signed in by it. Decision: G30."""
        address = guard.address(req)
        self.registration.admit(address)
        body = bodies.RegistrationBody.read(read_json_object(req, limits.SESSIONLESS_BODY_MAX_BYTES))
        user = self.registration.register(body.applicant(), address)
        resp.status = HTTP_201
        resp.media = bodies.registered(user)


@dataclass(frozen=True, slots=True)
class PasswordReset:
    """`/api/auth/password-reset`."""

    people: People

    def on_post(self, req: Request, resp: Response) -> None:
        """Set a password by a reset link. Decision: G33, G269."""
        reset = bodies.PasswordReset.read(read_json_object(req, limits.SESSIONLESS_BODY_MAX_BYTES))
        self.people.reset_password(reset.token, reset.new_password, guard.address(req))
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class PasswordResetRequest:
    """`/api/auth/password-reset-request`."""

    people: People

    def on_post(self, req: Request, resp: Response) -> None:
        """Ask for a reset link by mail; the answer is always the same. Decision: G842."""
        wanted = bodies.ResetRequest.read(read_json_object(req, limits.SESSIONLESS_BODY_MAX_BYTES))
        self.people.request_reset(normalized_email(wanted.email), guard.address(req))
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class InviteVerification:
    """`/api/invites/verify`."""

    invites: Invites

    def on_post(self, req: Request, resp: Response) -> None:
        """Return whether a code would be accepted. Decision: G269."""
        check = bodies.InviteCheck.read(read_json_object(req, limits.SESSIONLESS_BODY_MAX_BYTES))
        is_valid = self.invites.verify(check.code, check.normalized_email(), guard.address(req))
        resp.media = {"valid": is_valid}


@dataclass(frozen=True, slots=True)
class DepartmentChoices:
    """`/api/departments`."""

    departments: Departments

    def on_get(self, _req: Request, resp: Response) -> None:
        """List the active ones by name. Decision: G269."""
        active = self.departments.list_active()
        resp.media = {"departments": [bodies.department_choice(department) for department in active]}


@dataclass(frozen=True, slots=True)
class OwnProfile:
    """`/api/user/profile`."""

    people: People

    def on_get(self, req: Request, resp: Response) -> None:
        """Show one's own account. Decision: G34."""
        resp.media = {"profile": bodies.profile(self.people.profile(guard.signed_in(req)))}

    def on_put(self, req: Request, resp: Response) -> None:
        """Change what is sent. Decision: G34."""
        caller = guard.signed_in(req)
        save = bodies.ProfileSave.read(read_json_object(req))
        resp.media = {"profile": bodies.profile(self.people.save_profile(caller, save.columns()))}


@dataclass(frozen=True, slots=True)
class UserList:
    """`/api/admin/users`."""

    people: People

    def on_get(self, req: Request, resp: Response) -> None:
        """List accounts, by default newest first. Decision: G33, G1085."""
        page = read_page(req)
        wanted = bodies.account_filter(
            role=query_text(req, "role"),
            text=query_text(req, "q"),
            department_id=query_text(req, "department"),
            state="waiting" if query_flag(req, "pendingApproval") else query_text(req, "state"),
            sort=query_text(req, "sort"),
        )
        users, total = self.people.list_page(guard.facility_admin(req), wanted, page)
        resp.media = {"users": [bodies.admin_user(user) for user in users], **page.keys(total)}


@dataclass(frozen=True, slots=True)
class OneUser:
    """`/api/admin/users/{user_id}`."""

    people: People

    def on_get(self, req: Request, resp: Response, user_id: str) -> None:
        """Show an account. Decision: G1085."""
        resp.media = {"user": bodies.admin_user(self.people.get(guard.facility_admin(req), user_id))}

    def on_patch(self, req: Request, resp: Response, user_id: str) -> None:
        """Change what is sent. Decision: G33, G269."""
        caller = guard.live_facility_admin(req)
        self.people.get(caller, user_id)
        save = bodies.UserSave.read(read_json_object(req))
        resp.media = {"user": bodies.admin_user(self.people.change(caller, user_id, save.columns()))}


@dataclass(frozen=True, slots=True)
class PendingRegistration:
    """`/api/admin/users/{user_id}/registration`."""

    people: People

    def on_delete(self, req: Request, resp: Response, user_id: str) -> None:
        """Decline an account that waits for approval. Decision: G410."""
        self.people.decline(guard.live_facility_admin(req), user_id)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class ResetLink:
    """`/api/admin/users/{user_id}/reset-link`."""

    people: People

    def on_post(self, req: Request, resp: Response, user_id: str) -> None:
        """Make a reset link, and mail it when that is asked for. Decision: G33, G842."""
        caller = guard.live_facility_admin(req)
        self.people.get(caller, user_id)
        options = bodies.ResetLinkOptions.read(read_json_object(req))
        token, expires_at, was_mailed = self.people.make_reset_link(caller, user_id, is_mailed=options.mail)
        resp.status = HTTP_201
        # WHY: what follows `#` is never sent to a server, so the token ends in nobody's log.
        path = f"/reset-password#token={token}"
        resp.media = {"token": token, "path": path, "expiresAt": format_time(expires_at)}
        if options.mail:
            resp.media["mailed"] = was_mailed


@dataclass(frozen=True, slots=True)
class InviteList:
    """`/api/admin/invites`."""

    invites: Invites

    def on_get(self, req: Request, resp: Response) -> None:
        """List them, newest first. Decision: G31."""
        invites = self.invites.list_all(guard.facility_admin(req))
        resp.media = {"invites": [bodies.invite_shape(invite) for invite in invites]}

    def on_post(self, req: Request, resp: Response) -> None:
        """Make one; its code is shown here and never again. Decision: G31."""
        caller = guard.live_facility_admin(req)
        body = bodies.InviteBody.read(read_json_object(req))
        invite, code = self.invites.make(caller, body.email, body.expires_in_days)
        resp.status = HTTP_201
        resp.media = {"invite": bodies.invite_shape(invite), "code": code}
        if invite.email is not None:
            resp.media["mailed"] = self.invites.is_mailed()


@dataclass(frozen=True, slots=True)
class OneInvite:
    """`/api/admin/invites/{invite_id}`."""

    invites: Invites

    def on_delete(self, req: Request, resp: Response, invite_id: str) -> None:
        """Delete an unused one. Decision: G31."""
        self.invites.delete(guard.live_facility_admin(req), invite_id)
        resp.media = {"success": True}


@dataclass(frozen=True, slots=True)
class DepartmentList:
    """`/api/admin/departments`."""

    departments: Departments

    def on_get(self, req: Request, resp: Response) -> None:
        """List all, by name. Decision: G32."""
        rows = self.departments.list_all(guard.facility_admin(req))
        shown = [bodies.department_shape(department, user_count) for department, user_count in rows]
        resp.media = {"departments": shown}

    def on_post(self, req: Request, resp: Response) -> None:
        """Make one. Decision: G32."""
        caller = guard.live_facility_admin(req)
        body = bodies.NewDepartment.read(read_json_object(req))
        department = self.departments.create(caller, body.columns())
        resp.status = HTTP_201
        resp.media = {"department": bodies.department_shape(department, 0)}


@dataclass(frozen=True, slots=True)
class OneDepartment:
    """`/api/admin/departments/{department_id}`."""

    departments: Departments

    def on_put(self, req: Request, resp: Response, department_id: str) -> None:
        """Change what is sent. Decision: G32."""
        caller = guard.live_facility_admin(req)
        self.departments.get(caller, department_id)
        save = bodies.DepartmentSave.read(read_json_object(req))
        department, user_count = self.departments.change(caller, department_id, save.columns())
        resp.media = {"department": bodies.department_shape(department, user_count)}

    def on_delete(self, req: Request, resp: Response, department_id: str) -> None:
        """Delete one that nobody belongs to. Decision: G32."""
        self.departments.delete(guard.live_facility_admin(req), department_id)
        resp.media = {"success": True}
