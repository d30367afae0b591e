import { Chip, type Tone } from "../../../parts/chip";
import type { SavedColumn } from "../../../parts/saved-list";
import { readsText as text } from "../../../text/en/reads";
import { count, size } from "../../../text/format";
import { filesOf, type Mate, meanOf, problemsOf, sumOf, type Verdict, verdictOf } from "./files";
import type { Row } from "./state";

const TONES: Record<Verdict, Tone> = { problem: "bad", ok: "ok", unchecked: "wait" };

export const labelOf = ({ sampleAlias, sampleId }: Pick<Row, "sampleAlias" | "sampleId">): string =>
  sampleAlias ?? sampleId;

/** What is shown of the reads of each sample. */
export const COLUMNS: readonly SavedColumn<Row>[] = [
  { id: "sample", label: text.sample, cell: labelOf, saved: labelOf },
  {
    id: "code",
    label: text.code,
    isMinor: true,
    cell: ({ sampleId }) => <code>{sampleId}</code>,
    saved: ({ sampleId }) => sampleId,
  },
  fileColumn("R1"),
  fileColumn("R2"),
  {
    id: "size",
    label: text.size,
    isNumber: true,
    cell: (row) => shown(sizeOf(row), size),
    saved: (row) => sizeOf(row) ?? "",
    savedLabel: text.bytes,
  },
  {
    id: "reads",
    label: text.reads,
    isNumber: true,
    isMinor: true,
    cell: (row) => shown(readsOf(row), count),
    saved: (row) => readsOf(row) ?? "",
  },
  {
    id: "quality",
    label: text.quality,
    isNumber: true,
    isMinor: true,
    cell: (row) => shown(qualityOf(row), text.qualityOf),
    saved: (row) => qualityOf(row) ?? "",
  },
  {
    id: "check",
    label: text.check,
    cell: (row) => <Check row={row} />,
    saved: ({ read }) => [wordsOf(read), ...problemsOf(filesOf(read))].join("; "),
  },
  {
    id: "class",
    label: text.dataClass,
    isMinor: true,
    cell: ({ read }) => read?.dataClassLabel ?? "–",
    saved: ({ read }) => read?.dataClassLabel ?? "",
  },
  {
    id: "superseded",
    label: text.superseded,
    isNumber: true,
    isMinor: true,
    cell: ({ supersededReads }) => text.earlier(supersededReads),
    saved: ({ supersededReads }) => supersededReads,
  },
];

function fileColumn(mate: Mate): SavedColumn<Row> {
  const pathOf = ({ read }: Row): string | undefined =>
    filesOf(read).find((file) => file.mate === mate)?.path;
  const nameIn = ({ read }: Row): string | undefined =>
    filesOf(read).find((file) => file.mate === mate)?.name;
  return {
    id: mate,
    label: text[mate],
    cell: (row) => (
      <span class="reads-file" title={pathOf(row)}>
        {nameIn(row) ?? <span class="muted">–</span>}
      </span>
    ),
    saved: (row) => pathOf(row) ?? "",
  };
}

const shown = (value: number | null, write: (value: number) => string): string =>
  value === null ? "–" : write(value);
const sizeOf = ({ read }: Row): number | null => sumOf(filesOf(read).map((file) => file.size));
const readsOf = ({ read }: Row): number | null => sumOf(filesOf(read).map((file) => file.reads));
const qualityOf = ({ read }: Row): number | null => meanOf(filesOf(read).map((file) => file.quality));

function wordsOf(read: Row["read"]): string {
  const files = filesOf(read);
  return files.length === 0 ? text.noReads : text.verdict[verdictOf(files)];
}

function Check({ row: { read } }: { row: Row }) {
  const files = filesOf(read);
  if (files.length === 0) return <span class="muted">{text.noReads}</span>;
  return (
    <span title={problemsOf(files).join("\n") || undefined}>
      <Chip tone={TONES[verdictOf(files)]}>{wordsOf(read)}</Chip>
    </span>
  );
}
