import { useState } from "preact/hooks";
import { Button, LinkButton } from "../../../parts/button";
import { Chip } from "../../../parts/chip";
import { Copy } from "../../../parts/copy";
import { Empty } from "../../../parts/empty";
import { TextField } from "../../../parts/field";
import { type Column, Table } from "../../../parts/table";
import { demoRefusal } from "../../../session";
import { deliveryText as text } from "../../../text/en/delivery";
import { size } from "../../../text/format";
import type { DeliveredFile, DeliveredFiles } from "./files";

interface Row {
  sample: string | null;
  code: string | null;
  file: DeliveredFile;
}

/** Between two downloads that were started together: browsers drop what comes at once. */
const BETWEEN_DOWNLOADS_MS = 400;

export function FileTable({ files }: { files: DeliveredFiles }) {
  const [wanted, setWanted] = useState("");
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const rows = rowsOf(files);
  const shown = rows.filter((row) => fits(row, wanted));
  const areAllChosen = shown.length > 0 && shown.every(({ file }) => chosen.has(file.id));
  const choose = (ids: readonly string[], isOn: boolean): void => {
    const next = new Set(chosen);
    for (const id of ids) isOn ? next.add(id) : next.delete(id);
    setChosen(next);
  };
  const chosenFiles = rows.filter(({ file }) => chosen.has(file.id)).map(({ file }) => file);
  if (rows.length === 0) return null;
  return (
    <div class="stack">
      <h2>{text.samples}</h2>
      <div class="spread">
        <TextField name="files" type="search" label={text.searchFiles} value={wanted} onInput={setWanted} />
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
          columns={columnsOf(chosen, choose, rows.some(hasRemark))}
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
): Column<Row>[] {
  const remarks: Column<Row> = {
    id: "remarks",
    label: text.remark,
    isMinor: true,
    cell: ({ file }) => file.doubts.filter(isRemark).map((doubt) => <Remark key={doubt} doubt={doubt} />),
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
    { id: "sample", label: text.sample, cell: ({ sample }) => sample ?? <span class="muted">–</span> },
    {
      id: "file",
      label: text.file,
      cell: ({ file }) => (
        <LinkButton look="link" href={file.download} download refusal={demoRefusal.value}>
          {file.name}
        </LinkButton>
      ),
    },
    { id: "kind", label: text.kind, cell: ({ file }) => text.role(file.role), isMinor: true },
    {
      id: "size",
      label: text.sizeOf,
      cell: ({ file }) => (file.size === null ? "–" : size(file.size)),
      isNumber: true,
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
