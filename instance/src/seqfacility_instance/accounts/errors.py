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
    message = "Too many sign-in attempts. Try again later."


class PasswordRefused(ServiceError):
    """Decision: G28: the new password breaks the rules."""

    message = "Password does not meet the rules"


class CurrentPasswordWrong(ServiceError):
    message = "Current password is not correct"


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
