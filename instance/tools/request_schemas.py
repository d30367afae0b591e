"""Write the JSON Schemas of the request bodies that the instance reads with pydantic.

The models decide; the schemas are their picture for those who call the service. Run it after a model has
changed:

    python instance/tools/request_schemas.py

Bodies that are read by hand have schemas written by hand beside these.
"""

import json
import sys
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from seqfacility_instance.accounts import bodies as accounts
from seqfacility_instance.delivery_links import bodies as delivery_links
from seqfacility_instance.first_hour.bodies import FirstHourSave
from seqfacility_instance.forms.bodies import OrderFormSave
from seqfacility_instance.forms.form import FormField, FormGroup
from seqfacility_instance.mail import bodies as mail
from seqfacility_instance.messages import bodies as messages
from seqfacility_instance.notifications import bodies as notifications
from seqfacility_instance.orders import bodies as orders
from seqfacility_instance.orders import sample_bodies as samples
from seqfacility_instance.pipelines import bodies as pipelines
from seqfacility_instance.reads import bodies as reads
from seqfacility_instance.results import bodies as results
from seqfacility_instance.run_plans import bodies as run_plans
from seqfacility_instance.streams import bodies as streams
from seqfacility_instance.studies import bodies as studies
from seqfacility_instance.tokens import bodies as tokens
from seqfacility_instance.uploads import bodies as uploads
from seqfacility_instance.uploads import plan_bodies as upload_plans
from seqfacility_instance.webhooks import bodies as webhooks

MODELS: dict[str, type[BaseModel]] = {
    "accounts/confirmation": accounts.ConfirmationBody,
    "accounts/department": accounts.DepartmentSave,
    "accounts/invite": accounts.InviteBody,
    "accounts/invite-check": accounts.InviteCheck,
    "accounts/new-department": accounts.NewDepartment,
    "accounts/password-change": accounts.PasswordChange,
    "accounts/password-reset": accounts.PasswordReset,
    "accounts/profile": accounts.ProfileSave,
    "accounts/reset-link-options": accounts.ResetLinkOptions,
    "accounts/reset-request": accounts.ResetRequest,
    "accounts/registration": accounts.RegistrationBody,
    "accounts/second-factor-code": accounts.CodeBody,
    "accounts/user": accounts.UserSave,
    "delivery_links/new-delivery-link": delivery_links.NewLink,
    "first_hour/first-hour-save": FirstHourSave,
    "forms/form-field": FormField,
    "forms/form-group": FormGroup,
    "forms/order-form-options": OrderFormSave,
    "mail/mail-preferences-save": mail.PreferencesSave,
    "messages/new-ticket": messages.NewTicket,
    "messages/new-ticket-message": messages.NewMessage,
    "messages/ticket-change": messages.TicketChange,
    "notifications/read-marks": notifications.ReadMarks,
    "orders/note": orders.NoteSave,
    "orders/order": orders.OrderSave,
    "orders/order-owner": orders.OwnerChange,
    "orders/order-samples": samples.BulkSave,
    "orders/order-status-options": orders.StatusMove,
    "orders/sample": samples.SampleSave,
    "pipelines/pipeline-decision": pipelines.Decision,
    "pipelines/pipeline-import": pipelines.RepositoryRequest,
    "reads/artifact-change": reads.ArtifactChange,
    "reads/read-change": reads.ReadChange,
    "reads/reads": reads.Assignments,
    "results/filing": results.FilingRequest,
    "results/promotion": results.PromotionRequest,
    "run_plans/new-sequencing-run": run_plans.NewRun,
    "run_plans/run-assignments": run_plans.AssignmentsSave,
    "run_plans/run-plan-check": run_plans.PlanCheck,
    "run_plans/sequencing-run": run_plans.RunSave,
    "streams/stream-collection": streams.Collect,
    "streams/stream-map": streams.MapChange,
    "streams/stream-options": streams.StreamStart,
    "studies/new-study": studies.NewStudy,
    "studies/sample-ids": studies.SampleIds,
    "studies/study": studies.StudySave,
    "studies/study-samples": studies.StudySamplesSave,
    "tokens/new-machine": tokens.NewMachine,
    "tokens/new-token": tokens.NewToken,
    "uploads/upload-completion": uploads.Completion,
    "uploads/upload-plan": upload_plans.PlanRequest,
    "uploads/upload-options": uploads.Description,
    "webhooks/webhook": webhooks.NewWebhook,
}
"""The models whose schemas are written: `orders/note` is `instance/orders/requests/note.schema.json`."""

FOLDER = Path(__file__).resolve().parents[2] / "schemas/seqfacility_schemas/instance"
_TOLD_BY_MODELS = {"title", "description"}


def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """Describe what a model reads. `null` is left out wherever it does not clear, so it may stand anywhere.

    Decision: G1, G361.
    """
    told = model.model_json_schema(by_alias=True)
    described: dict[str, Any] = _written(told)
    title = (model.__doc__ or model.__name__).split("\n")[0].split(" Decision:")[0].split(" Spec:")[0]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title.strip().rstrip("."),
        **described,
    }


def differences() -> list[str]:
    """Name the schemas that are missing or say something else than their model."""
    return [name for name, model in MODELS.items() if _present(name) != schema_of(model)]


def _file(name: str) -> Path:
    slice_, _, stem = name.partition("/")
    return FOLDER / slice_ / "requests" / f"{stem}.schema.json"


def _present(name: str) -> object:
    file = _file(name)
    return json.loads(file.read_text("utf-8")) if file.exists() else None


def _written(value: Any) -> Any:  # any JSON value
    """Leave out what says nothing over the wire: pydantic's titles, our citations, defaults of null."""
    if isinstance(value, list):
        return [_written(entry) for entry in value]
    if not isinstance(value, dict):
        return value
    kept = {key: entry for key, entry in value.items() if not _says_nothing(key, entry)}
    written = {
        key: {name: _written(entry) for name, entry in inner.items()}
        if key in {"properties", "$defs"}
        else _written(inner)
        for key, inner in kept.items()
    }
    if written.get("additionalProperties") is True:
        del written["additionalProperties"]
    return _nullable_where_left_out(written)


def _says_nothing(key: str, entry: object) -> bool:
    return (key in _TOLD_BY_MODELS and isinstance(entry, str)) or (key == "default" and entry is None)


def _nullable_where_left_out(schema: dict[str, Any]) -> dict[str, Any]:
    """Let an optional property of an object be null: null means that it is left out."""
    required = set(schema.get("required", ()))
    for name, entry in schema.get("properties", {}).items():
        if name not in required and entry:
            schema["properties"][name] = _or_null(entry)
    return schema


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Let a value be null as well, in the shortest words."""
    choices = [choice for choice in schema.get("anyOf", ()) if choice != {"type": "null"}]
    only = choices[0] if len(choices) == 1 else schema if not choices else {}
    if isinstance(only.get("type"), str) and "enum" not in only:
        default = {"default": schema["default"]} if "default" in schema else {}
        return {**only, "type": [only["type"], "null"], **default}
    if {} in choices:
        return {}
    if choices:
        return {**schema, "anyOf": [*choices, {"type": "null"}]}
    default = {"default": schema.pop("default")} if "default" in schema else {}
    return {"anyOf": [schema, {"type": "null"}], **default}


def main() -> int:
    """Write every schema anew."""
    for name, model in MODELS.items():
        file = _file(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(schema_of(model), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
