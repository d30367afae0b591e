"""Run a module that may have only so many files open: `few_descriptors NUMBER MODULE [ARGUMENT ...]`."""

import resource
import runpy
import sys

if __name__ == "__main__":
    number = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, (number, number))
    del sys.argv[:2]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
