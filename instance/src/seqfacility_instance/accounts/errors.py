"""Refusals around accounts. Decision: G14, G29, G31, G32."""

from seqfacility_wire.errors import ServiceError, TooManyRequests


class CredentialsMissing(ServiceError):
    """Decision: G24: email or password missing, empty or not a string."""

    message = "Email and password are required"


class CredentialsWrong(ServiceError):
    """Decision: G24: unknown e-mail, wrong password, deactivated account."""

    status = 401
    message = "Invalid email or password"


class TooManySignIns(TooManyRequests):
    """`email` is what was typed, for the audit trail alone."""

    message = "Too many sign-in attempts. Try again later."

    def __init__(self, retry_after_seconds: int, email: str) -> None:
        super().__init__(retry_after_seconds)
        self.email = email


class PasswordRefused(ServiceError):
    """Decision: G28: the new password breaks the rules."""

    message = "Password does not meet the rules"


class CurrentPasswordWrong(ServiceError):
    message = "Current password is not correct"


class NoPasswordToConfirm(ServiceError):
    """Decision: G811: the account signs in by a provider alone."""

    status = 403
    message = "This account has no password here. Sign in again to confirm who you are."


class SecondFactorRequired(ServiceError):
    """Decision: G814: the password is right, and a code is missing."""

    status = 401
    message = "Second factor required"

    def __init__(self, user_id: str | None = None) -> None:
        super().__init__(extra={"secondFactor": True})
        self.user_id = user_id
        """Whose password it was, for the audit trail alone."""


class ConfirmationNeedsCode(SecondFactorRequired):
    """Decision: G814: the same of a session that is to be confirmed, and goes on."""

    status = 403


class SignInCodeWrong(SecondFactorRequired):
    """Decision: G814: neither the code of this time nor an unused recovery code."""

    message = "Code is not correct"


class CodeWrong(ServiceError):
    """Decision: G814: the same in a session."""

    message = "Code is not correct"


class SecondFactorInUse(ServiceError):
    status = 409
    message = "A second factor is set up already. Remove it first."


class SecondFactorNotBegun(ServiceError):
    status = 409
    message = "Begin to set up the second factor first"


class SecondFactorNotSetUp(ServiceError):
    status = 404
    message = "No second factor is set up"


class ResetLinkNotValid(ServiceError):
    """Decision: G33, G269: unknown, used or expired."""

    message = "Reset link is not valid"


class EmailTaken(ServiceError):
    status = 409
    message = "An account with this email already exists"


class RegistrationClosed(ServiceError):
    status = 403
    message = "Registration is closed"


class InviteRequired(ServiceError):
    message = "An invite code is required for facility admin accounts"


class InviteNotValid(ServiceError):
    """Decision: G30: unknown, used, expired or bound to another e-mail; one text for all."""

    message = "Invite code is not valid"


class EmailDomainRefused(ServiceError):
    message = "Email domain is not allowed"


class SessionNotFound(ServiceError):
    status = 404
    message = "Session not found"


class UserNotFound(ServiceError):
    status = 404
    message = "User not found"


class NotPending(ServiceError):
    """Decision: G410: the account is approved already, or never had to wait."""

    status = 409
    message = "Account does not wait for approval"


class LastAdmin(ServiceError):
    """Decision: G269: nobody would be left to administer the facility."""

    status = 409
    message = "At least one active facility admin must remain"


class AccountErased(ServiceError):
    """Decision: G876: who was there is nobody any more."""

    status = 409
    message = "Account is erased. Make a new one"


class InviteNotFound(ServiceError):
    status = 404
    message = "Invite not found"


class InviteUsed(ServiceError):
    status = 409
    message = "Invite has been used"


class DepartmentNotFound(ServiceError):
    status = 404
    message = "Department not found"


class DepartmentNameTaken(ServiceError):
    status = 409
    message = "A department with this name already exists"


class DepartmentInUse(ServiceError):
    status = 409
    message = "Department is in use"
