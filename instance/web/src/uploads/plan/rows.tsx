import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { FilterChip } from "../../parts/chip";
import { SearchField } from "../../parts/search-field";
import { type Column, Table } from "../../parts/table";
import { planText as text } from "../../text/en/uploads";
import { size } from "../../text/format";
import type { PlanSample } from "./dialog";
import { type Choices, type Mate, needsYou, type PlanRow, type UploadPlan } from "./state";

/** What a file carries that is dragged within the plan. */
export const DRAGGED = "application/x-seqfacility-path";
/** Beyond, the samples of a row are filled in when somebody comes to it. */
const OPTIONS_EVERYWHERE = 100;

const MATES: readonly Mate[] = ["R1", "R2"];

/** Choose a sample for a file; that also takes one that was left out. */
export function choosing(plan: UploadPlan, path: string, sampleId: string): Partial<Choices> {
  const { sampleOf, leftOut } = plan.choices.value;
  return {
    sampleOf: { ...sampleOf, [path]: sampleId },
    leftOut: leftOut.filter((other) => other !== path),
  };
}

interface Props {
  plan: UploadPlan;
  samples: readonly PlanSample[];
}

/** One row a file: its sample, its mate, and why. */
export function PlanRows({ plan, samples }: Props) {
  const [words, setWords] = useState("");
  const [isNarrow, setIsNarrow] = useState(false);
  const rows = plan.rows.value;
  const wanted = words.toLowerCase();
  const shown = rows.filter((row) => row.path.toLowerCase().includes(wanted) && (!isNarrow || needsYou(row)));
  const columns: Column<PlanRow>[] = [
    { id: "file", label: text.file, isLong: true, cell: (row) => <FileCell plan={plan} row={row} /> },
    {
      id: "sample",
      label: text.sample,
      cell: (row) => <SampleCell plan={plan} row={row} samples={samples} />,
    },
    { id: "mate", label: text.mate, cell: (row) => <MateCell plan={plan} row={row} /> },
    {
      id: "reason",
      label: text.reason,
      isLong: true,
      cell: (row) => (
        <span class={needsYou(row) ? "uploads-wrong" : undefined} title={reasonOf(row)}>
          {reasonOf(row)}
        </span>
      ),
    },
    { id: "size", label: text.size, isNumber: true, isMinor: true, cell: ({ file }) => size(file.size) },
    { id: "action", label: text.action, cell: (row) => <TakeCell plan={plan} row={row} /> },
  ];
  return (
    <div class="stack-tight uploads-rows">
      <search class="line list-bar">
        <SearchField name="upload.search" label={text.search} words={words} onSearch={setWords} />
        <FilterChip isOn={isNarrow} onToggle={() => setIsNarrow(!isNarrow)}>
          {text.only}
        </FilterChip>
      </search>
      {shown.length === 0 ? (
        <p class="muted">{text.nothingFits}</p>
      ) : (
        <Table label={text.title} columns={columns} rows={shown} rowId={({ path }) => path} />
      )}
    </div>
  );
}

interface CellProps {
  plan: UploadPlan;
  row: PlanRow;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

/** The file can be dragged to a sample, or to the row of another file of it. */
function FileCell({ plan, row }: CellProps) {
  const sample = row.planned?.sample;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: by keyboard the sample is chosen in the row.
    <span
      class="uploads-file"
      draggable
      title={row.path}
      role="presentation"
      onDragStart={(event) => event.dataTransfer?.setData(DRAGGED, row.path)}
      onDragOver={(event) => sample && event.dataTransfer?.types.includes(DRAGGED) && event.preventDefault()}
      onDrop={(event) => {
        const path = event.dataTransfer?.getData(DRAGGED);
        if (!sample || !path || path === row.path) return;
        event.preventDefault();
        void plan.change(choosing(plan, path, sample.id));
      }}
    >
      {nameOf(row.path)}
    </span>
  );
}

function SampleCell({ plan, row, samples }: CellProps & { samples: readonly PlanSample[] }) {
  const [isReached, setIsReached] = useState(false);
  const { planned, path } = row;
  const chosen = plan.choices.value.sampleOf[path] ?? planned?.sample?.id ?? "";
  const isFull = isReached || samples.length <= OPTIONS_EVERYWHERE || needsYou(row);
  const likely = planned?.candidates ?? [];
  const options = isFull ? samples : samples.filter(({ id }) => id === chosen);
  const first = new Set(likely.map(({ id }) => id));
  return (
    <select
      class="control uploads-select"
      aria-label={text.sampleOf(nameOf(path))}
      value={chosen}
      onFocus={() => setIsReached(true)}
      onPointerEnter={() => setIsReached(true)}
      onChange={(event) => {
        const { value } = event.currentTarget;
        if (value !== "") void plan.change(choosing(plan, path, value));
      }}
    >
      <option value="">{text.none}</option>
      {[...options.filter(({ id }) => first.has(id)), ...options.filter(({ id }) => !first.has(id))].map(
        ({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ),
      )}
    </select>
  );
}

function MateCell({ plan, row: { planned, path } }: CellProps) {
  const { mateOf } = plan.choices.value;
  const mate = mateOf[path] ?? planned?.mate;
  if (!mate) return <span class="muted">–</span>;
  return (
    <select
      class="control uploads-select"
      aria-label={text.mateOf(nameOf(path))}
      value={mate}
      onChange={(event) => {
        const next = MATES.find((one) => one === event.currentTarget.value);
        if (next) void plan.change({ mateOf: { ...mateOf, [path]: next } });
      }}
    >
      {MATES.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </select>
  );
}

/** Leaving out is undone by the button that did it; what the service leaves out is taken by choosing a sample. */
function TakeCell({ plan, row: { planned, path } }: CellProps) {
  const { leftOut } = plan.choices.value;
  if (planned?.kind === "left-out") return null;
  const isOut = planned === null;
  return (
    <Button
      look="quiet"
      icon={isOut ? "add" : "remove"}
      label={isOut ? text.takeOf(nameOf(path)) : text.leaveOutOf(nameOf(path))}
      onClick={() =>
        void plan.change({ leftOut: isOut ? leftOut.filter((one) => one !== path) : [...leftOut, path] })
      }
    />
  );
}

/** Why a file goes where it goes, or does not go; with what happens to others by it. */
function reasonOf({ planned, upload, path }: PlanRow): string {
  if (planned === null) return text.youLeftOut;
  const words = [planned.reason];
  if (upload?.alreadyFiled) words.unshift(text.filed);
  if (upload && upload.paths.length > 1)
    words.push(text.joined(upload.paths.indexOf(path) + 1, upload.paths.length));
  if (upload?.continues)
    words.push(
      upload.continues.isReceiving
        ? text.elsewhere
        : text.continues(upload.continues.receivedSize, upload.expectedSize),
    );
  if (upload?.differs) words.push(upload.differs);
  if (upload?.supersedes) words.push(text.supersedes(upload.supersedes.text));
  return words.join(". ");
}
