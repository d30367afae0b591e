"""`python -m seqfacility_pipeline_package`."""

import sys

from seqfacility_pipeline_package.cli import main

if __name__ == "__main__":
    sys.exit(main())
