import { useState } from "preact/hooks";
import { Chip, FilterChip } from "../../../parts/chip";
import { type Column, Table } from "../../../parts/table";
import { importText as text } from "../../../text/en/plans";
import { count } from "../../../text/format";
import { Duplicates, General } from "./import-notes";
import { type PlanRow, type Remark, remarksOf } from "./import-rows";
import type { Check, Preview } from "./state";

interface Props {
  file: File;
  preview: Preview;
  check: Check;
}

interface ShownRow extends PlanRow {
  remarks: readonly Remark[];
}

/** What a plan would store: columns, rows with what is wrong in each, barcodes that are used twice. */
export function ImportPreview({ file, preview, check }: Props) {
  const [isNarrowed, setNarrowed] = useState(false);
  const remarks = remarksOf(preview, check);
  const rows = preview.rows.map((row, place) => ({ ...row, remarks: remarks.get(place) ?? [] }));
  const marked = rows.filter((row) => row.remarks.length > 0);
  const fields = Object.keys(text.fields).filter((name) =>
    preview.rows.some(({ customFields }) => name in customFields),
  );
  const hasBarcodes = preview.rows.some(({ barcode }) => barcode !== null);
  const mapped = [text.run, text.sample, ...(hasBarcodes ? [text.barcode] : []), ...fields.map(labelOf)];
  const warnings = check.problems.length + check.pairs.filter(isNear).length + check.darkCycles.length;
  return (
    <>
      <div role="status" class="stack-tight">
        <p>
          <strong>{text.sheet(file.name, preview.sheet, preview.rowCount)}</strong>
        </p>
        <p class="line">
          {preview.rowErrors.length > 0 && <Chip tone="bad">{text.problems(preview.rowErrors.length)}</Chip>}
          {warnings > 0 && <Chip tone="wait">{text.warnings(warnings)}</Chip>}
          {preview.rowCount === 0 && <Chip tone="bad">{text.noRows}</Chip>}
          {preview.applyReady && warnings === 0 && <Chip tone="ok">{text.ready}</Chip>}
        </p>
      </div>
      <p class="muted">
        {text.mapped(mapped)}
        {preview.unmappedColumns.length > 0 && <>. {text.unmapped(preview.unmappedColumns)}</>}
      </p>
      <General preview={preview} check={check} />
      <Duplicates preview={preview} />
      {marked.length > 0 && marked.length < rows.length && (
        <div>
          <FilterChip isOn={isNarrowed} onToggle={() => setNarrowed(!isNarrowed)}>
            {text.onlyProblems(marked.length)}
          </FilterChip>
        </div>
      )}
      {rows.length > 0 && (
        <Table
          label={text.rows}
          columns={columnsOf(fields, preview)}
          rows={isNarrowed ? marked : rows}
          rowId={({ rowNumber }) => String(rowNumber)}
        />
      )}
    </>
  );
}

/** Bases that are too alike keep no plan from being stored; equal names do, and the plan itself tells of them. */
const isNear = ({ distances }: Check["pairs"][number]): boolean => distances.length > 0;

const labelOf = (field: string): string => text.fields[field] ?? field;

/** From here on all rows of a table have one height. */
const MANY_ROWS = 120;

function columnsOf(
  fields: readonly string[],
  { unmappedColumns, rowCount: rows }: Preview,
): Column<ShownRow>[] {
  return [
    { id: "row", label: text.row, isNumber: true, cell: ({ rowNumber }) => count(rowNumber) },
    {
      id: "remark",
      label: text.problem,
      isLong: rows >= MANY_ROWS,
      cell: ({ remarks }) => <Remarks remarks={remarks} />,
    },
    { id: "run", label: text.run, cell: ({ runId }) => runId ?? "–" },
    { id: "sample", label: text.sample, cell: ({ sampleCode }) => sampleCode ?? "–" },
    { id: "barcode", label: text.barcode, cell: ({ barcode }) => <code>{barcode ?? "–"}</code> },
    ...fields.map((name) => ({
      id: name,
      label: labelOf(name),
      cell: ({ customFields }: ShownRow) => written(Object.entries(customFields), name),
    })),
    ...unmappedColumns.map((name) => ({
      id: `unmapped ${name}`,
      label: name,
      cell: ({ unmapped }: ShownRow) => <span class="muted">{written(Object.entries(unmapped), name)}</span>,
    })),
  ];
}

const written = (values: readonly (readonly [string, unknown])[], name: string): string =>
  String(values.find(([known]) => known === name)?.[1] ?? "");

function Remarks({ remarks }: { remarks: readonly Remark[] }) {
  return (
    <ul class="plan-remarks" title={remarks.map(({ words }) => words).join("\n")}>
      {remarks.map(({ level, words }) => (
        <li key={words} class={level === "error" ? "plan-error" : "plan-warning"}>
          {words}
        </li>
      ))}
    </ul>
  );
}
