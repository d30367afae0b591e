"""What `check-setup` says of the identity providers: does each answer as it must?"""

from seqfacility_instance.oidc.errors import SignInRefused
from seqfacility_instance.oidc.service import SingleSignOn
from seqfacility_instance.site.checks import Check, Verdict


def provider_checks(single_sign_on: SingleSignOn) -> list[Check]:
    """Ask each provider for its metadata. People with a password sign in anyway, so nothing fails.

    Decision: G826.
    """
    found = []
    for provider in single_sign_on.providers():
        try:
            single_sign_on.client_secret(provider)
            single_sign_on.documents.metadata(provider.issuer)
        except SignInRefused as refused:
            text = f"{refused}. Correct `signIn` in the settings, or start the provider."
            found.append(Check(Verdict.WARN, f"Sign-in by {provider.id}: {text}"))
        else:
            found.append(Check(Verdict.OK, f"Sign-in by {provider.id}: {provider.issuer} answers."))
    return found
