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
