import { useEffect, useState } from "preact/hooks";
import { Button } from "../../../parts/button";
import { Chip, type Tone } from "../../../parts/chip";
import { Dialog } from "../../../parts/dialog";
import { ProblemNotice } from "../../../parts/problem";
import { type Column, Table } from "../../../parts/table";
import { checkText as text } from "../../../text/en/delivery";
import type { Order } from "../state";
import { type CheckedFile, folderCheck, type Verdict } from "./check-state";
import type { DeliveredFile } from "./files";
import type { FolderFile } from "./folder-check";
import { readChecksumList } from "./state";

interface Props {
  order: Order;
  files: readonly DeliveredFile[];
  onClose: () => void;
}

const TONES: Record<Verdict, Tone> = {
  waiting: "wait",
  reading: "run",
  ok: "ok",
  elsewhere: "ok",
  differs: "bad",
  missing: "bad",
  unreadable: "bad",
};

const COLUMNS: Column<CheckedFile>[] = [
  { id: "file", label: text.file, cell: ({ path }) => <code>{path}</code> },
  {
    id: "state",
    label: text.result,
    cell: ({ verdict }) => <Chip tone={TONES[verdict]}>{text.state[verdict]}</Chip>,
  },
];

/** Compare what was fetched with the list, in this browser. */
export function CheckDialog({ order, files: delivered, onClose }: Props) {
  const [check] = useState(() => folderCheck(() => readChecksumList(order.id), delivered));
  useEffect(() => check.stop, [check]);
  const files = check.files.value;
  const isRunning = check.isRunning.value;
  const problem = check.problem.value;
  const bytes = check.bytes.value;
  return (
    <Dialog title={text.title} onClose={onClose} isWide>
      <div class="stack">
        <p>{text.intro}</p>
        <label class="file-choice">
          <span>{files.length > 0 ? text.again : text.chooseFolder}</span>
          <input
            type="file"
            ref={takesFolders}
            disabled={isRunning}
            onChange={(event) => void check.run(folderOf(event.currentTarget.files))}
          />
        </label>
        {problem && <ProblemNotice problem={problem} />}
        {isRunning && (
          <div class="line">
            <progress max={bytes.all} value={bytes.done} aria-label={text.title} />
            <span class="muted">{text.bytes(bytes.done, bytes.all)}</span>
            <Button onClick={check.stop}>{text.stop}</Button>
          </div>
        )}
        <p role="status">
          <strong>{isRunning ? "" : outcome(files)}</strong>
        </p>
        {files.length > 0 && (
          <Table label={text.title} columns={COLUMNS} rows={files} rowId={({ path }) => path} />
        )}
      </div>
    </Dialog>
  );
}

/** Preact's types do not know the attribute, which every browser has. */
function takesFolders(input: HTMLInputElement | null): void {
  if (input) input.webkitdirectory = true;
}

function outcome(files: readonly CheckedFile[]): string {
  if (files.length === 0) return "";
  if (files.every(({ verdict }) => verdict === "missing")) return text.noneFound;
  const wrong = files.filter(({ verdict }) => verdict !== "ok" && verdict !== "elsewhere").length;
  return wrong === 0 ? text.allOk(files.length) : text.notAll(wrong);
}

function folderOf(files: FileList | null): FolderFile[] {
  return [...(files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}
