"""What refuses a caller does so under `python -O` too, which leaves every `assert` out."""

import subprocess
import sys

import pytest

CALLER = """
from types import SimpleNamespace
from seqfacility_instance.access.guard import facility_admin
request = SimpleNamespace(context=SimpleNamespace(caller=None), uri_template="/api/admin/things")
facility_admin(request)
"""
ROUTE = """
import falcon
from seqfacility_instance.routing import Route, add_routes
class Writable:
    def on_put(self, req, resp): ...
add_routes(falcon.App(), [Route("/api/things", Writable())])
"""
PROTECTED = """
from seqfacility_instance.core.vocabulary.sequencing import DataClass
from seqfacility_instance.results.service.promotion import _unprotected
_unprotected(DataClass.RAW)
"""


@pytest.mark.parametrize("script", [CALLER, ROUTE, PROTECTED])
def test_the_second_line_of_access_holds_without_assertions(script: str) -> None:
    script = f"assert False\n{script}"  # itself left out, or nothing below would run

    run = subprocess.run([sys.executable, "-O", "-c", script], capture_output=True, text=True, check=False)

    assert run.returncode == 1
    assert run.stderr.splitlines()[-1].startswith("AssertionError: ")
