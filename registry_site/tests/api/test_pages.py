"""The pages: what they say, how they are sent, and that a copy has all of them."""

import copy
import hashlib
import json
import re
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urljoin

import pytest
from seqfacility_registry.checklists.editions import Edition, read_edition
from seqfacility_registry.content_folder import read_publication
from seqfacility_registry.export import exported_files
from seqfacility_registry.pages.policy import PAGE_POLICY
from seqfacility_registry.pages.site import FILES_PAGE, INDEX, MENU, NOT_FOUND_PAGE
from seqfacility_registry.web_root import FILE_LIST, Layout, answered_at, web_root
from seqfacility_registry_tools.checklists.writing import write_edition
from seqfacility_testkit.signed_registry import SignedRegistry, sign_registry

PUBLIC_URL = "https://registry.example/api"
_INLINE = re.compile(r"<script(?! src=)|<style|\sstyle=|\son[a-z]+=|javascript:")


class Reader(HTMLParser):
    """Reads what a page links to."""

    def __init__(self, content: bytes) -> None:
        super().__init__()
        self.links: list[str] = []
        self.by_relation: dict[str, str] = {}
        self.feed(content.decode())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self.links += [value for name in ("href", "src") if (value := said.get(name))]
        if tag == "link":
            self.by_relation[said["rel"] or ""] = said["href"] or ""


def pages_of(files: dict[str, bytes]) -> dict[str, bytes]:
    return {
        path: body
        for path, body in files.items()
        if path.endswith(".html") and not path.startswith(("api/", "ga4gh/"))
    }


def export_of(content: Path, layout: Layout = Layout.INDEX, address: str = PUBLIC_URL) -> dict[str, bytes]:
    return dict(exported_files(read_publication(content), address, layout))


def page(registry: Any, path: str) -> Any:
    return registry.client.simulate_get(path)


def entry(content: Path) -> tuple[Path, dict[str, Any]]:
    path = content / "pipelines/read-counter/entry.json"
    return path, json.loads(path.read_bytes())


def test_the_service_answers_the_pages_that_its_export_has(registry: Any, content: Path) -> None:
    pages = pages_of(export_of(content))

    assert {f"{name}/{INDEX}" for name, _title in MENU} < set(pages)
    assert "pipelines/read-counter/index.html" in pages
    for path, body in pages.items():
        if path == FILES_PAGE:
            continue  # a service has no files for servers
        for place in {path, path.removesuffix(INDEX), path.removesuffix(f"/{INDEX}")}:
            answer = page(registry, f"/{place}")

            assert (path, answer.status_code) == (path, 200)
            assert answer.content == body


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("address", [PUBLIC_URL, "https://site.example/registry/api"])
def test_whoever_follows_links_from_the_first_page_finds_every_file(
    content: Path, layout: Layout, address: str
) -> None:
    files, root = export_of(content, layout, address), address.removesuffix("api")
    found, ahead = set(), [root]
    while ahead:
        path = unquote(ahead.pop().partition("#")[0].removeprefix(root))
        path = f"{path}{INDEX}" if path == "" or path.endswith("/") else path
        if path in found:
            continue
        assert path in files, f"{path} is linked and not there"
        found.add(path)
        if path in pages_of(files):
            links = (urljoin(f"{root}{path}", link) for link in Reader(files[path]).links)
            ahead += [link for link in links if link.startswith(root)]

    assert found == set(files)


def test_the_page_of_all_files_of_a_service_leads_to_each_under_its_own_name(
    registry: Any, content: Path
) -> None:
    files = {name: body for name, body in export_of(content).items() if not name.startswith("server/")}

    links = {unquote(link).lstrip("/") for link in Reader(page(registry, "/files/").content).links}

    assert {name for name in files if not name.endswith(f"/{INDEX}")} - {INDEX} <= links
    for name in sorted(links & set(files)):
        answer = page(registry, f"/{name}")
        assert (name, answer.status_code, answer.content) == (name, 200, files[name])


