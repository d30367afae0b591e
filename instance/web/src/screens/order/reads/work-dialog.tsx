import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { Button } from "../../../parts/button";
import { Dialog } from "../../../parts/dialog";
import { TextField } from "../../../parts/field";
import { type Column, Table } from "../../../parts/table";
import { demoRefusal } from "../../../session";
import { text as common } from "../../../text/en/common";
import { workText as text } from "../../../text/en/reads";
import { type State, type Work, work } from "./work";

interface Props<T extends { id: string }> {
  title: string;
  /** What it does and doesn't, and the fields that it needs. */
  children: ComponentChildren;
  /** What somebody else loses or gets by it. */
  warnings?: readonly (string | false)[] | undefined;
  things: readonly T[];
  columns: readonly Column<T>[];
  verb: string;
  isDanger?: boolean | undefined;
  /** This is typed first. */
  typedName?: string | undefined;
  /** Why it can't be done yet. */
  refusal?: string | null | undefined;
  batches: (things: readonly T[]) => T[][];
  act: (batch: T[]) => Promise<ReadonlyMap<string, string>>;
  /** Something was done: with so many of them. */
  onDone: (done: number) => void;
  onClose: () => void;
}

/** Ask, then do something with many things: progress while it runs, and what was refused at its row. */
export function WorkDialog<T extends { id: string }>(props: Props<T>) {
  const { title, children, warnings = [], things, columns, verb, isDanger, typedName, onClose } = props;
  // What was asked for is what is done, whatever is read anew meanwhile.
  const asked = useMemo(() => things, []);
  const job = useMemo(() => work<T>(), []);
  const [typed, setTyped] = useState("");
  // Who leaves the page sees no more what is refused: nothing more begins.
  useEffect(() => job.stop, []);
  const phase = job.phase.value;
  const states = job.states.value;
  const run = async (): Promise<void> => {
    await job.run(props.batches(asked), props.act);
    const ended = [...job.states.value.values()];
    const done = ended.filter(({ is }) => is === "done").length;
    if (done > 0) props.onDone(done);
    if (done === asked.length) onClose();
  };
  const isTyped = typedName === undefined || typed.trim() === typedName;
  const refusal = demoRefusal.value ?? props.refusal ?? (isTyped ? null : text.typeFirst);
  const shown: Column<T>[] =
    phase === "asked"
      ? [...columns]
      : [
          ...columns,
          { id: "state", label: text.state, cell: ({ id }) => <StateOf state={states.get(id)} /> },
        ];
  return (
    <Dialog
      title={title}
      onClose={onClose}
      losesSomething={phase === "running"}
      isWide
      actions={
        <Actions job={job} verb={verb} isDanger={isDanger} refusal={refusal} run={run} onClose={onClose} />
      }
    >
      <div class="stack">
        {children}
        {warnings.map((words) => words !== false && <Warning key={words}>{words}</Warning>)}
        <Progress states={states} all={asked.length} phase={phase} />
        <Table label={text.concerned} columns={shown} rows={asked} rowId={({ id }) => id} />
        {typedName !== undefined && phase === "asked" && (
          <TextField
            name="typedName"
            label={text.typeToConfirm(typedName)}
            value={typed}
            onInput={setTyped}
            required
          />
        )}
      </div>
    </Dialog>
  );
}

/** A name in one line: the rows of a long table have one height. */
export function FileName({ name, path }: { name: string; path?: string | undefined }) {
  return (
    <span class="reads-name" title={path ?? name}>
      {name}
    </span>
  );
}

export function Warning({ children }: { children: ComponentChildren }) {
  return (
    <div class="notice notice-wait" role="note">
      <p>{children}</p>
    </div>
  );
}

interface ActionsProps<T extends { id: string }> {
  job: Work<T>;
  verb: string;
  isDanger: boolean | undefined;
  refusal: string | null;
  run: () => Promise<void>;
  onClose: () => void;
}

function Actions<T extends { id: string }>({ job, verb, isDanger, refusal, run, onClose }: ActionsProps<T>) {
  const phase = job.phase.value;
  if (phase === "running") return <Button onClick={() => job.stop()}>{text.stop}</Button>;
  if (phase === "over") {
    return (
      <Button look="main" onClick={onClose}>
        {common.close}
      </Button>
    );
  }
  return (
    <>
      <Button onClick={onClose}>{common.cancel}</Button>
      <Button look={isDanger ? "danger" : "main"} refusal={refusal} onClick={() => void run()}>
        {verb}
      </Button>
    </>
  );
}

interface ProgressProps {
  states: ReadonlyMap<string, State>;
  all: number;
  phase: "asked" | "running" | "over";
}

function Progress({ states, all, phase }: ProgressProps) {
  const ended = [...states.values()];
  const done = ended.filter(({ is }) => is === "done").length;
  const refused = ended.filter(({ is }) => is === "refused").length;
  return (
    <div class="line" role="status">
      {phase === "running" && <progress max={all} value={done + refused} aria-label={text.progress} />}
      {phase === "running" && <span>{text.doneOf(done + refused, all)}</span>}
      {phase === "over" && <strong>{text.over(done, refused, all)}</strong>}
    </div>
  );
}

function StateOf({ state }: { state: State | undefined }) {
  if (state?.is === "refused") return <span class="reads-refused">{state.why}</span>;
  return <span class="muted">{text.is[state?.is ?? "waiting"]}</span>;
}
