"""What `check-setup` says of mail."""

from collections.abc import Iterator

from seqfacility_wire.plurals import counted

from seqfacility_instance.core.vocabulary.mail import MailSecurity
from seqfacility_instance.core.vocabulary.outgoing import SendingStatus
from seqfacility_instance.facility_settings.identity_providers import is_loopback
from seqfacility_instance.facility_settings.sections import MailSection
from seqfacility_instance.mail import store
from seqfacility_instance.mail.sender import MailSender
from seqfacility_instance.mail.smtp import MailNotSent
from seqfacility_instance.site.checks import Check, Verdict


def mail_checks(section: MailSection, public_url: str | None) -> Iterator[Check]:
    """Say how mail is set up; nothing where it is not. Decision: G838."""
    if section.host is None and section.sender is None:
        return
    server = f"{section.host}:{section.port}"
    if not section.is_complete:
        missing = "host" if section.host is None else "from"
        yield Check(
            Verdict.FAIL, f"Mail: the section mail of the settings has no {missing}, so nothing is sent."
        )
    elif public_url is None:
        yield Check(
            Verdict.FAIL,
            "Mail: links would lead nowhere, so nothing is sent. Set SEQFACILITY_PUBLIC_URL to the address at"
            " which people reach the service.",
        )
    elif section.security is MailSecurity.NONE and not is_loopback((section.host or "").lower()):
        yield Check(
            Verdict.WARN,
            f"Mail: goes to {server} without encryption, with its links and the password. Set security to"
            " starttls or tls.",
        )
    else:
        yield Check(
            Verdict.OK, f"Mail: is given to {server}. `seqfacility check-setup --mail ADDRESS` tries it."
        )
    if failed := store.count_mails(SendingStatus.FAILED):
        yield Check(
            Verdict.WARN,
            f"Mail: {counted(failed, 'mail')} could not be sent. GET /api/admin/mail says why.",
        )
    if waiting := store.count_retrying():
        refused = (
            f"{counted(waiting, 'mail was', 'mails were')} not taken by the server and will be sent again."
        )
        yield Check(Verdict.WARN, f"Mail: {refused} Send a test mail to see why.")


def try_mail(sender: MailSender, address: str) -> Check:
    """Send a test mail, and say what the server answered."""
    try:
        said = sender.send_test(address)
    except MailNotSent as failed:
        return Check(Verdict.FAIL, f"Mail: no test mail went to {address}. {str(failed).rstrip('.')}.")
    return Check(Verdict.OK, f"Mail: a test mail went to {address}. The server answered: {said}")
