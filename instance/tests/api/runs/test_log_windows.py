"""Reading the log of a run window by window, while it is written and afterwards."""

import pytest
from seqfacility_testkit.facility import Facility
from seqfacility_testkit.pipeline_runs import RUNS, completed, new_run, running, tick, use_scripted_executor
from seqfacility_testkit.scripted_executor import ScriptedExecutor
from seqfacility_testkit.sequencing import OrderInHand, submitted_order

MIB = 1024 * 1024


@pytest.fixture
def scripted(facility: Facility) -> ScriptedExecutor:
    return use_scripted_executor(facility)


@pytest.fixture
def order(facility: Facility) -> OrderInHand:
    return submitted_order(facility)


def test_a_log_is_followed_line_by_line(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    url = f"{RUNS}/{run_id}/logs"
    before = facility.admin.get(url, params={"from": "0"}).json
    folder.output_log.write_text("one\ntwo\nthr")

    first = facility.admin.get(url, params={"from": "0"}).json
    with folder.output_log.open("a") as log:
        log.write("ee\nfour\n")
    second = facility.admin.get(url, params={"from": str(first["next"])}).json
    third = facility.admin.get(url, params={"from": str(second["next"])}).json
    folder.error_log.write_text("of the error\n")
    other = facility.admin.get(url, params={"from": "-9", "stream": "error"}).json

    nothing = {"content": "", "unfinished": "", "from": 0, "next": 0, "size": 0}
    assert before == {**nothing, "fromFile": False}
    assert first == {
        "content": "one\ntwo\n",
        "unfinished": "thr",
        "from": 0,
        "next": 8,
        "size": 11,
        "fromFile": True,
    }
    assert (second["content"], second["from"], second["next"]) == ("three\nfour\n", 8, 19)
    assert (third["content"], third["from"], third["next"]) == ("", 19, 19)
    assert other["content"] == "of the error\n"


def test_a_large_log_is_read_from_its_end_and_backwards_without_a_gap(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    url = f"{RUNS}/{run_id}/logs"
    text = "".join(f"line {number:07}\n" for number in range(400_000))
    folder.output_log.write_text(text)

    window = facility.admin.get(url, params={"from": str(-MIB)}).json
    whole = window["content"]
    while window["from"] > 0:
        until = window["from"]
        asked = {"from": str(max(0, until - MIB)), "until": str(until)}
        window = facility.admin.get(url, params=asked).json
        assert window["next"] == until
        assert len(window["content"]) <= 2 * MIB
        whole = window["content"] + whole
    assert whole == text

    first = facility.admin.get(url, params={"from": "0"}).json
    assert len(first["content"]) <= 2 * MIB
    assert text.startswith(first["content"])
    assert first["content"].endswith("\n")


def test_a_log_that_was_begun_anew_or_is_gone_is_told_from_its_beginning(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = running(facility, order)
    url = f"{RUNS}/{run_id}/logs"
    folder.output_log.write_text("a long line of the first try\n")
    seen = facility.admin.get(url, params={"from": "0"}).json
    folder.output_log.write_text("anew\n")

    anew = facility.admin.get(url, params={"from": str(seen["next"])}).json
    scripted.finish(folder, 1)
    tick(facility)
    folder.output_log.unlink()
    kept = facility.admin.get(url, params={"from": "0"}).json

    assert (anew["content"], anew["from"]) == ("anew\n", 0)
    assert (kept["content"] + kept["unfinished"], kept["fromFile"]) == ("anew", False)


def test_a_window_shows_no_token_and_a_researcher_no_place_on_the_server(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id, folder = completed(facility, scripted, order)
    folder.output_log.write_text(f"{folder.path}/output/x http://host/api?token=secret01\n/etc/ssl/key half")
    facility.admin.put(f"{RUNS}/{run_id}/selection")
    url = f"{RUNS}/{run_id}/logs"

    admin = facility.admin.get(url, params={"from": "0"}).json
    owner = facility.researcher.get(url, params={"from": "0"})
    middle = facility.researcher.get(url, params={"from": str(len(str(folder.path)) // 2)})

    assert admin["content"] == f"{folder.path}/output/x http://host/api?token=***\n"
    assert admin["unfinished"] == "/etc/ssl/key half"
    assert owner.json["content"] == "output/x http://host/api?token=***\n"
    assert owner.json["unfinished"] == "key half"
    assert middle.json["from"] == 0
    assert str(facility.home) not in owner.text
    assert facility.other_researcher.get(url, params={"from": "0"}).status_code == 403


def test_what_is_no_position_asks_for_the_end_as_ever(
    facility: Facility, scripted: ScriptedExecutor, order: OrderInHand
) -> None:
    run_id = new_run(facility, order)
    url = f"{RUNS}/{run_id}/logs"

    for asked in ({}, {"from": "x"}, {"from": ""}, {"from": "1.5"}):
        assert set(facility.admin.get(url, params=asked).json) >= {"steps", "progress"}, asked
    for asked in ({"from": "9" * 60}, {"from": "-" + "9" * 60}, {"from": "0", "until": "-1"}):
        assert facility.admin.get(url, params=asked).json["size"] == 0, asked
    wrong = facility.admin.get(url, params={"from": "0", "stream": "trace"})
    assert (wrong.status_code, wrong.json) == (400, {"error": "type must be output or error"})
