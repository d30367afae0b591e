import { useSignal } from "@preact/signals";

import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { Dialog } from "../../parts/dialog";
import { ProblemNotice } from "../../parts/problem";
import { text } from "../../text/en/new-order";
import type { Draft } from "./draft";
import { type ImportPreview, importFile } from "./requests";

const MAX_ROWS = 100;

/** A file of samples: what it would change is seen first, cell by cell, then applied. */
export function FromFile({ draft, onClose }: { draft: Draft; onClose: () => void }) {
  const file = useSignal<File | null>(null);
  const preview = useSignal<ImportPreview | null>(null);
  const send = useAction(async (chosen: File, apply: boolean) => {
    await draft.flush();
    const id = draft.order.value?.id ?? (await draft.begin());
    preview.value = await importFile(id, chosen, apply);
    if (!apply) return;
    await draft.reload();
    onClose();
  });
  const shown = preview.value;
  const tryAgain = (): void => {
    if (file.value !== null) void send.run(file.value, shown !== null);
  };
  const labelOf = (name: string): string => draft.columns.find(({ key }) => key === name)?.label ?? name;
  const rows = shown === null ? 0 : shown.created + shown.updated;
  return (
    <Dialog
      title={text.importTitle}
      isWide
      onClose={onClose}
      actions={
        shown?.applyReady &&
        rows > 0 && (
          <Button
            look="main"
            isBusy={send.isRunning.value}
            onClick={() => file.value !== null && void send.run(file.value, true)}
          >
            {text.importApply(rows)}
          </Button>
        )
      }
    >
      <div class="stack">
        <p class="muted">{text.importHelp}</p>
        <label class="stack-tight">
          {text.chooseFile}
          <input
            type="file"
            accept=".xlsx,.csv"
            onChange={(event) => {
              const chosen = event.currentTarget.files?.[0] ?? null;
              // WHY: a browser tells nothing when the file that stands there is chosen again.
              event.currentTarget.value = "";
              file.value = chosen;
              preview.value = null;
              if (chosen !== null) void send.run(chosen, false);
            }}
          />
        </label>
        {file.value !== null && <p>{file.value.name}</p>}
        {send.problem.value && <ProblemNotice problem={send.problem.value} onTryAgain={tryAgain} />}
        {shown !== null && <Preview preview={shown} labelOf={labelOf} />}
      </div>
    </Dialog>
  );
}

interface PreviewProps {
  preview: ImportPreview;
  /** What people read above a column. */
  labelOf: (name: string) => string;
}

function Preview({ preview, labelOf }: PreviewProps) {
  const problems = [...preview.rowErrors, ...(preview.warnings ?? [])];
  return (
    <div class="stack" role="status">
      <p>{text.importCounts(preview.created, preview.updated, preview.unchanged)}</p>
      {preview.unmappedColumns.length > 0 && (
        <p class="muted">{text.importUnknown(preview.unmappedColumns)}</p>
      )}
      {preview.rowErrors.length > 0 && <p>{text.importProblems}</p>}
      <ul class="stack-tight">
        {problems.slice(0, MAX_ROWS).map(({ rowNumber, column, message }) => (
          <li key={`${rowNumber} ${column} ${message}`} class="line">
            <Chip tone="bad">{text.row(rowNumber)}</Chip>{" "}
            {column === null ? message : `${labelOf(column)}: ${withoutPath(message)}`}
          </li>
        ))}
        <More left={problems.length - MAX_ROWS} what={text.importMoreProblems} />
        {preview.changes.slice(0, MAX_ROWS).map(({ rowNumber, sampleId, columns }) => (
          <li key={rowNumber} class="line">
            <Chip tone={sampleId === null ? "ok" : "run"}>{text.row(rowNumber)}</Chip>
            {sampleId !== null && <code>{sampleId}</code>}
            {columns.map((column) => (
              <span key={column} class="import-cell">
                {labelOf(column)}
              </span>
            ))}
          </li>
        ))}
        <More left={preview.changes.length - MAX_ROWS} what={text.importMoreRows} />
      </ul>
    </div>
  );
}

/** Messages begin with what the API calls the cell. */
function withoutPath(message: string): string {
  return message.slice(message.indexOf(": ") + 1).trim();
}

function More({ left, what }: { left: number; what: (left: number) => string }) {
  return left > 0 ? <li class="muted">{what(left)}</li> : null;
}
