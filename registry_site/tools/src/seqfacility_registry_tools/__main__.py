"""`python -m seqfacility_registry_tools` is the command `seqfacility-registry-tools`."""

import sys

from seqfacility_registry_tools.cli import main

sys.exit(main())
