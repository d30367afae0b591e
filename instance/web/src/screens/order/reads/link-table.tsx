import { useResource } from "../../../api/resource";
import { type Column, Table } from "../../../parts/table";
import { readsText, linkText as text } from "../../../text/en/reads";
import { size } from "../../../text/format";
import { type Order, readSamples } from "../state";
import { nameOf } from "./files";
import type { LinkRow, Said } from "./link-rows";
import { FileName } from "./work-dialog";

interface Props {
  order: Order;
  rows: readonly LinkRow[];
  said: Said;
  /** Why the service refused files, by path. */
  refused: ReadonlyMap<string, string>;
  onSay: (said: Said) => void;
}

/** From so many rows on each has one line, as only those near the window are drawn. */
const LONG_FROM = 120;

const SAMPLES_LIST = "reads-link-samples";

/** The files of a folder: which of them, whose, which mate, and why. */
export function LinkTable({ order, rows, said, refused, onSay }: Props) {
  const samples = useResource((signal) => readSamples(order.id, {}, signal), [order.id]);
  const include = (path: string, isIn: boolean): void =>
    onSay({ ...said, isIn: new Map(said.isIn).set(path, isIn) });
  const assign = (path: string, sample: string): void => {
    const sampleOf = new Map(said.sampleOf);
    if (sample.trim() === "") sampleOf.delete(path);
    else sampleOf.set(path, sample.trim());
    onSay({ ...said, sampleOf });
  };
  const setMate = (path: string, value: string): void => {
    const mateOf = new Map(said.mateOf);
    if (value === "R1" || value === "R2") mateOf.set(path, value);
    onSay({ ...said, mateOf });
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
        <input
          class="control reads-cell reads-sample"
          aria-label={text.sampleOf(nameOf(path))}
          list={SAMPLES_LIST}
          value={sample}
          disabled={!isIn}
          onChange={(event) => assign(path, event.currentTarget.value)}
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

/** What the service says of a file; first what it refused. */
function Why({ row, refused }: { row: LinkRow; refused: string | undefined }) {
  const { words, isBad } = whyOf(row, refused);
  return (
    <span class={isBad ? "reads-refused" : "muted"} title={words}>
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
