"""What says who may is made in `access/` alone: typed callers, and rows opened for them."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import seqfacility_instance
from seqfacility_instance.routes import routes
from seqfacility_testkit.facility import Facility

SOURCE = Path(seqfacility_instance.__file__).parent
PROOFS = frozenset({"SignedIn", "FacilityAdmin", "LiveFacilityAdmin", "Opened"})
ALIASES = frozenset({"OrderFor", "SampleFor", "StudyFor", "TicketFor", "SequencingRunFor", "StreamRunFor"})


def made_in(source: str) -> Iterator[str]:
    """Name the proofs that a module makes, by whatever name it calls them."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            made = node.func.value if isinstance(node.func, ast.Subscript) else node.func
            name = made.id if isinstance(made, ast.Name) else getattr(made, "attr", "")
            if name in PROOFS | ALIASES:
                yield name


def test_a_proof_that_is_made_is_seen() -> None:
    module = "Opened(caller, row)\nOrderFor[SignedIn](caller, row)\ncallers.FacilityAdmin(user_id='x')"

    assert set(made_in(module)) == {"Opened", "OrderFor", "FacilityAdmin"}


def test_only_access_makes_a_proof() -> None:
    strangers = [
        f"{module.relative_to(SOURCE)} makes {name}"
        for module in sorted(SOURCE.rglob("*.py"))
        for name in made_in(module.read_text(encoding="utf-8"))
        if module.relative_to(SOURCE).parts[0] != "access"
    ]

    assert strangers == []


def test_every_owned_object_of_a_path_is_opened_by_its_responder(facility: Facility) -> None:
    unopened = [
        f"{method} {route.path}"
        for route in routes(facility.services)
        for method in route.access
        for owned in re.findall(r"{(order|sample|study|ticket)_id:", route.path)
        if f"open_{owned}(" not in inspect.getsource(getattr(route.resource, f"on_{method.lower()}"))
    ]

    # A chunk asks for its order and its session by one statement of its own.
    assert unopened == ["PATCH /api/orders/{order_id:id}/sequencing/uploads/{upload_id:id}"]
