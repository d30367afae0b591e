"""Two admins who save at once."""

import threading
from collections.abc import Callable, Sequence
from functools import partial

from requests import Response
from seqfacility_testkit.live import LiveFacility
from seqfacility_testkit.soak import record, rounds


def at_once(acts: list[Callable[[], None]]) -> None:
    barrier = threading.Barrier(len(acts))
    failures: list[Exception] = []

    def run(act: Callable[[], None]) -> None:
        barrier.wait()
        try:
            act()
        except Exception as error:  # noqa: BLE001  # told by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_saves_of_different_sections_lose_nothing(shared_live: LiveFacility) -> None:
    changes = [
        ("access", "siteName", "Core Lab"),
        ("access", "sessionIdleHours", 3),
        ("storage", "minFreeBytes", 7),
        ("uploads", "sessionTtlHours", 9),
        ("execution", "slurmCores", 11),
        ("streamIngest", "stalledAfterMinutes", 13),
    ]
    admins = [shared_live.sign_in() for _change in changes]

    def save(place: int) -> Callable[[], None]:
        section, key, value = changes[place]

        def act() -> None:
            answer = admins[place].patch(f"/api/admin/settings/{section}", json={key: value})
            assert answer.status_code == 200, answer.text

        return act

    at_once([save(place) for place in range(len(changes))])

    sections = admins[0].get("/api/admin/settings").json()["sections"]
    assert [sections[section][key] for section, key, _value in changes] == [row[2] for row in changes]


def one_wins(saves: Sequence[Callable[[], Response]]) -> int:
    """Let all save at once; return whose save was stored, when all others were told."""
    answers: dict[int, int] = {}

    def act(place: int) -> Callable[[], None]:
        return lambda: answers.update({place: saves[place]().status_code})

    at_once([act(place) for place in range(len(saves))])
    assert sorted(answers.values()) == [200, *[409] * (len(saves) - 1)]
    return next(place for place, status in answers.items() if status == 200)


def test_of_many_who_change_what_they_all_saw_one_wins(shared_live: LiveFacility) -> None:
    admins = [shared_live.sign_in() for _admin in range(8)]
    times, address = rounds(1, 100), "/api/admin/settings/access"

    for _time in range(times):
        seen = {"If-Match": admins[0].get("/api/admin/settings").headers["ETag"]}
        changes = [{"sessionIdleHours": hours} for hours in range(1, 9)]
        won = one_wins(
            [
                partial(admin.patch, address, json=change, headers=seen)
                for admin, change in zip(admins, changes, strict=True)
            ]
        )
        kept = admins[0].get("/api/admin/settings").json()["sections"]["access"]
        assert kept["sessionIdleHours"] == changes[won]["sessionIdleHours"]
    record(
        "Of admins who save the same settings at once, nobody overwrites what they have not seen",
        tried=f"{times} times 8 admins saved what all of them had seen",
        found="each time one was stored, and the 7 others were told (409)",
    )


def test_of_many_who_save_the_order_form_that_they_all_saw_one_wins(shared_live: LiveFacility) -> None:
    admins = [shared_live.sign_in() for _admin in range(8)]
    times, address = rounds(1, 100), "/api/admin/form-config"

    for _time in range(times):
        read = admins[0].get(address)
        seen, form = {"If-Match": read.headers["ETag"]}, read.json()
        kept = {key: form[key] for key in ("fields", "enabledMixsChecklists")}
        forms = [
            {**kept, "groups": [{**group, "name": f"{group['id']} of {place}"} for group in form["groups"]]}
            for place in range(8)
        ]
        won = one_wins(
            [
                partial(admin.put, address, json=mine, headers=seen)
                for admin, mine in zip(admins, forms, strict=True)
            ]
        )
        stored = admins[0].get(address).json()
        assert stored["version"] == form["version"] + 1
        assert [group["name"] for group in stored["groups"]] == [
            group["name"] for group in forms[won]["groups"]
        ]
    record(
        "Of admins who save the order form at once, nobody overwrites what they have not seen",
        tried=f"{times} times 8 admins saved a form made of the version that all of them had seen",
        found="each time one became the next version, and the 7 others were told (409)",
    )


def test_switches_of_different_modules_lose_nothing(shared_live: LiveFacility) -> None:
    modules = ["funding-info", "billing-info", "dynamic-studies", "notifications"]
    admins = [shared_live.sign_in() for _module in modules]

    def switch(place: int) -> Callable[[], None]:
        def act() -> None:
            body = {"modules": {modules[place]: True}}
            assert admins[place].put("/api/admin/modules", json=body).status_code == 200

        return act

    at_once([switch(place) for place in range(len(modules))])

    answer = admins[0].get("/api/modules").json()["modules"]
    assert [answer[module] for module in modules] == [True] * len(modules)


def test_a_first_hour_that_many_put_away_at_once_is_away_and_no_setting_is_lost(
    shared_live: LiveFacility,
) -> None:
    admins = [shared_live.sign_in() for _admin in range(6)]

    def put_away(place: int) -> Callable[[], None]:
        def act() -> None:
            answer = admins[place].put("/api/admin/first-hour", json={"putAway": True})
            assert answer.status_code == 200, answer.text

        return act

    def save() -> None:
        answer = admins[0].patch("/api/admin/settings/uploads", json={"sessionTtlHours": 17})
        assert answer.status_code == 200, answer.text

    at_once([save, *[put_away(place) for place in range(1, 6)]])

    assert admins[0].get("/api/admin/first-hour").json()["putAway"] is True
    assert admins[0].get("/api/admin/settings").json()["sections"]["uploads"]["sessionTtlHours"] == 17


MAG = "/api/admin/pipelines/mag"


def test_of_many_who_configure_the_pipeline_that_they_all_saw_one_wins(shared_live: LiveFacility) -> None:
    admins = [shared_live.sign_in() for _admin in range(8)]
    times = rounds(1, 100)

    for time in range(times):
        seen = {"If-Match": admins[0].get(MAG).headers["ETag"]}
        configs = [{"min_contig_size": 1000 + 8 * time + place} for place in range(8)]
        won = one_wins(
            [
                partial(admin.put, MAG, json={"config": config}, headers=seen)
                for admin, config in zip(admins, configs, strict=True)
            ]
        )
        assert admins[0].get(MAG).json()["pipeline"]["config"] == configs[won]
    record(
        "Of admins who configure a pipeline at once, nobody overwrites what they have not seen",
        tried=f"{times} times 8 admins saved settings of the pipeline that all of them had seen",
        found="each time one was stored, and the 7 others were told (409)",
    )


def test_a_pipeline_that_is_enabled_and_configured_at_once_is_both(shared_live: LiveFacility) -> None:
    admins = [shared_live.sign_in() for _admin in range(2)]

    for time in range(rounds(5, 100)):
        is_on, config = time % 2 == 0, {"min_contig_size": 2000 + time}
        bodies = [{"enabled": is_on}, {"config": config}]

        def decide(place: int, body: dict[str, object]) -> None:
            assert admins[place].put(MAG, json=body).status_code == 200

        at_once([partial(decide, place, body) for place, body in enumerate(bodies)])

        stored = admins[0].get(MAG).json()["pipeline"]
        assert (stored["enabled"], stored["config"]) == (is_on, config)
