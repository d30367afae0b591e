"""The endpoints of mail."""

from dataclasses import dataclass

from falcon import Request, Response
from seqfacility_wire.requests import read_json_object

from seqfacility_instance.access import guard
from seqfacility_instance.mail import bodies
from seqfacility_instance.mail.errors import MailTestFailed
from seqfacility_instance.mail.sender import MailSender
from seqfacility_instance.mail.service import Mail
from seqfacility_instance.mail.smtp import MailNotSent


@dataclass(frozen=True, slots=True)
class MailPreferences:
    """`/api/user/mail-preferences`."""

    mail: Mail

    def on_get(self, req: Request, resp: Response) -> None:
        """Show when the caller is told of what. Decision: G840."""
        resp.media = bodies.preferences_shape(self.mail.preferences(guard.signed_in(req)))

    def on_put(self, req: Request, resp: Response) -> None:
        """Change what is named. Decision: G840."""
        caller = guard.signed_in(req)
        choices = bodies.PreferencesSave.read(read_json_object(req)).choices(is_admin=caller.is_admin)
        resp.media = bodies.preferences_shape(self.mail.choose(caller, choices))


@dataclass(frozen=True, slots=True)
class FailedMail:
    """`/api/admin/mail`."""

    mail: Mail

    def on_get(self, req: Request, resp: Response) -> None:
        """List what could not be sent, newest first. Decision: G839."""
        guard.live_facility_admin(req)
        failed = [bodies.failed_shape(mail, subject) for mail, subject in self.mail.failed()]
        resp.media = {"failed": failed, "waiting": self.mail.waiting()}


@dataclass(frozen=True, slots=True)
class MailTest:
    """`/api/admin/mail/test`."""

    sender: MailSender

    def on_post(self, req: Request, resp: Response) -> None:
        """Send a test mail to the caller, at once. Decision: G1053."""
        caller = guard.live_facility_admin(req)
        try:
            reply = self.sender.send_test(caller.email)
        except MailNotSent as failed:
            raise MailTestFailed(str(failed).rstrip(".")) from failed
        resp.media = {"to": caller.email, "said": reply}


@dataclass(frozen=True, slots=True)
class MailRetry:
    """`/api/admin/mail/{mail_id}/retry`."""

    mail: Mail

    def on_post(self, req: Request, resp: Response, mail_id: str) -> None:
        """Send a mail again that has failed. Decision: G839."""
        self.mail.retry(guard.live_facility_admin(req), mail_id)
        resp.media = {"success": True}
