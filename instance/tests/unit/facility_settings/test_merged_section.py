"""How a change is laid over what is stored."""

from seqfacility_instance.facility_settings.modules import DEFAULTS, read_modules
from seqfacility_instance.facility_settings.sections import AccessSection, ExecutionSection
from seqfacility_instance.facility_settings.service import merged_section, section_answer


def test_keys_that_are_not_sent_stay() -> None:
    merged = merged_section({"siteName": "A", "sessionIdleHours": 3}, {"siteName": "B"}, AccessSection)

    assert merged == {"siteName": "B", "sessionIdleHours": 3}


def test_overrides_merge_by_pipeline_and_null_removes_one() -> None:
    stored = {"pipelineOverrides": {"mag": {"mode": "slurm"}, "qc": {"mode": "local"}}}

    merged = merged_section(stored, {"pipelineOverrides": {"mag": None, "new": {}}}, ExecutionSection)

    assert merged == {"pipelineOverrides": {"qc": {"mode": "local"}, "new": {}}}


def test_an_override_is_replaced_as_a_whole() -> None:
    stored = {"pipelineOverrides": {"mag": {"mode": "slurm", "slurmCores": 8}}}

    merged = merged_section(stored, {"pipelineOverrides": {"mag": {"mode": "local"}}}, ExecutionSection)

    assert merged == {"pipelineOverrides": {"mag": {"mode": "local"}}}


def test_overrides_of_a_wrong_type_are_left_for_the_check() -> None:
    assert merged_section({}, {"pipelineOverrides": 5}, ExecutionSection) == {"pipelineOverrides": 5}


def test_merging_changes_neither_argument() -> None:
    stored: dict[str, object] = {"pipelineOverrides": {"mag": {}}}
    changes: dict[str, object] = {"pipelineOverrides": {"mag": None}}

    merged_section(stored, changes, ExecutionSection)

    assert (stored, changes) == ({"pipelineOverrides": {"mag": {}}}, {"pipelineOverrides": {"mag": None}})


def test_an_answer_says_only_whether_a_secret_is_set() -> None:
    with_secret = section_answer(ExecutionSection(weblog_secret="open sesame"))
    without = section_answer(ExecutionSection())

    assert (with_secret["weblogSecretIsSet"], without["weblogSecretIsSet"]) == (True, False)
    assert "weblogSecret" not in with_secret
    assert "open sesame" not in str(with_secret)


def test_modules_that_nobody_stored_have_their_defaults() -> None:
    modules = read_modules({"modules": {"funding-info": True, "long-gone": True}})

    assert {name for name, is_on in modules.stored.items() if is_on != DEFAULTS[name]} == {"funding-info"}
    assert not modules.global_disabled


def test_the_switch_for_all_makes_every_module_act_as_off() -> None:
    modules = read_modules({"globalDisabled": True})

    assert not any(modules.is_on(name) for name in modules.stored)
    assert modules.stored == DEFAULTS
