"""What `tox` does when nobody names an environment: run several at a time.

WHY: no option of tox.ini says so. Some environments wait, for engines and time-outs, and others compute.
"""

from tox.config.sets import ConfigSet
from tox.plugin import impl
from tox.session.state import State

AT_ONCE = 3


@impl
def tox_add_core_config(core_conf: ConfigSet, state: State) -> None:  # noqa: ARG001  # tox's own signature
    """Let plain `tox` do what `tox --parallel 3` does."""
    options = state.conf.options
    if options.env.is_default_list and getattr(options, "parallel", None) == 0:
        options.parallel = AT_ONCE
