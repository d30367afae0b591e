/** The places of samples in a run as cells of a sheet: read, written, and laid over what somebody else stored. */

import {
  type Column,
  type Kind,
  type Row,
  type Rows,
  withChanges as withChangedCells,
} from "../../../grid/table";
import { placesText as text } from "../../../text/en/plans";
import type { Sample } from "../state";
import type { Place, PlaceBody, Places } from "./state";

export const SAMPLE = "sample";
export const PLACED = "placed";
export const CHECK = "check";

/** Texts by the id of a sample, then by the key of a column. */
export type Cells = ReadonlyMap<string, ReadonlyMap<string, string>>;

const TYPES = [
  "test_sample",
  "positive_control",
  "negative_control",
  "no_template_control",
  "positive_control_1",
  "positive_control_2",
  "na",
] as const;

type Key = keyof typeof text.labels;

const COLUMNS: Readonly<Record<"minknow" | "illumina", readonly Key[]>> = {
  minknow: ["barcode", "alias", "type"],
  illumina: ["barcode", "Index", "Index2", "Lane", "Sample_Project"],
};
const SHARED: readonly Key[] = ["concentration_ng_ul", "notes"];
const KINDS: Partial<Record<Key, Kind>> = {
  placed: "checkbox",
  type: "select",
  concentration_ng_ul: "number",
};

const isNamed = (key: string): key is Key => Object.hasOwn(text.labels, key);

/** The columns: those of the instrument's sample sheet, and whatever else is stored of the places. */
export function columnsOf(
  format: "minknow" | "illumina",
  places: readonly Place[],
  wordsOf: (row: Row) => string,
): Column[] {
  const own = [PLACED, ...COLUMNS[format], ...SHARED];
  const stored = places.flatMap(({ customFields }) => Object.keys(customFields));
  const further = [...new Set(stored)].filter((key) => !own.includes(key));
  return [
    { ...column(SAMPLE), isFixed: true },
    { ...column(CHECK), isFixed: true, shows: wordsOf },
    ...[...own, ...further].map(column),
  ];
}

function column(key: string): Column {
  return {
    key,
    label: isNamed(key) ? text.labels[key] : key,
    names: [key],
    kind: (isNamed(key) ? KINDS[key] : undefined) ?? "text",
    options: key === "type" ? TYPES : [],
    required: false,
    isUnique: key === "barcode",
    help: key === "barcode" || key === PLACED ? text.help[key] : undefined,
  };
}

export const sampleName = ({ sampleAlias, sampleId }: Sample): string => sampleAlias ?? sampleId;

/** What is stored, as texts; samples that are not in the run have no entry. */
export function cellsOf({ assignments }: Places): Cells {
  return new Map(
    assignments.map(({ sampleId, barcode, notes, customFields }) => {
      const fields = Object.entries(customFields).map(([key, value]) => [key, written(value)] as const);
      return [
        sampleId,
        new Map([[PLACED, "yes"], ["barcode", barcode ?? ""], ["notes", notes ?? ""], ...fields]),
      ];
    }),
  );
}

const written = (value: unknown): string =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "");

export function rowsOf(samples: readonly Sample[], columns: readonly Column[], cells: Cells): Row[] {
  return samples.map((sample) => ({
    id: sample.id,
    cells: columns.map(({ key }) =>
      key === SAMPLE ? sampleName(sample) : (cells.get(sample.id)?.get(key) ?? ""),
    ),
  }));
}

/** The open columns of a row as texts, by key. */
export function textsOf(row: Row, columns: readonly Column[]): ReadonlyMap<string, string> {
  const open = columns.flatMap(({ key, isFixed }, place) =>
    isFixed ? [] : [[key, row.cells[place] ?? ""] as const],
  );
  return new Map(open);
}

/** Whether a sample is in the run: its row says so, or fills in another cell of its place. */
export function isPlaced(texts: ReadonlyMap<string, string>): boolean {
  const placed = texts.get(PLACED);
  return (
    placed === "yes" || (placed !== "no" && [...texts].some(([key, value]) => key !== PLACED && value !== ""))
  );
}

/** Mark samples as in the run where another cell of their place is filled in. */
export function markedPlaced(rows: Rows, columns: readonly Column[]): Rows {
  const place = columns.findIndex(({ key }) => key === PLACED);
  const silent = rows.flatMap((row, index) =>
    row.cells[place] === "" && isPlaced(textsOf(row, columns)) ? [index] : [],
  );
  return withChangedCells(
    rows,
    silent.map((row) => ({ row, column: place, text: "yes" })),
  );
}

/** What is sent of a row. Values that nobody changed go back as they are stored, numbers as numbers. */
export function bodyOf(row: Row, columns: readonly Column[], stored: Place | undefined): PlaceBody {
  const texts = textsOf(row, columns);
  const fields = [...texts].filter(([key]) => key !== PLACED && key !== "barcode" && key !== "notes");
  return {
    sampleId: row.id,
    barcode: texts.get("barcode") ?? "",
    notes: texts.get("notes") ?? "",
    customFields: Object.fromEntries(
      fields.map(([key, value]) => [key, asStored(value, stored?.customFields[key], key)]),
    ),
  };
}

function asStored(value: string, stored: unknown, key: string): unknown {
  if (written(stored) === value) return stored ?? null;
  if (value === "") return null;
  const number = Number(value);
  return KINDS.concentration_ng_ul === "number" && key === "concentration_ng_ul" && Number.isFinite(number)
    ? number
    : value;
}

/** One cell that was changed here, and what it was before. */
export interface CellChange {
  readonly id: string;
  readonly key: string;
  readonly mine: string;
}

/** The cells in which rows differ from what is stored; `no` in a sample that is not in the run is no change. */
export function changesOf(rows: Rows, columns: readonly Column[], stored: Cells): CellChange[] {
  return rows.flatMap((row) => {
    const before = stored.get(row.id);
    return [...textsOf(row, columns)].flatMap(([key, mine]) => {
      const was = before?.get(key) ?? "";
      const isSame = mine === was || (key === PLACED && mine !== "yes" && was !== "yes");
      return isSame ? [] : [{ id: row.id, key, mine }];
    });
  });
}

/** A cell that two people changed differently. */
export interface Dispute extends CellChange {
  readonly theirs: string;
}

export function disputesOf(changes: readonly CellChange[], base: Cells, theirs: Cells): Dispute[] {
  return changes.flatMap((change) => {
    const was = base.get(change.id)?.get(change.key) ?? "";
    const is = theirs.get(change.id)?.get(change.key) ?? "";
    return is === was || is === change.mine ? [] : [{ ...change, theirs: is }];
  });
}

export function withChanges(cells: Cells, changes: readonly CellChange[]): Cells {
  const after = new Map([...cells].map(([id, texts]) => [id, new Map(texts)]));
  for (const { id, key, mine } of changes) {
    const texts = after.get(id) ?? new Map<string, string>();
    texts.set(key, mine);
    after.set(id, texts);
  }
  return after;
}
