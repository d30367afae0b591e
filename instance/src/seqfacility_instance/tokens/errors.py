"""Refusals around API tokens and machines. Decision: G802, G804."""

from seqfacility_wire.errors import ServiceError

from seqfacility_instance.core import limits


class TokenNotFound(ServiceError):
    status = 404
    message = "Token not found"


class TooManyTokens(ServiceError):
    status = 409
    message = f"An account has at most {limits.TOKENS_PER_PERSON} API tokens. Revoke one first."


class MachineNotFound(ServiceError):
    status = 404
    message = "Machine not found"


class TooManyMachines(ServiceError):
    status = 409
    message = f"There are at most {limits.MACHINES} machines. Delete one first."
