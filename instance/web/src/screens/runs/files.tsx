import { useState } from "preact/hooks";
import { useLive } from "../../api/live";
import { useList } from "../../api/resource";
import { Button } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { previewOf } from "../../parts/report";
import { type Column, Table } from "../../parts/table";
import { Time } from "../../parts/time";
import { text as common } from "../../text/en/common";
import { filesText as text } from "../../text/en/runs";
import { size } from "../../text/format";
import { FILES_PAGE, type Run, type RunFile, readFiles } from "./state";
import type { TabProps } from "./tabs";

/** The files of a run's folder, without the work of its tasks. */
export function Tab({ run }: TabProps) {
  const [pages, setPages] = useState(1);
  const files = useList(
    async (signal) => (run.runFolder ? await readFiles(run.id, pages, signal) : { files: [], total: 0 }),
    [run.id, run.runFolder, pages],
  );
  useLive([`run:${run.id}`], () => void files.reload());
  return (
    <Loaded of={files}>
      {({ files: found, total }) =>
        found.length === 0 ? (
          <Empty title={text.none}>{run.runFolder ? text.noneWhy : text.noFolder}</Empty>
        ) : (
          <div class="stack-tight">
            <p class="muted">
              <code>{run.runFolder}</code>
            </p>
            <Table label={text.files} columns={columnsOf(run)} rows={found} rowId={({ path }) => path} />
            <div class="line muted">
              <span role="status">{common.rows(found.length, total)}</span>
              {found.length < total && (
                <Button onClick={() => setPages(pages + 1)}>
                  {text.more(Math.min(FILES_PAGE, total - found.length))}
                </Button>
              )}
            </div>
          </div>
        )
      }
    </Loaded>
  );
}

const columnsOf = (run: Run): Column<RunFile>[] => [
  {
    id: "path",
    label: text.path,
    cell: ({ path }) => {
      const preview = previewOf(`${run.runFolder}/${path}`);
      return preview ? (
        <a href={preview} target="_blank" rel="noreferrer">
          {path}
        </a>
      ) : (
        <span class="mono">{path}</span>
      );
    },
  },
  { id: "size", label: text.size, cell: ({ size: bytes }) => size(bytes), isNumber: true },
  { id: "changed", label: text.changed, cell: ({ modifiedAt }) => <Time at={modifiedAt} />, isMinor: true },
];
