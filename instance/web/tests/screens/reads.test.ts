import { expect, test } from "vitest";
import { Problem } from "../../src/api/problem";
import { filesOf, problemsOf, verdictOf, worstMd5 } from "../../src/screens/order/reads/files";
import {
  assignmentsOf,
  type LinkRow,
  NO_CHOICES,
  pairsOf,
  refusedFiles,
  rowsOf,
} from "../../src/screens/order/reads/link-rows";
import type { DiskFile, Plan, Read } from "../../src/screens/order/reads/state";
import { fileSubjects } from "../../src/screens/order/reads/subjects";
import { batchesOf, work } from "../../src/screens/order/reads/work";

const intake = (problems: string[]): Read["intake1"] => ({
  verdict: problems.length > 0 ? "problem" : "ok",
  gzipIntact: true,
  recordShape: true,
  matesInStep: null,
  readCount: 1,
  baseCount: 4,
  problems,
  checkedAt: "2031-05-04T09:08:07.123Z",
});

const read = (changes: Partial<Read>): Read => ({
  id: "r1",
  sampleId: "s1",
  sequencingRunId: null,
  file1: "runs/a_R1.fastq",
  file2: "runs/a_R2.fastq",
  size1: 1,
  size2: 2,
  checksum1: null,
  checksum2: null,
  checksumVerified1: null,
  checksumVerified2: null,
  readCount1: null,
  readCount2: null,
  avgQuality1: null,
  avgQuality2: null,
  intake1: null,
  intake2: null,
  experimentAccessionNumber: null,
  runAccessionNumber: null,
  dataClass: "raw",
  dataClassLabel: "Raw (protected)",
  isProtectedRaw: true,
  readLayout: "paired",
  isActive: true,
  supersededByReadId: null,
  source: "upload",
  pipelineRunId: null,
  createdAt: "2031-05-04T09:08:07.123Z",
  updatedAt: "2031-05-04T09:08:07.123Z",
  ...changes,
});

test("one mate that has a problem makes the read one, and each problem is said once", () => {
  const both = filesOf(read({ intake1: intake(["Out of step"]), intake2: intake(["Out of step", "Cut"]) }));
  const one = filesOf(read({ intake1: intake([]), intake2: intake(["Cut"]) }));

  expect(verdictOf(both)).toBe("problem");
  expect(problemsOf(both)).toEqual(["Out of step", "Cut"]);
  expect(verdictOf(one)).toBe("problem");
});

test("a read is intact once both of its files were examined", () => {
  expect(verdictOf(filesOf(read({ intake1: intake([]) })))).toBe("unchecked");
  expect(verdictOf(filesOf(read({ intake1: intake([]), intake2: intake([]) })))).toBe("ok");
  expect(verdictOf(filesOf(read({ intake1: intake([]), file2: null })))).toBe("ok");
});

test("the MD5 that asks most for a look speaks for both", () => {
  expect(worstMd5(["verified", "none"])).toBe("none");
  expect(worstMd5(["none", "differs"])).toBe("differs");
  expect(worstMd5([])).toBe(null);
});

test("a file that two reads share is named once", () => {
  const [subject] = [read({}), read({ id: "r2" })].map((each) => ({
    id: each.id,
    read: each,
    sample: "lake",
    isDelivered: false,
    files: filesOf(each),
  }));

  expect(subject && fileSubjects([subject, { ...subject, id: "r2" }]).map(({ id }) => id)).toEqual([
    "runs/a_R1.fastq",
    "runs/a_R2.fastq",
  ]);
});

test("batches keep to a number and a size, and what is larger stands alone", () => {
  const sizes = [1, 1, 9, 1, 1, 1];

  expect(batchesOf(sizes, { things: 2, size: 4 }, (size) => size)).toEqual([[1, 1], [9], [1, 1], [1]]);
  expect(batchesOf([1, 2, 3], { things: 50 })).toEqual([[1, 2, 3]]);
  expect(batchesOf([], { things: 50 })).toEqual([]);
});

const things = (...ids: string[]) => ids.map((id) => ({ id }));

