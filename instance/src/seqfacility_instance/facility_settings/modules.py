"""Optional modules: the stored map over the defaults, and the switch that turns all off."""

from collections.abc import Mapping
from dataclasses import dataclass

from seqfacility_instance.core.vocabulary.site import ModuleId

DEFAULTS: dict[ModuleId, bool] = {
    ModuleId.AI_VALIDATION: True,
    ModuleId.MIXS_METADATA: True,
    ModuleId.ACCOUNT_VALIDATION: False,
    ModuleId.FUNDING_INFO: False,
    ModuleId.BILLING_INFO: False,
    ModuleId.ENA_SAMPLE_FIELDS: True,
    ModuleId.DYNAMIC_STUDIES: False,
    ModuleId.NOTIFICATIONS: False,
}
"""Spec: instance, Instance metadata."""


@dataclass(frozen=True, slots=True)
class ModuleMeaning:
    """Label of a module, what it does, and what is missing while it is off. Decision: G1030."""

    label: str
    meaning: str
    when_off: str


_FIELDS_HIDDEN = "These fields are hidden in the forms. What was filled in stays stored."

MEANINGS: dict[ModuleId, ModuleMeaning] = {
    ModuleId.MIXS_METADATA: ModuleMeaning(
        "Metadata checklists",
        "Orders and studies may ask for the metadata of a MIxS checklist.",
        f"No checklist is offered. {_FIELDS_HIDDEN}",
    ),
    ModuleId.ENA_SAMPLE_FIELDS: ModuleMeaning(
        "Fields for the ENA",
        "Samples have organism, alias and title, as archives require.",
        _FIELDS_HIDDEN,
    ),
    ModuleId.DYNAMIC_STUDIES: ModuleMeaning(
        "Forms of single studies",
        "A study may have a form of its own.",
        "Every study uses the form of the facility. Their own forms stay stored.",
    ),
    ModuleId.FUNDING_INFO: ModuleMeaning("Funding", "Studies may ask for their funding.", _FIELDS_HIDDEN),
    ModuleId.BILLING_INFO: ModuleMeaning("Billing", "Orders may ask for billing details.", _FIELDS_HIDDEN),
    ModuleId.NOTIFICATIONS: ModuleMeaning(
        "Notifications",
        "The pages notify people of changes to their orders, runs and messages.",
        "Nobody is notified. Admins are still notified about pipelines and the registry.",
    ),
    ModuleId.ACCOUNT_VALIDATION: ModuleMeaning(
        "Account validation",
        "Only addresses of the domains named under Access may register.",
        "Any address may register.",
    ),
    ModuleId.AI_VALIDATION: ModuleMeaning(
        "Checks by a language model",
        "Known to programs by its id. Nothing in this release uses it.",
        "Nothing changes.",
    ),
}
"""In display order."""


@dataclass(frozen=True, slots=True)
class Modules:
    """Which modules are stored as on, and whether all are switched off. Decision: G40."""

    stored: Mapping[ModuleId, bool]
    global_disabled: bool

    def is_on(self, module: ModuleId) -> bool:
        """Return whether a module works now. Decision: G40."""
        return self.stored[module] and not self.global_disabled


def read_modules(config: Mapping[str, object]) -> Modules:
    """Read the stored configuration over the defaults, so that every id is present.

    Spec: instance, Instance metadata.
    """
    stored = config.get("modules")
    known = stored if isinstance(stored, dict) else {}
    merged = {module: known.get(module.value, default) is True for module, default in DEFAULTS.items()}
    return Modules(merged, config.get("globalDisabled") is True)


def modules_answer(modules: Modules) -> dict[str, object]:
    """Write the modules for the wire. Spec: instance, Instance metadata. Decision: G39."""
    return {
        "modules": {module.value: is_on for module, is_on in modules.stored.items()},
        "globalDisabled": modules.global_disabled,
    }
