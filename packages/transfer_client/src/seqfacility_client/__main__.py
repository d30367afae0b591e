"""`python -m seqfacility_client` is the command `seqfacility-client`."""

import sys

from seqfacility_client.cli import main

sys.exit(main())