test("what is refused keeps its reason, and nothing else stops for it", async () => {
  const job = work<{ id: string }>();

  await job.run([things("a", "b"), things("c"), things("d")], async ([first]) => {
    if (first?.id === "c") throw new Problem("The disk is full", 507);
    return new Map(first?.id === "a" ? [["b", "File not found"]] : []);
  });

  expect(job.phase.value).toBe("over");
  expect(Object.fromEntries(job.states.value)).toEqual({
    a: { is: "done" },
    b: { is: "refused", why: "File not found" },
    c: { is: "refused", why: "The disk is full" },
    d: { is: "done" },
  });
});

test("after a stop nothing more begins", async () => {
  const job = work<{ id: string }>();
  let begun = 0;

  await job.run(
    ["a", "b", "c", "d", "e"].map((id) => things(id)),
    async () => {
      begun += 1;
      await Promise.resolve();
      job.stop();
      return new Map();
    },
  );

  expect(begun).toBe(3);
  expect(job.phase.value).toBe("over");
  expect(job.states.value.size).toBe(3);
});

test("what the service has no room for is sent again", async () => {
  const job = work<{ id: string }>();
  let tries = 0;

  await job.run([things("a")], async () => {
    tries += 1;
    if (tries === 1) throw new Problem("Too many", 429, {}, new Headers({ "retry-after": "0.001" }));
    return new Map();
  });

  expect(tries).toBe(2);
  expect(job.states.value.get("a")).toEqual({ is: "done" });
});

const disk = (path: string, usedBy: DiskFile["usedBy"] = null): DiskFile => ({
  path,
  size: 5,
  changedAt: "2031-05-04T09:08:07.123Z",
  usedBy,
});

const USED = { orderNumber: "ORD-1", sampleId: "S-1", sampleAlias: null, isActive: true };

const planned = (path: string, mate: "R1" | "R2", id: string): Plan["files"][number] => ({
  path,
  kind: "upload",
  code: null,
  reason: `Its name says ${id}`,
  sample: { id, sampleId: `S-${id}`, sampleAlias: null },
  mate,
  candidates: [],
  upload: 0,
});

const plan = (files: Plan["files"]): Plan => ({
  files,
  uploads: [],
  counts: {
    files: 0,
    uploads: 0,
    pairs: 0,
    leftOut: 0,
    problems: 0,
    continued: 0,
    alreadyFiled: 0,
    bytes: 0,
    bytesLeft: 0,
  },
  freeBytes: 0,
});

test("a file that a read has is left out until somebody says otherwise", () => {
  const files = [disk("a_R1.fq"), disk("b_R1.fq", USED)];
  const said = { ...NO_CHOICES, isIn: new Map([["b_R1.fq", true]]) };

  expect(rowsOf(files, null, NO_CHOICES).map(({ isIn }) => isIn)).toEqual([true, false]);
  expect(rowsOf(files, null, said).map(({ isIn }) => isIn)).toEqual([true, true]);
});

test("mates come together at their sample, and a refusal finds its file", () => {
  const files = [disk("b_R2.fq"), disk("a_R1.fq"), disk("b_R1.fq"), disk("none.fq")];
  const found = plan([
    planned("b_R2.fq", "R2", "b"),
    planned("a_R1.fq", "R1", "a"),
    planned("b_R1.fq", "R1", "b"),
  ]);

  const rows: LinkRow[] = rowsOf(files, found, NO_CHOICES);
  const { assignments, places } = assignmentsOf(pairsOf(rows), "raw", "");
  const problem = new Problem("Validation failed", 400, {
    details: ["assignments[0].file2: File not found", "assignments[1].sampleId: is named twice"],
  });

  expect(assignments.map(({ sampleId, file1, file2 }) => [sampleId, file1, file2])).toEqual([
    ["b", "b_R1.fq", "b_R2.fq"],
    ["a", "a_R1.fq", null],
  ]);
  expect(Object.fromEntries(refusedFiles(problem, places))).toEqual({
    "b_R2.fq": "File not found",
    "a_R1.fq": "is named twice",
  });
});