def test_no_page_has_script_or_style_of_its_own_or_anything_from_elsewhere(content: Path) -> None:
    for path, body in pages_of(export_of(content)).items():
        assert _INLINE.findall(body.decode()) == [], path
        assert b'http-equiv="Content-Security-Policy"' in body
        loaded = re.findall(
            rb'<(?:script|img)[^>]* src="([^"]*)"|<link rel="stylesheet" href="([^"]*)"', body
        )
        assert all((one or other).startswith(b"/") for one, other in loaded), path


def test_each_page_names_its_own_address_and_its_answer(registry: Any) -> None:
    said = Reader(page(registry, "/pipelines/read-counter").content).by_relation

    assert said["canonical"] == "https://registry.example/pipelines/read-counter/"
    assert said["alternate"] == "/api/registry/read-counter/index.json"
    assert registry.client.simulate_get(said["alternate"]).json["id"] == "read-counter"


def test_the_site_map_has_the_address_of_every_page(registry: Any, content: Path) -> None:
    answer = page(registry, "/sitemap.xml")

    addresses = re.findall(r"<loc>(.*?)</loc>", answer.text)
    pages = [path for path in pages_of(export_of(content)) if path != NOT_FOUND_PAGE]
    assert sorted(addresses) == sorted(f"https://registry.example/{one.removesuffix(INDEX)}" for one in pages)
    assert answer.headers["content-type"] == "application/xml"


def test_every_row_of_the_search_leads_to_a_place_that_is_there(content: Path) -> None:
    files = export_of(content)
    rows = json.loads(files["search.json"])

    kinds = {"Pipeline", "Checklist", "Platform", "Device", "Flow cell", "Kit", "Profile", "Metric", "Field"}
    assert {row["kind"] for row in rows} == kinds
    for row in rows:
        path, _, anchor = row["path"].partition("#")
        path, _, query = path.partition("?field=")
        body = files[f"{path}{INDEX}"].decode()
        assert row["title"] in body
        assert anchor == "" or f'id="{anchor}"' in body
        assert unquote(query) in {"", row["title"]}


