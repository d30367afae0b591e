import { expect, test } from "vitest";
import { remarksOf } from "../../src/screens/order/plans/import-rows";
import * as places from "../../src/screens/order/plans/places";
import { bodyOf, conflictsOf, mergedValues, valuesOf } from "../../src/screens/order/plans/run-values";
import type { Check, Place, Places, Preview, Run } from "../../src/screens/order/plans/state";

const run: Run = {
  id: "r1",
  orderId: "o1",
  runId: "RUN_7",
  runName: null,
  platform: null,
  instrument: "NextSeq 550",
  runDate: null,
  folderPath: null,
  q30Score: null,
  clusterDensity: null,
  passFilterPct: null,
  totalReads: null,
  totalBases: null,
  runParameters: { read1cycles: 151, own: [1] },
  notes: null,
  savedBy: null,
  counts: { samples: 0, reads: 0 },
  createdAt: "2026-11-23T10:00:00.000Z",
  updatedAt: "2026-11-23T10:00:00.000Z",
};

test("only what was changed of a run is sent, and a parameter keeps the spelling under which it is stored", () => {
  const before = valuesOf(run);
  const after = { ...before, notes: " again ", "runParameters.Read1Cycles": "76", "runParameters.kit": "" };

  expect(bodyOf(run, before, after)).toEqual({ notes: "again", runParameters: { read1cycles: "76" } });
});

test("a parameter that was emptied is removed", () => {
  const before = valuesOf(run);

  expect(bodyOf(run, before, { ...before, "runParameters.Read1Cycles": "" })).toEqual({
    runParameters: { read1cycles: null },
  });
});

test("what two people changed apart is merged, and what both changed differently is a conflict", () => {
  const base = valuesOf(run);
  const mine = { ...base, notes: "mine", runName: "same" };
  const theirs = { ...base, notes: "theirs", runName: "same", instrument: "MiSeq" };

  expect(conflictsOf(base, mine, theirs)).toEqual(["notes"]);
  expect(mergedValues(base, mine, theirs)).toEqual({ ...theirs, notes: "mine" });
});

const place = (
  sampleId: string,
  barcode: string | null,
  customFields: Place["customFields"] = {},
): Place => ({
  id: `p-${sampleId}`,
  sampleId,
  sampleCode: sampleId,
  sampleAlias: null,
  barcode,
  customFields,
  notes: null,
});
const stored: Places = {
  assignments: [place("s1", "barcode01", { concentration_ng_ul: 12.5, own: [1, 2] })],
  updatedAt: run.updatedAt,
};
const columns = places.columnsOf("minknow", stored.assignments, () => "");
const row = (id: string, texts: Record<string, string>) => ({
  id,
  cells: columns.map(({ key }) => texts[key] ?? ""),
});

test("values that nobody changed go back as they are stored, and numbers are numbers", () => {
  const shown = places.rowsOf([], columns, new Map());
  const same = row("s1", {
    in: "",
    placed: "yes",
    barcode: "BC2",
    concentration_ng_ul: "12.5",
    own: "[1,2]",
  });
  const other = row("s1", { placed: "yes", concentration_ng_ul: "7" });

  expect(shown).toEqual([]);
  expect(places.bodyOf(same, columns, stored.assignments[0])).toMatchObject({
    barcode: "BC2",
    customFields: { concentration_ng_ul: 12.5, own: [1, 2] },
  });
  expect(places.bodyOf(other, columns, stored.assignments[0])).toMatchObject({
    barcode: "",
    customFields: { concentration_ng_ul: 7, own: null },
  });
});

test("a sample is in the run when something is said of its place, unless it is said that it is not", () => {
  const isIn = (texts: Record<string, string>) => places.isPlaced(places.textsOf(row("s1", texts), columns));

  expect(isIn({})).toBe(false);
  expect(isIn({ placed: "yes" })).toBe(true);
  expect(isIn({ barcode: "BC1" })).toBe(true);
  expect(isIn({ barcode: "BC1", placed: "no" })).toBe(false);
});

test("a cell that two people changed differently is in dispute, one that both changed alike is not", () => {
  const base = places.cellsOf(stored);
  const theirs = new Map([["s1", new Map([["barcode", "barcode05"]])]]);

  expect(places.disputesOf([{ id: "s1", key: "barcode", mine: "barcode09" }], base, theirs)).toEqual([
    { id: "s1", key: "barcode", mine: "barcode09", theirs: "barcode05" },
  ]);
  expect(places.disputesOf([{ id: "s1", key: "barcode", mine: "barcode05" }], base, theirs)).toEqual([]);
  expect(places.disputesOf([{ id: "s1", key: "notes", mine: "x" }], base, theirs)).toEqual([]);
});

const planned = (rowNumber: number, sampleCode: string, barcode: string) => ({
  rowNumber,
  runId: "RUN_7",
  sampleCode,
  barcode,
  customFields: {},
  unmapped: {},
});

test("each problem of a plan stands at its rows, with the names that are nearest", () => {
  const preview: Preview = {
    sheet: "Samples",
    rows: [planned(2, "lake-1", "barcode01"), planned(3, "lake-l", "barcode01"), planned(5, "lake-3", "x")],
    rowCount: 3,
    unmappedColumns: [],
    missingSamples: ["lake-l"],
    duplicateBarcodes: [{ runId: "RUN_7", barcode: "barcode01", count: 2 }],
    rowErrors: [{ rowNumber: 5, message: "Sample is ambiguous: lake-3" }],
    applyReady: false,
  };
  const check: Check = {
    errors: 0,
    warnings: 1,
    problems: [{ row: 2, field: "barcode", level: "warning", message: "x is not in NB01-NB24" }],
    pairs: [],
    pairCount: 0,
    darkCycles: [],
    withoutSequence: [],
    unknownSamples: [{ sample: "lake-l", nearest: ["lake-1"] }],
  };

  const remarks = remarksOf(preview, check);

  expect(remarks.get(0)?.map(({ words }) => words)).toEqual(["barcode01 stands 2 times in this run"]);
  expect(remarks.get(1)?.map(({ words }) => words)).toEqual([
    "No sample of this order is called so. Nearest: lake-1",
    "barcode01 stands 2 times in this run",
  ]);
  expect(remarks.get(2)).toEqual([
    { level: "error", words: "Sample is ambiguous: lake-3" },
    { level: "warning", words: "x is not in NB01-NB24" },
  ]);
});
