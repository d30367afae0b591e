import { useState } from "preact/hooks";
import { useResource } from "../../../api/resource";
import { type Column, Table } from "../../../parts/table";
import { readsText, linkText as text } from "../../../text/en/reads";
import { size } from "../../../text/format";
import { type Order, readSamples } from "../state";
import { nameOf } from "./files";
import type { Choices, LinkRow } from "./link-rows";
import { FileName } from "./work-dialog";

interface Props {
  order: Order;
  rows: readonly LinkRow[];
  choices: Choices;
  /** Why the service refused files, by path. */
  refused: ReadonlyMap<string, string>;
  onChoose: (choices: Choices) => void;
}

/** From so many rows on each has one line, as only those near the window are drawn. */
const LONG_FROM = 120;

const SAMPLES_LIST = "reads-link-samples";

/** The files of a folder: which of them, whose, which mate, and why. */
export function LinkTable({ order, rows, choices, refused, onChoose }: Props) {
  const samples = useResource((signal) => readSamples(order.id, {}, signal), [order.id]);
  const include = (path: string, isIn: boolean): void =>
    onChoose({ ...choices, isIn: new Map(choices.isIn).set(path, isIn) });
  const assign = (path: string, sample: string): void => {
    const sampleOf = new Map(choices.sampleOf);
    if (sample.trim() === "") sampleOf.delete(path);
    else sampleOf.set(path, sample.trim());
    onChoose({ ...choices, sampleOf });
  };
  const setMate = (path: string, value: string): void => {
    const mateOf = new Map(choices.mateOf);
    if (value === "R1" || value === "R2") mateOf.set(path, value);
    onChoose({ ...choices, mateOf });
  };
  const columns: Column<LinkRow>[] = [
    {
      id: "in",
      label: text.isIn,
      cell: ({ path, isIn }) => (
        <input
          type="checkbox"
          aria-label={text.linkOf(nameOf(path))}
          checked={isIn}
          onChange={(event) => include(path, event.currentTarget.checked)}
        />
      ),
    },
    {
      id: "file",
      label: text.file,
      cell: ({ path }) => <FileName name={nameOf(path)} path={path} />,
    },
    { id: "size", label: readsText.size, isNumber: true, isMinor: true, cell: (row) => size(row.size) },
    {
      id: "sample",
      label: readsText.sample,
      cell: ({ path, sample, isIn }) => (
        <SampleCell
          file={nameOf(path)}
          sample={sample}
          isOff={!isIn}
          onChoose={(next) => assign(path, next)}
        />
      ),
    },
    {
      id: "mate",
      label: text.mate,
      cell: ({ path, mate, isIn }) => (
        <select
          class="control reads-cell reads-mate"
          aria-label={text.mateOf(nameOf(path))}
          value={mate}
          disabled={!isIn || mate === ""}
          onChange={(event) => setMate(path, event.currentTarget.value)}
        >
          {mate === "" && <option value="">–</option>}
          <option value="R1">R1</option>
          <option value="R2">R2</option>
        </select>
      ),
    },
    {
      id: "why",
      label: text.why,
      isLong: rows.length >= LONG_FROM,
      cell: (row) => <Why row={row} refused={refused.get(row.path)} />,
    },
  ];
  return (
    <>
      <datalist id={SAMPLES_LIST}>
        {samples.data.value?.samples.map(({ sampleId, sampleAlias }) => (
          <option key={sampleId} value={sampleAlias ?? sampleId} />
        ))}
      </datalist>
      <Table label={text.table} columns={columns} rows={rows} rowId={({ path }) => path} />
    </>
  );
}

interface SampleCellProps {
  file: string;
  sample: string;
  isOff: boolean;
  onChoose: (sample: string) => void;
}

/** The sample of a file. What somebody is typing stays when an answer arrives meanwhile. */
function SampleCell({ file, sample, isOff, onChoose }: SampleCellProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <input
      class="control reads-cell reads-sample"
      aria-label={text.sampleOf(file)}
      list={SAMPLES_LIST}
      value={typed ?? sample}
      disabled={isOff}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => {
        setTyped(null);
        onChoose(event.currentTarget.value);
      }}
    />
  );
}

/** What the service says of a file; first what it refused. */
function Why({ row, refused }: { row: LinkRow; refused: string | undefined }) {
  const { words, isBad } = whyOf(row, refused);
  return (
    <span class={isBad ? "reads-why reads-refused" : "reads-why muted"} title={words}>
      {words}
    </span>
  );
}

function whyOf({ isIn, planned, usedBy }: LinkRow, refused: string | undefined) {
  const used = usedBy && text.usedBy(usedBy.sampleAlias ?? usedBy.sampleId, usedBy.orderNumber);
  if (refused !== undefined) return { words: refused, isBad: true };
  if (!isIn) return { words: used ?? text.leftOut, isBad: false };
  if (planned?.kind === "problem") {
    const words = planned.code === "lanes" ? `${planned.reason}. ${text.lanes}` : planned.reason;
    return { words, isBad: true };
  }
  return { words: [planned?.reason, used].filter(Boolean).join(". "), isBad: false };
}
