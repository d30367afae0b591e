"""`python -m seqfacility_registry`: the same as the command."""

import sys

from seqfacility_registry.cli import main

sys.exit(main())