def test_pages_are_sent_with_their_policy_and_may_be_kept_like_answers(registry: Any) -> None:
    answer = page(registry, "/")

    assert answer.headers["content-security-policy"] == PAGE_POLICY
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "public, s-maxage=300, stale-while-revalidate=600"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers
    again = registry.client.simulate_get("/", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_an_address_without_a_page_is_answered_by_a_page_that_says_so(registry: Any) -> None:
    for path in ("/nowhere", "/pipelines/nothing", "/pipelines/../", "/look/"):
        answer = page(registry, path)

        assert (path, answer.status_code) == (path, 404)
        assert "<h1>Not found</h1>" in answer.text
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["content-security-policy"] == PAGE_POLICY
    for path in (
        "/api/nowhere",
        "/ga4gh/nowhere",
        "/images/nowhere",
        "/server/nginx.conf",
        "/api",
        "/server",
    ):
        answer = page(registry, path)
        assert (path, answer.status_code, answer.json) == (path, 404, {"error": "Not found"})


def test_pages_are_read_and_nothing_else(registry: Any) -> None:
    client = registry.client
    head, whole = client.simulate_head("/pipelines/"), page(registry, "/pipelines/")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == whole.headers["content-length"]
    options = client.simulate_options("/pipelines/")
    assert (options.status_code, options.headers["allow"]) == (204, "GET, HEAD, OPTIONS")
    refused = client.simulate_post("/pipelines/", body="x")
    assert (refused.status_code, refused.json) == (405, {"error": "Method not allowed"})
    assert refused.headers["allow"] == "GET, HEAD, OPTIONS"


def test_a_pipeline_says_which_versions_were_withdrawn_and_what_is_wrong_with_them(
    start: Callable[[], Any], content: Path
) -> None:
    path, document = entry(content)
    document["versions"][0] |= {"status": "yanked", "yankReason": "Counts <twice>."}
    document["advisories"] = [
        {
            "id": "SFA-1",
            "severity": "high",
            "summary": "Counts are doubled.",
            "affects": ["1.9.0"],
            "fixedIn": "1.10.0",
            "url": "https://advisories.example/SFA-1",
            "published": "2031-05-06",
        }
    ]
    path.write_text(json.dumps(document))

    text = page(start(), "/pipelines/read-counter/").text

    assert "Counts &lt;twice&gt;." in text
    assert "Advisory SFA-1: high" in text
    assert "Affects 1.9.0. Fixed in 1.10.0." in text
    assert '<a href="https://advisories.example/SFA-1">More about it</a>' in text
    assert "seqfacility install-pipeline read-counter --enable" in text


def test_a_checklist_says_what_each_version_changed(start: Callable[[], Any], content: Path) -> None:
    first = read_edition(content / "checklists")
    later = copy.deepcopy(list(first.checklists))
    soil = next(row for row in later if row["accession"] == "ERC000022")
    field = soil["fields"][0]
    soil["fields"][0] = {**field, "required": not field["required"], "units": [*field["units"], "parsec"]}
    soil["fields"].append({**field, "name": "new_one", "label": "new <one>", "order": 99})
    write_edition(content / "checklists", Edition(2, "2031-06-04", (), tuple(later)))

    registry = start()
    text = page(registry, "/checklists/ERC000022/").text

    assert "Version 2 of the set, 2031-06-04" in text
    assert "<dt>New</dt><dd>new &lt;one&gt;</dd>" in text
    assert re.search(r"mandatory: <del>(yes|no)</del> → <ins>(yes|no)</ins>; units: <del>none</del>", text)
    assert "<ins>parsec</ins>" in text
    assert "What each version changed" not in page(registry, "/checklists/ERC000011/").text
    assert "Versions of the set" in page(registry, "/checklists/").text
    assert registry.get("/registry/mixs/changes").json["version"] == 2


@pytest.mark.parametrize("known", [{}, {"by": "Lakeside Genomics", "data": "One lane of a mock <community>"}])
def test_a_verified_pipeline_says_what_is_known_of_its_run_and_nothing_else(
    start: Callable[[], Any], content: Path, known: dict[str, str]
) -> None:
    path, document = entry(content)
    record = {
        "version": "1.10.0",
        "date": "2031-05-04",
        "engine": "nextflow",
        "engineVersion": "26.04.0",
        "test": "-profile test",
        "outputs": ["counts"],
    }
    path.write_text(json.dumps(document | {"verified": True, "verification": record | known}))

    text = page(start(), "/pipelines/read-counter/").text

    assert "version 1.10.0, with Nextflow 26.04.0" in text
    assert ("<dt>Run by</dt><dd>Lakeside Genomics</dd>" in text) is ("by" in known)
    assert ("<dt>Data</dt><dd>One lane of a mock &lt;community&gt;</dd>" in text) is ("data" in known)
    assert text.count("<dt>Run by</dt>") == text.count("<dt>Data</dt>") == bool(known)


def test_a_private_pipeline_has_no_install_line_and_no_download(registry: Any) -> None:
    text = page(registry, "/pipelines/private-counter/").text

    assert "install-pipeline" not in text
    assert "/download" not in text


def test_text_of_the_content_is_text_on_every_page(content: Path) -> None:
    hostile = "<img src=x onerror=alert(1)>'\"&"
    path = content / "catalog" / "sequencing-tech.json"
    catalog = json.loads(path.read_bytes())
    for collection in ("technologies", "devices", "flowCells", "kits"):
        catalog[collection][0]["name"] = hostile
    path.write_text(json.dumps(catalog))

    files = export_of(content)

    assert b"&lt;img src=x onerror=alert(1)&gt;&#39;&#34;&amp;" in files["technology/index.html"]
    assert b"<img src=x" not in b"".join(pages_of(files).values())


def test_a_broken_answer_costs_its_own_page_alone(registry: Any, content: Path) -> None:
    (content / "catalog" / "sequencing-tech.json").write_text("{}")
    (content / "pipelines/read-counter/entry.json").write_text("{}")
    while not registry.folder.poll():
        pass

    assert "has no catalog at the moment" in page(registry, "/technology/").text
    assert page(registry, "/pipelines/read-counter/").status_code == 404
    assert page(registry, "/checklists/ERC000022/").status_code == 200


def test_pages_follow_the_content(registry: Any, content: Path) -> None:
    assert "No figures have been collected yet" not in page(registry, "/research").text
    (content / "research" / "snapshot.json").unlink()
    for path in (content / "releases").iterdir():
        path.unlink()
    while not registry.folder.poll():
        pass

    assert "No figures have been collected yet" in page(registry, "/research").text
    assert "No release has been published" in page(registry, "/releases").text


def test_a_plot_has_a_table_with_every_value(registry: Any, content: Path) -> None:
    text = page(registry, "/research/").text

    for metric in json.loads((content / "research/snapshot.json").read_bytes())["metrics"]:
        assert f'<figure id="metric-{metric["id"]}">' in text
        for day, _value in metric["series"]:
            assert f'<th scope="row">{day}</th>' in text
    assert text.count("<polyline") == 3


def test_pages_at_another_address_name_that_address(content: Path) -> None:
    here, there = (
        export_of(content, address=f"https://{host}/api") for host in ("one.example", "two.example")
    )

    assert b"https://one.example/api" in here["index.html"]
    assert {path for path in here if here[path] != there[path]} >= {"index.html", "sitemap.xml"}
    assert not any(b"one.example" in body for body in there.values())


def test_pages_of_a_signed_registry_say_who_signed_what_and_where_trust_begins(
    start: Callable[[], Any], content: Path, tmp_path: Path
) -> None:
    signed = sign_registry(content, tmp_path / "keys", publishers=["read"])
    digest = hashlib.sha256(signed.root_file.read_bytes()).hexdigest()
    registry = start()

    home = page(registry, "/").text
    assert digest in home
    assert "SEQFACILITY_REGISTRY_ROOT=/etc/seqfacility/root.1.json" in home
    assert "seqfacility-registry pull https://registry.example/api /srv/registry" in home
    mirrors = page(registry, "/mirrors/").text
    assert f'SHA-256 <code class="digest">{digest}</code>' in mirrors
    assert (
        len(re.findall(r'<th scope="row">(Root|Registry|Publisher read|Snapshot|Timestamp)<br>', mirrors))
        == 5
    )
    for key in keys_that_signed(signed, "root.1"):
        assert f'<code class="digest">{key}</code>' in mirrors
    assert signers(page(registry, "/pipelines/read-counter/").text) == ["Publisher read"] * 2
    assert signers(page(registry, "/checklists/ERC000022/").text) == ["Registry"]


def test_every_root_of_a_registry_is_shown_with_its_digest(
    start: Callable[[], Any], content: Path, tmp_path: Path
) -> None:
    signed = sign_registry(content, tmp_path / "keys")
    signed.new_root()
    signed.publish()

    mirrors = page(start(), "/mirrors/").text

    for name in ("root.1.json", "root.2.json"):
        assert hashlib.sha256((content / "trust" / name).read_bytes()).hexdigest() in mirrors
    assert "--root root.1.json" in mirrors


def test_pages_of_a_registry_that_nobody_signed_say_so(registry: Any) -> None:
    for path in ("/", "/mirrors/", "/pipelines/read-counter/", "/checklists/ERC000022/"):
        text = page(registry, path).text

        assert re.search("othing here is signed|registry is not signed", text), path
        assert "root.1.json" not in text
        assert "seqfacility-registry pull" not in text


def keys_that_signed(signed: SignedRegistry, name: str) -> list[str]:
    metadata = json.loads((signed.content / "trust" / f"{name}.json").read_bytes())
    return [row["keyid"] for row in metadata["signatures"]]


def signers(text: str) -> list[str]:
    return re.findall(r'#signatures">([^<]*)</a>, until <time', text)


def test_every_release_of_every_channel_is_shown_newest_first(registry: Any) -> None:
    releases = registry.get("/releases").json["releases"]

    text = page(registry, "/releases/").text

    shown = re.findall(r'<h2 id="release-[0-9]+">([^ ]+) <span class="[^"]*">([^<]+)<', text)
    assert shown == [(row["version"], row["channel"]) for row in releases]
    assert {channel for _version, channel in shown} == {"stable", "beta"}
    assert len(shown) > 2


def test_a_mirror_of_an_earlier_registry_shows_its_latest_release(content: Path) -> None:
    answers = {
        answered_at(path): body
        for path, body in export_of(content).items()
        if path.startswith(("api/", "ga4gh/", "images/"))
        and path not in {FILE_LIST, "api/releases/index.json"}
    }

    text = web_root(answers, Layout.INDEX)["releases/index.html"].decode()

    assert text.count('<h2 id="release-') == 1
    assert json.loads(answers["api/version"])["latest"]["version"] in text


@pytest.mark.parametrize(
    "host",
    [
        'evil.example"><script>alert(1)</script>',
        "someone@evil.example",
        "evil.example/registry",
        "evil.example?",
        "evil.example#",
        "evil.example:80:80",
        "[evil.example]",
        "evil.example" * 30,
        "\u00e9vil.example",
    ],
)
def test_a_host_that_is_none_gets_into_no_page(start: Callable[..., Any], host: str) -> None:
    registry = start(public_url=None)

    for path in ("/", "/mirrors/", "/profiles/", "/sitemap.xml", "/nowhere"):
        answer = registry.client.simulate_get(path, headers={"Host": host})

        assert "vil.example" not in answer.text, path
        assert answer.status_code == (404 if path == "/nowhere" else 200)


def test_what_a_proxy_did_not_set_gets_into_no_page(start: Callable[..., Any]) -> None:
    sent = {
        "X-Forwarded-Host": "evil.example",
        "Forwarded": "host=evil.example",
        "X-Forwarded-Prefix": "/evil",
    }

    answer = start(public_url=None).client.simulate_get("/", headers=sent)

    assert "evil" not in answer.text


def test_a_page_that_names_the_host_of_its_asker_is_kept_by_no_cache_unasked(
    start: Callable[..., Any],
) -> None:
    client = start(public_url=None).client

    one, other = (client.simulate_get("/", headers={"Host": f"{name}.example"}) for name in ("one", "other"))

    assert one.headers["cache-control"] == "no-cache"
    assert "http://one.example/api" in one.text
    assert "one.example" not in other.text
    asked = {"Host": "other.example", "If-None-Match": one.headers["etag"]}
    assert client.simulate_get("/", headers=asked).content == other.content


def test_an_empty_registry_has_every_page_and_says_that_there_is_nothing(
    start: Callable[..., Any], content: Path
) -> None:
    for folder in ("pipelines", "catalog", "releases", "research", "profiles"):
        shutil.rmtree(content / folder)
    write_edition(content / "checklists", Edition(2, "2031-06-04", (), ()))
    registry = start()

    text = {name: page(registry, f"/{name}/").text for name in ("pipelines", "checklists", "profiles")}
    assert all(
        "offers none" in one and "<table" not in one.split("Versions of the set")[0] for one in text.values()
    )
    home = page(registry, "/").text
    assert "0 pipelines" in home
    assert "install-pipeline" not in home
    assert "init --profile" not in home
    for name, _title in MENU:
        assert page(registry, f"/{name}/").status_code == 200
    assert json.loads(page(registry, "/search.json").text) == []


def test_a_drawing_that_the_registry_does_not_have_is_not_shown(
    start: Callable[..., Any], content: Path
) -> None:
    path = content / "catalog" / "sequencing-tech.json"
    catalog = json.loads(path.read_bytes())
    technology = catalog["technologies"][0]
    rows = [
        ("there", "/images/catalog/x.svg"),
        ("gone", "/images/catalog/gone.svg"),
        ("far", "https://x.invalid/y.svg"),
    ]
    catalog["technologies"] = [{**technology, "id": name, "icon": icon} for name, icon in rows]
    path.write_text(json.dumps(catalog))

    text = page(start(), "/technology/").text

    assert re.findall(r'<img src="([^"]*)"', text) == ["/images/catalog/x.svg"]
