"""Refusals around accounts."""

from seqfacility_wire.errors import ServiceError, TooManyRequests


class CredentialsMissing(ServiceError):
    """Gap: G24: email or password missing, empty or not a string."""

    message = "Email and password are required"


class CredentialsWrong(ServiceError):
    """Gap: G24: unknown e-mail, wrong password, deactivated account."""

    status = 401
    message = "Invalid email or password"


class TooManySignIns(TooManyRequests):
    """Gap: G24, G29."""

    message = "Too many sign-in attempts. Try again later."


class PasswordRefused(ServiceError):
    """Gap: G28: the new password breaks the rules."""

    message = "Password does not meet the rules"


class CurrentPasswordWrong(ServiceError):
    """Gap: G28."""

    message = "Current password is not correct"


class EmailTaken(ServiceError):
    """Gap: G30."""

    status = 409
    message = "An account with this email already exists"
