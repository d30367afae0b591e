"""Gives mail to a server: connects as the settings say, and tells which refusals are final."""

import contextlib
import re
import smtplib
import socket
import ssl
import threading
from collections.abc import Iterator
from typing import Final

from seqfacility_instance.core import limits
from seqfacility_instance.core.storable_text import storable_text
from seqfacility_instance.core.vocabulary.mail import MailSecurity
from seqfacility_instance.facility_settings.sections import MAIL_ADDRESS, MailSection

_ANSWER_SHOWN: Final = 500
_SERVICE_ENDS: Final = 421
_FAULTS: Final = (smtplib.SMTPException, OSError, ValueError)
"""What smtplib raises for whatever a server does; ValueError for texts that do not fit the protocol."""


class MailNotSent(Exception):
    """The server did not take a mail; the text says why, without any password."""


class MailRefused(MailNotSent):
    """Another attempt would only repeat it."""


class MailServerFailed(MailNotSent):
    """The server could not be reached, or takes no mail; the next one would fare no better."""


def check_address(text: str) -> None:
    """Refuse what a server or a header could read as more than one address; raises `MailNotSent`."""
    if re.fullmatch(MAIL_ADDRESS, text) is None:
        raise MailRefused("It is no address that mail servers take")


def hand_over(section: MailSection, domain: str, to: str, message: bytes) -> str:
    """Connect and sign in as the settings say, and hand one mail over; return what the server said to it.

    Certificates are verified. Raises `MailNotSent`.

    Decision: G838, G839.
    """
    assert section.host is not None, "mail is sent only when its settings are complete"
    assert section.sender is not None, "mail is sent only when its settings are complete"
    context = ssl.create_default_context()
    smtp = (
        smtplib.SMTP_SSL(local_hostname=domain, timeout=limits.MAIL_STEP_SECONDS, context=context)
        if section.security is MailSecurity.TLS
        else smtplib.SMTP(local_hostname=domain, timeout=limits.MAIL_STEP_SECONDS)
    )
    # What certificates are checked against; given to the constructor it would connect, out of our time limit.
    smtp._host = section.host  # type: ignore[attr-defined]  # noqa: SLF001  # see above
    with _within_time(smtp):
        try:
            _open(smtp, section, context)
            _check_reply("sender", smtp.mail(section.sender), is_of_server=True)
            _check_reply("recipient", smtp.rcpt(to))
            return _check_reply("mail", smtp.data(message))
        except smtplib.SMTPDataError as refused:
            return _check_reply("mail", (refused.smtp_code, refused.smtp_error))
        except _FAULTS as failed:
            # WHY: whether the server has taken the mail is not known; the same mail is sent again.
            where = f"{section.host}:{section.port}"
            raise MailServerFailed(f"{where}: {_words(failed)}") from failed
        finally:
            # WHY: what has become of the mail is known by now, however the server takes leave.
            with contextlib.suppress(*_FAULTS):
                smtp.quit()
            smtp.close()


def _open(smtp: smtplib.SMTP, section: MailSection, context: ssl.SSLContext) -> None:
    code, answer = smtp.connect(section.host or "", section.port)
    if code != 220:
        raise smtplib.SMTPConnectError(code, answer)
    if section.security is MailSecurity.STARTTLS:
        smtp.starttls(context=context)
    if section.user is not None and section.password is not None:
        smtp.login(section.user, section.password)
    else:
        smtp.ehlo_or_helo_if_needed()


def _check_reply(what: str, reply: tuple[int, bytes | str], *, is_of_server: bool = False) -> str:
    """Return the reply of a server that accepted a command; raises `MailNotSent` when it did not."""
    code, text = reply
    answer = f"{code} {_shown(text)}"
    if 200 <= code < 300:
        return answer
    message = f"The server refused the {what}: {answer}"
    if is_of_server or code == _SERVICE_ENDS:
        raise MailServerFailed(message)
    raise MailRefused(message) if 500 <= code < 600 else MailNotSent(message)


@contextlib.contextmanager
def _within_time(smtp: smtplib.SMTP) -> Iterator[None]:
    """Cut the connection when the block takes too long.

    WHY: the time-out of a socket is for each read; a server that sends a byte now and then never meets it.
    """
    timer = threading.Timer(limits.MAIL_WHOLE_SECONDS, _cut, (smtp,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _cut(smtp: smtplib.SMTP) -> None:
    if smtp.sock is not None:
        with contextlib.suppress(OSError):
            # Of the plain socket: to end TLS properly would mean to wait for the other side.
            socket.socket.shutdown(smtp.sock, socket.SHUT_RDWR)


def _words(failed: BaseException) -> str:
    """Say what went wrong in the server's words where it has said any."""
    if isinstance(failed, smtplib.SMTPResponseException):
        return f"{failed.smtp_code} {_shown(failed.smtp_error)}"
    if isinstance(failed, ssl.SSLCertVerificationError):
        return f"its certificate is not trusted: {failed.verify_message}"
    if isinstance(failed, TimeoutError):
        return f"no answer within {limits.MAIL_STEP_SECONDS:.0f} seconds"
    if isinstance(failed, UnicodeError):
        return "user and password may have ASCII characters only"
    return _shown(str(failed) or type(failed).__name__)


def _shown(text: bytes | str) -> str:
    readable = text if isinstance(text, str) else text.decode("utf-8", "replace")
    return " ".join(storable_text(readable).split())[:_ANSWER_SHOWN]
