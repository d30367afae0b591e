"""What the scopes of an API token include."""

import pytest
from seqfacility_instance.access.scopes import allows
from seqfacility_instance.core.vocabulary.people import Scope

INCLUDED = {
    Scope.ORDERS_READ: {Scope.ORDERS_READ},
    Scope.ORDERS_WRITE: {Scope.ORDERS_READ, Scope.ORDERS_WRITE},
    Scope.UPLOADS_WRITE: {Scope.UPLOADS_WRITE},
    Scope.DELIVERY_READ: {Scope.DELIVERY_READ},
    Scope.RUNS_READ: {Scope.RUNS_READ},
    Scope.RUNS_WRITE: {Scope.RUNS_READ, Scope.RUNS_WRITE},
    Scope.ADMIN: set(Scope),
}


@pytest.mark.parametrize("granted", Scope)
def test_a_scope_includes_what_the_documents_say_and_nothing_else(granted: Scope) -> None:
    assert {needed for needed in Scope if allows({granted}, needed)} == INCLUDED[granted]
    assert not allows({granted}, None)


def test_no_scope_allows_nothing() -> None:
    assert not any(allows(set(), needed) for needed in Scope)
