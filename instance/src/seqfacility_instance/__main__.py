"""`python -m seqfacility_instance` is the command `seqfacility`."""

import sys

from seqfacility_instance.cli import main

sys.exit(main())
