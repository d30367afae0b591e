import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../../parts/button";
import { Chip, type Tone } from "../../../parts/chip";
import { Dialog } from "../../../parts/dialog";
import { ProblemNotice } from "../../../parts/problem";
import { type Column, Table } from "../../../parts/table";
import { checkText as text } from "../../../text/en/delivery";
import { Md5Worker } from "../../../workers/md5";
import type { Order } from "../state";
import { type CheckedFile, folderCheck, type Outcome, type Verdict } from "./check-state";
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
  skipped: "wait",
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
  const [check] = useState(() =>
    folderCheck(
      () => readChecksumList(order.id),
      delivered,
      () => new Md5Worker(),
    ),
  );
  const choice = useRef<HTMLInputElement | null>(null);
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
            ref={(input) => {
              choice.current = input;
              takesFolders(input);
            }}
            aria-disabled={isRunning || undefined}
            onClick={(event) => isRunning && event.preventDefault()}
            onChange={(event) => void check.run(folderOf(event.currentTarget.files))}
          />
        </label>
        {problem && <ProblemNotice problem={problem} />}
        {isRunning && (
          <div class="line">
            <progress max={bytes.all} value={bytes.done} aria-label={text.title} />
            <span class="muted">{text.bytes(bytes.done, bytes.all)}</span>
            <Button
              onClick={() => {
                // WHY: this button goes, and the focus with it; what can be done next keeps it.
                choice.current?.focus();
                check.stop();
              }}
            >
              {text.stop}
            </Button>
          </div>
        )}
        <p role="status">
          <strong>{check.outcome.value && inWords(check.outcome.value)}</strong>
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

function inWords(outcome: Outcome): string {
  if (outcome.kind === "stopped") return text.stopped(outcome.compared, outcome.all);
  if (outcome.kind !== "compared") return text[outcome.kind];
  const { wrong, all, unlisted } = outcome;
  if (wrong > 0)
    return [text.notAll(wrong), unlisted > 0 && text.unlisted(unlisted)].filter(Boolean).join(" ");
  return unlisted > 0 ? `${text.listedOk(all)} ${text.unlisted(unlisted)}` : text.allOk(all);
}

function folderOf(files: FileList | null): FolderFile[] {
  return [...(files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}
