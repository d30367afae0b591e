"""The story: a researcher orders, the facility sequences, analyses and releases, the researcher downloads."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from seqfacility_testkit.demo.browser import Browser, Refusal
from seqfacility_testkit.demo.narration import Narrator
from seqfacility_testkit.demo.reads import Mates, md5_of

CHUNK_BYTES = 1 << 20
RUN_DEADLINE_SECONDS = 240.0


@dataclass
class Story:
    """What has happened so far: the ids that later steps need."""

    researcher: Browser
    admin: Browser
    narrator: Narrator
    folder: Path
    order_id: str = ""
    order_number: str = ""
    samples: list[dict[str, Any]] = field(default_factory=list)
    raw_paths: dict[str, Path] = field(default_factory=dict)
    """Path of each uploaded file at the facility, and where it came from."""

    def tell(self, mates: list[Mates]) -> None:
        self.narrator.scene("Ada orders sequencing")
        self.order_sequencing(len(mates))
        self.narrator.scene("The facility installs an analysis from the public registry")
        self.install_from_registry()
        self.narrator.scene("The facility receives the reads")
        self.upload_reads(mates)
        self.check_nothing_is_seen()
        self.narrator.scene("The facility analyses them")
        report_run = self.run_pipeline("reads-qc", {})
        cleaning_run = self.run_pipeline("read-cleaning", {"minLength": 60})
        self.promote(cleaning_run)
        self.narrator.scene("The facility releases the results")
        self.select_and_publish(report_run)
        self.narrator.scene("Ada reads the report and downloads her reads")
        self.read_report(report_run)
        self.download_delivery()
        self.check_raw_reads_are_kept()

    def order_sequencing(self, sample_count: int) -> None:
        form = self.researcher.get("/api/form-schema")
        self.narrator.step(f"reads the order form, version {form['version']}, {len(form['fields'])} fields")
        order = self.researcher.post(
            "/api/orders",
            {
                "name": "Two shores of one lake",
                "platform": "ILLUMINA",
                "libraryStrategy": "WGS",
                "librarySource": "METAGENOMIC",
            },
        )["order"]
        self.order_id, self.order_number = order["id"], order["orderNumber"]
        rows = [
            {"sampleAlias": f"lake-{place + 1}", "scientificName": "freshwater metagenome", "taxId": "449393"}
            for place in range(sample_count)
        ]
        saved = self.researcher.post(f"/api/orders/{self.order_id}/samples", {"samples": rows})
        self.samples = saved["samples"]
        self.narrator.step(f"fills order {self.order_number} with {saved['created']} samples")
        self.researcher.post(f"/api/orders/{self.order_id}/status", {"status": "SUBMITTED"})
        self.narrator.step("submits it")

    def install_from_registry(self) -> None:
        """The admin installs a pipeline that the facility did not come with; it stays disabled."""
        store = self.admin.get("/api/admin/pipelines/store")
        offered = {entry["id"]: entry for entry in store["pipelines"]}
        self.narrator.step(f"the registry at {store['registry']['url']} offers {len(offered)} pipelines")
        newest = offered["ampliseq"]["latestVersion"]
        installed = self.admin.post(
            "/api/admin/pipelines/install", {"pipelineId": "ampliseq", "version": newest}, expect=201
        )["pipeline"]
        commit = installed["workflow"]["commit"]
        self.narrator.step(
            f"installs ampliseq {installed['version']}, digest {installed['sha256'][:12]}…, workflow at"
            f" commit {commit[:12]}…; nobody runs it before an admin enables it"
        )

    def upload_reads(self, mates: list[Mates]) -> None:
        """The admin uploads every file in chunks; the first connection breaks in the middle of one."""
        is_first = True
        for sample, pair in zip(self.samples, mates, strict=True):
            for role, file in pair.files():
                path = self._upload(sample, role, file, breaks=is_first)
                self.raw_paths[path] = file
                is_first = False
        page = self.admin.get(f"/api/orders/{self.order_id}/sequencing")
        summary = page["summary"]
        self.narrator.step(f"{summary['paired']} of {summary['samples']} samples have both mates on file")

    def _upload(self, sample: dict[str, Any], role: str, file: Path, *, breaks: bool) -> str:
        size = file.stat().st_size
        base = f"/api/orders/{self.order_id}/sequencing/uploads"
        session = self.admin.post(
            base,
            {
                "targetKind": "read",
                "targetRole": role,
                "originalName": file.name,
                "expectedSize": size,
                "sampleId": sample["id"],
                "checksumProvided": md5_of(file),
                "metadata": {"dataClass": "raw"},
            },
        )
        path = f"{base}/{session['uploadId']}"
        with self.narrator.bytes_bar(f"{file.name}", size) as bar, file.open("rb") as source:
            while (received := self.admin.get(path)["receivedSize"]) < size:
                bar.reached(received)
                source.seek(received)
                chunk = source.read(CHUNK_BYTES)
                if breaks:
                    self.admin.drop_in_the_middle(path, received, len(chunk), chunk[: len(chunk) // 2])
                    breaks = False
                    self._wait_for_prefix(path, received)
                    continue
                headers = {"x-service-offset": str(received), "Content-Type": "application/octet-stream"}
                self.admin.send("PATCH", path, data=chunk, headers=headers)
        done = self.admin.post(f"{path}/complete")
        self.narrator.step(f"files {file.name} ({size / 1e6:.1f} MB) as {role} of {sample['sampleAlias']}")
        final_path: str = done["finalPath"]
        return final_path

    def _wait_for_prefix(self, path: str, before: int) -> None:
        deadline = time.monotonic() + 120
        while (received := self.admin.get(path)["receivedSize"]) == before:
            if time.monotonic() > deadline:
                raise Refusal("the prefix of a broken chunk was not kept")
            time.sleep(0.05)
        self.narrator.step(
            f"the connection breaks in the middle of a chunk; {received} bytes are safe, it resumes there"
        )

    def check_nothing_is_seen(self) -> None:
        """Before the release the researcher sees neither run nor file."""
        runs = self.researcher.get("/api/pipelines/runs", orderId=self.order_id)
        delivery = self.researcher.get(f"/api/orders/{self.order_id}/sequencing/delivery")["delivery"]
        path = next(iter(self.raw_paths))
        refused = self.researcher.send("GET", "/api/files/download", expect=403, params={"path": path})
        if runs["total"] or delivery["readFiles"] or delivery["artifactFiles"]:
            raise Refusal("the researcher saw something that was not released")
        self.narrator.step(
            f"Ada sees no run and no file yet; her download is refused: {refused.json()['error']}"
        )

    def run_pipeline(self, pipeline_id: str, config: dict[str, object]) -> str:
        """The admin creates a run, starts it and watches it to its end; return its id."""
        created = self.admin.post(
            "/api/pipelines/runs", {"pipelineId": pipeline_id, "orderId": self.order_id, "config": config}
        )["run"]
        started = self.admin.post(f"/api/pipelines/runs/{created['id']}/start", {})
        self.narrator.step(f"starts {pipeline_id} ({started['executionMode']}, pid {started.get('pid')})")
        begun = time.monotonic()
        with self.narrator.percent_bar(pipeline_id) as bar:
            while True:
                run = self.admin.get(f"/api/pipelines/runs/{created['id']}")["run"]
                bar.reached(run["progress"], run["currentStep"] or "")
                if run["status"] not in {"pending", "queued", "running"}:
                    break
                if time.monotonic() - begun > RUN_DEADLINE_SECONDS:
                    raise Refusal(f"{pipeline_id} did not end in {RUN_DEADLINE_SECONDS:.0f} s")
                time.sleep(0.5)
        if run["status"] != "completed" or run["progress"] != 100:
            raise Refusal(f"{pipeline_id} ended as {run['status']}: {run['failure']}")
        events = {event["eventType"] for event in run["events"]}
        self.narrator.step(
            f"{run['runNumber']} completed in {time.monotonic() - begun:.0f} s, {len(events)} kinds of events"
        )
        run_id: str = run["id"]
        return run_id

    def promote(self, run_id: str) -> None:
        """The admin promotes the cleaned reads; the raw ones are superseded, not lost."""
        candidates = self.admin.get(f"/api/pipelines/runs/{run_id}/pending-writebacks")["readCandidates"]
        promoted = self.admin.post(f"/api/pipelines/runs/{run_id}/pending-writebacks", {})
        if promoted["promoted"] != len(self.samples) != len(candidates):
            raise Refusal(f"{promoted['promoted']} of {len(self.samples)} candidates were promoted")
        page = self.admin.get(f"/api/orders/{self.order_id}/sequencing")
        for sample in page["samples"]:
            if sample["read"]["dataClass"] != "cleaned" or sample["supersededReads"] != 1:
                raise Refusal("the cleaned read is not the active one")
        self.narrator.step(
            f"promotes {promoted['promoted']} cleaned reads; the raw ones are superseded and kept"
        )

    def select_and_publish(self, run_id: str) -> None:
        selection = self.admin.put(f"/api/pipelines/runs/{run_id}/selection")["selection"]
        self.narrator.step(f"selects the final run for {selection['targetKey']}")
        delivery = self.admin.put(f"/api/orders/{self.order_id}/sequencing/delivery/publication")["delivery"]
        self.narrator.step(f"publishes {len(delivery['readFiles'])} files at {delivery['publishedAt']}")

    def read_report(self, run_id: str) -> None:
        listed = self.researcher.get("/api/pipelines/runs", orderId=self.order_id)
        if [run["id"] for run in listed["runs"]] != [run_id]:
            raise Refusal("the researcher does not see exactly the selected run")
        report = listed["runs"][0]["primaryResultFile"]
        answer = self.researcher.send("GET", "/api/files/preview", params={"path": report["path"]})
        target = self.folder / "delivery" / "report.html"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(answer.content)
        if "sandbox" not in answer.headers.get("Content-Security-Policy", ""):
            raise Refusal("the report is not served in a sandbox")
        self.narrator.step(f"reads {report['name']} ({len(answer.content) / 1e3:.0f} kB, in a sandbox)")

    def download_delivery(self) -> None:
        """The researcher downloads every released file and compares its MD5 with the delivery's."""
        delivery = self.researcher.get(f"/api/orders/{self.order_id}/sequencing/delivery")["delivery"]
        if not delivery["readFiles"]:
            raise Refusal("nothing was delivered")
        for entry in delivery["readFiles"]:
            target = self.folder / "delivery" / entry["name"]
            answer = self.researcher.download(entry["path"], target)
            if md5_of(target) != entry["checksum"] or target.stat().st_size != entry["size"]:
                raise Refusal(f"{entry['name']} is not what the delivery says")
            data_class = answer.headers["X-Service-Read-Data-Class"]
            self.narrator.step(
                f"downloads {entry['name']} ({data_class}), MD5 {entry['checksum'][:12]}… as announced"
            )

    def check_raw_reads_are_kept(self) -> None:
        """The admin downloads the superseded raw files; their bytes and MD5 are those that were sent."""
        for path, source in self.raw_paths.items():
            target = self.folder / "raw" / Path(path).name
            target.parent.mkdir(parents=True, exist_ok=True)
            self.admin.download(path, target)
            if target.read_bytes() != source.read_bytes():
                raise Refusal(f"{path} is not what was sent")
        checked = self.admin.post("/api/files/checksum", {"filePaths": list(self.raw_paths)})
        for result in checked["results"]:
            if result["checksum"] != md5_of(self.raw_paths[result["filePath"]]):
                raise Refusal(f"{result['filePath']} has another MD5 than what was sent")
        self.narrator.step(
            f"{len(self.raw_paths)} raw files are still at the facility, byte for byte as they were sent"
        )
