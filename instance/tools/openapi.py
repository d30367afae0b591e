"""Write the OpenAPI document of the instance, from which the types of the pages are made.

python instance/tools/openapi.py instance/web/openapi.json
"""

import json
import sys
import tempfile
from pathlib import Path

from seqfacility_instance.routes import routes
from seqfacility_instance.settings import read_settings
from seqfacility_instance.web.openapi import describe
from seqfacility_instance.wiring import wire


def main() -> int:
    """Describe the routes of an instance that nobody has set up: they are the same everywhere."""
    with tempfile.TemporaryDirectory() as home:
        document = describe(routes(wire(read_settings({"SEQFACILITY_HOME": home}))))
    Path(sys.argv[1]).write_text(json.dumps(document, ensure_ascii=False), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
