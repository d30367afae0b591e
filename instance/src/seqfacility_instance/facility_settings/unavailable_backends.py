"""What settings hold for schedulers that cannot be used here: it is kept, not shown, and cannot be changed.

Decision: G515.
"""

from collections.abc import Mapping

from seqfacility_workflow_runtime.executors.registry import SCHEDULERS, offered


def unavailable() -> tuple[str, ...]:
    """Name the schedulers that cannot be used here; their keys begin with their names."""
    return tuple(SCHEDULERS.keys() - offered())


def without_keys(document: Mapping[str, object], names: tuple[str, ...]) -> dict[str, object]:
    """Leave out the keys of these schedulers."""
    return {key: value for key, value in document.items() if not key.startswith(names)}


def keys_in(changes: Mapping[str, object], names: tuple[str, ...]) -> list[str]:
    """List the paths of the keys of these schedulers."""
    return [key for key in changes if key.startswith(names)] + [
        f"pipelineOverrides.{pipeline}.{key}"
        for pipeline, override in _overrides(changes).items()
        for key in override
        if key.startswith(names)
    ]


def with_stored_overrides(
    document: Mapping[str, object], stored: Mapping[str, object], names: tuple[str, ...]
) -> dict[str, object]:
    """Put back into overrides that were replaced what is stored in them for these schedulers."""
    before, after = _overrides(stored), _overrides(document)
    kept = {
        pipeline: {key: value for key, value in override.items() if key.startswith(names)} | after[pipeline]
        for pipeline, override in before.items()
        if pipeline in after
    }
    return {**document, "pipelineOverrides": {**after, **kept}} if kept else dict(document)


def changeable(
    document: Mapping[str, object], stored: Mapping[str, object], names: tuple[str, ...]
) -> dict[str, object]:
    """Leave out what is stored for these schedulers, so that it is no reason to refuse another change."""
    before = _overrides(stored)
    shown = _without_mode(without_keys(document, names), stored, "defaultBackend", names)
    own = {
        pipeline: _without_mode(without_keys(override, names), before.get(pipeline, {}), "mode", names)
        for pipeline, override in _overrides(document).items()
    }
    return {**shown, "pipelineOverrides": {**_document(shown["pipelineOverrides"]), **own}} if own else shown


def _without_mode(
    document: dict[str, object], stored: Mapping[str, object], key: str, names: tuple[str, ...]
) -> dict[str, object]:
    mode = document.get(key)
    is_kept = mode in names and mode == stored.get(key)
    return {name: value for name, value in document.items() if not (is_kept and name == key)}


def _overrides(document: Mapping[str, object]) -> dict[str, dict[str, object]]:
    found = _document(document.get("pipelineOverrides"))
    return {pipeline: override for pipeline, override in found.items() if isinstance(override, dict)}


def _document(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}
