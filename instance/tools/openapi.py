"""Write the OpenAPI document of the instance, from which the types of the pages are made.

python instance/tools/openapi.py instance/web/openapi.json
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from seqfacility_instance.routes import routes
from seqfacility_instance.settings import read_settings
from seqfacility_instance.web.openapi import describe
from seqfacility_instance.wiring import wire


def main() -> int:
    """Describe the routes of an instance that nobody has set up: they are the same everywhere."""
    with tempfile.TemporaryDirectory() as home:
        document = describe(routes(wire(read_settings({"SEQFACILITY_HOME": home}))))
    Path(sys.argv[1]).write_text(json.dumps(_typed(document), ensure_ascii=False), "utf-8")
    return 0


def _typed(part: Any) -> Any:
    """Say as `allOf` what a schema has beside its `$ref`: types are made of one of the two only."""
    if isinstance(part, list):
        return [_typed(one) for one in part]
    if not isinstance(part, dict):
        return part
    beside = {key: _typed(part[key]) for key in ("properties", "required") if key in part}
    if "$ref" in part and beside:
        return {"allOf": [{"$ref": part["$ref"]}, {"type": "object", **beside}]}
    return {key: _typed(value) for key, value in part.items()}


if __name__ == "__main__":
    sys.exit(main())
