import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { addressWith } from "../../../parts/address";
import { Button, LinkButton } from "../../../parts/button";
import { Chip } from "../../../parts/chip";
import { Copy } from "../../../parts/copy";
import { Empty } from "../../../parts/empty";
import { type SavedColumn, SaveList } from "../../../parts/saved-list";
import { SearchField } from "../../../parts/search-field";
import { Table } from "../../../parts/table";
import { demoRefusal } from "../../../session";
import { deliveryText as text } from "../../../text/en/delivery";
import { list, size } from "../../../text/format";
import type { DeliveredFile, DeliveredFiles } from "./files";

interface Row {
  sample: string | null;
  code: string | null;
  file: DeliveredFile;
}

/** Between two downloads that were started together: browsers drop what comes at once. */
const BETWEEN_DOWNLOADS_MS = 400;

export function FileTable({ files }: { files: DeliveredFiles }) {
  const { path, query, route } = useLocation();
  const { q = "" } = query;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = rowsOf(files);
  const shown = rows.filter((row) => fits(row, q));
  const areAllChosen = shown.length > 0 && shown.every(({ file }) => chosen.has(file.id));
  const choose = (ids: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen);
    for (const id of ids) isOn ? next.add(id) : next.delete(id);
    setChosen(next);
  };
  const chosenFiles = rows.filter(({ file }) => chosen.has(file.id)).map(({ file }) => file);
  const columns = columnsOf(chosen, choose, rows.some(hasRemark));
  if (rows.length === 0) return null;
  return (
    <div class="stack">
      <h2>{text.samples}</h2>
      <div class="spread">
        <search class="line list-bar">
          <SearchField
            name="files"
            label={text.searchFiles}
            words={q}
            onSearch={(words) => route(addressWith(path, query, { q: words }), true)}
          />
        </search>
        <div class="line">
          <label class="check">
            <input
              type="checkbox"
              checked={areAllChosen}
              onChange={(event) =>
                choose(
                  shown.map(({ file }) => file.id),
                  event.currentTarget.checked,
                )
              }
            />
            {text.chooseAll}
          </label>
          <SaveList file="files.csv" columns={columns} rows={shown} />
          <Button
            icon="download"
            refusal={demoRefusal.value ?? (chosenFiles.length === 0 ? text.chooseFirst : null)}
            onClick={() => void downloadEach(chosenFiles)}
          >
            {text.downloadChosen(chosenFiles.length)}
          </Button>
        </div>
      </div>
      {shown.length === 0 ? (
        <Empty title={text.noneFound} />
      ) : (
        <Table
          label={text.samples}
          columns={columns}
          rows={shown}
          rowId={({ file }) => file.id}
          selected={chosen}
        />
      )}
    </div>
  );
}

function columnsOf(
  chosen: ReadonlySet<string>,
  choose: (ids: readonly string[], isOn: boolean) => void,
  withRemarks: boolean,
): SavedColumn<Row>[] {
  const remarks: SavedColumn<Row> = {
    id: "remarks",
    label: text.remark,
    isMinor: true,
    cell: ({ file }) => file.doubts.filter(isRemark).map((doubt) => <Remark key={doubt} doubt={doubt} />),
    saved: ({ file }) => list(file.doubts.filter(isRemark).map((doubt) => text.doubt[doubt])),
  };
  return [
    {
      id: "choose",
      label: text.chosen,
      cell: ({ file }) => (
        <input
          type="checkbox"
          aria-label={text.choose(file.name)}
          checked={chosen.has(file.id)}
          onChange={(event) => choose([file.id], event.currentTarget.checked)}
        />
      ),
    },
    {
      id: "sample",
      label: text.sample,
      cell: ({ sample }) => sample ?? <span class="muted">–</span>,
      saved: ({ sample }) => sample ?? "",
    },
    {
      id: "file",
      label: text.file,
      cell: ({ file }) => (
        <LinkButton look="link" href={file.download} download refusal={demoRefusal.value}>
          {file.name}
        </LinkButton>
      ),
      saved: ({ file }) => file.name,
    },
    {
      id: "kind",
      label: text.kind,
      cell: ({ file }) => text.role(file.role),
      isMinor: true,
      saved: ({ file }) => text.role(file.role),
    },
    {
      id: "size",
      label: text.sizeOf,
      cell: ({ file }) => (file.size === null ? "–" : size(file.size)),
      isNumber: true,
      saved: ({ file }) => file.size ?? "",
      savedLabel: text.bytes,
    },
    {
      id: "md5",
      label: text.md5,
      isMinor: true,
      cell: ({ file }) =>
        file.md5 ? (
          <Copy value={file.md5} label={text.md5Of(file.name)} />
        ) : (
          <span class="muted">{text.noMd5}</span>
        ),
      saved: ({ file }) => file.md5 ?? "",
    },
    ...(withRemarks ? [remarks] : []),
  ];
}

type Doubt = DeliveredFile["doubts"][number];

/** That an MD5 is missing, its column says. */
const isRemark = (doubt: Doubt): boolean => doubt !== "no-md5";

const hasRemark = ({ file }: Row): boolean => file.doubts.some(isRemark);

function Remark({ doubt }: { doubt: Doubt }) {
  return <Chip tone={doubt === "not-verified" ? "wait" : "bad"}>{text.doubt[doubt]}</Chip>;
}

function rowsOf({ samples, others }: DeliveredFiles): Row[] {
  return [
    ...samples.flatMap(({ alias, code, files }) =>
      files.map((file) => ({ sample: alias ?? code, code, file })),
    ),
    ...others.map((file) => ({ sample: null, code: null, file })),
  ];
}

function fits({ sample, code, file }: Row, wanted: string): boolean {
  const words = [sample, code, file.name, file.md5];
  return words.some((word) => word?.toLowerCase().includes(wanted.trim().toLowerCase()));
}

async function downloadEach(files: readonly DeliveredFile[]): Promise<void> {
  for (const file of files) {
    const link = document.createElement("a");
    link.href = file.download;
    link.download = "";
    link.click();
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_DOWNLOADS_MS));
  }
}
