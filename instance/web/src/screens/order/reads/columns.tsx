import { addressWith } from "../../../parts/address";
import { Chip, type Tone } from "../../../parts/chip";
import type { SavedColumn } from "../../../parts/saved-list";
import { readsText as text } from "../../../text/en/reads";
import { count, size } from "../../../text/format";
import {
  filesOf,
  knownFiles,
  type Mate,
  meanOf,
  problemsOf,
  sumOf,
  type Verdict,
  verdictOf,
  worstMd5,
} from "./files";
import type { Md5State, Row } from "./state";

export type ReadsColumn = SavedColumn<Row>;

const TONES: Record<Verdict, Tone> = { problem: "bad", ok: "ok", unchecked: "wait" };
const MD5_TONES: Record<Md5State, Tone> = {
  none: "wait",
  given: "calm",
  computed: "calm",
  verified: "ok",
  differs: "bad",
};

export const labelOf = ({ sampleAlias, sampleId }: Pick<Row, "sampleAlias" | "sampleId">): string =>
  sampleAlias ?? sampleId;

/** What is shown of the reads of each sample; its name opens its drawer. */
export function columnsOf(path: string, query: Readonly<Record<string, string>>): ReadsColumn[] {
  return [
    {
      id: "sample",
      label: text.sample,
      cell: (row) => (
        <span class="reads-file" title={labelOf(row)}>
          <a href={addressWith(path, query, { sample: row.sampleId })}>{labelOf(row)}</a>
        </span>
      ),
      saved: labelOf,
    },
    {
      id: "code",
      label: text.code,
      isMinor: true,
      isExtra: true,
      cell: ({ sampleId }) => <code>{sampleId}</code>,
      saved: ({ sampleId }) => sampleId,
    },
    fileColumn("R1"),
    fileColumn("R2"),
    {
      id: "size",
      label: text.size,
      isNumber: true,
      isMinor: true,
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
      id: "md5",
      label: text.md5,
      isMinor: true,
      cell: (row) => <Md5 state={md5Of(row)} />,
      saved: (row) => {
        const state = md5Of(row);
        return state === null ? "" : text.md5States[state];
      },
    },
    {
      id: "class",
      label: text.dataClass,
      isMinor: true,
      cell: ({ read }) => <span class="short">{classOf(read) || "–"}</span>,
      saved: ({ read }) => classOf(read),
    },
    {
      id: "delivered",
      label: text.delivered,
      isMinor: true,
      cell: ({ isDelivered }) => text.isDelivered(isDelivered ?? false),
      saved: ({ isDelivered }) => text.isDelivered(isDelivered ?? false),
    },
    {
      id: "superseded",
      label: text.superseded,
      isNumber: true,
      isMinor: true,
      cell: ({ supersededReads }) => text.earlier(supersededReads),
      saved: ({ supersededReads }) => supersededReads,
    },
    {
      id: "source",
      label: text.source,
      isMinor: true,
      isExtra: true,
      cell: ({ read }) => (read ? text.sources[read.source] : "–"),
      saved: ({ read }) => (read ? text.sources[read.source] : ""),
    },
  ];
}

function fileColumn(mate: Mate): ReadsColumn {
  const fileIn = ({ read }: Row) => filesOf(read).find((file) => file.mate === mate);
  return {
    id: mate,
    label: text[mate],
    isMinor: true,
    cell: (row) => {
      const file = fileIn(row);
      return file ? (
        <span class="reads-file" title={file.path}>
          {file.name}
        </span>
      ) : (
        <span class="muted">–</span>
      );
    },
    saved: (row) => fileIn(row)?.path ?? "",
  };
}

const shown = (value: number | null, write: (value: number) => string): string =>
  value === null ? "–" : write(value);
const sizeOf = ({ read }: Row): number | null => sumOf(filesOf(read).map((file) => file.size));
const readsOf = ({ read }: Row): number | null => sumOf(filesOf(read).map((file) => file.reads));
const qualityOf = ({ read }: Row): number | null => meanOf(filesOf(read).map((file) => file.quality));
const md5Of = (row: Row): Md5State | null => worstMd5(knownFiles(row).map(({ md5 }) => md5));

const classOf = (read: Row["read"]): string =>
  read && filesOf(read).length > 0 ? text.classes[read.dataClass] : "";

function wordsOf(read: Row["read"]): string {
  const files = filesOf(read);
  return files.length === 0 ? text.noReads : text.verdict[verdictOf(files)];
}

/** What was found, and the first of its problems; the drawer says all of them. */
function Check({ row: { read } }: { row: Row }) {
  const files = filesOf(read);
  if (files.length === 0) return <span class="muted">{text.noReads}</span>;
  const problems = problemsOf(files);
  return (
    <span class="reads-check" title={problems.join("\n") || undefined}>
      <Chip tone={TONES[verdictOf(files)]}>{problems[0] ?? wordsOf(read)}</Chip>
    </span>
  );
}

export function Md5({ state }: { state: Md5State | null }) {
  if (state === null) return <span class="muted">–</span>;
  return <Chip tone={MD5_TONES[state]}>{text.md5States[state]}</Chip>;
}
