import { useMemo, useState } from "preact/hooks";
import { Problem } from "../../../api/problem";
import { useAction, useList } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { Dialog } from "../../../parts/dialog";
import { SelectField, TextField } from "../../../parts/field";
import { Loaded } from "../../../parts/loading";
import { ProblemNotice } from "../../../parts/problem";
import { text as common } from "../../../text/en/common";
import { readsText, linkText as text, workText } from "../../../text/en/reads";
import type { Order } from "../state";
import { FolderChoice } from "./folder-choice";
import { assignmentsOf, type Choices, isTaken, NO_CHOICES, pairsOf, refusedFiles, rowsOf } from "./link-rows";
import { LinkTable } from "./link-table";
import { DATA_CLASSES, type DataClass, linkFiles, readDisk, readPlan } from "./state";
import { Warning } from "./work-dialog";

interface Props {
  order: Order;
  defaultClass: DataClass;
  onLinked: (samples: number) => void;
  onClose: () => void;
}

/** Choose files below the data folder; which sample each is of, the rule of an upload says. */
export function LinkDialog({ order, defaultClass, onLinked, onClose }: Props) {
  const [place, setPlace] = useState({ folder: "", below: false });
  const [choices, setChoices] = useState<Choices>(NO_CHOICES);
  const [dataClass, setClass] = useState<DataClass>(defaultClass);
  const [note, setNote] = useState("");
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const { folder, below } = place;
  const disk = useList((signal) => readDisk(order.id, folder, below, signal), [order.id, folder, below]);
  const files = disk.data.value?.files ?? [];
  const taken = files.filter((file) => isTaken(file, choices));
  // What the plan was made of: any other choice makes it an old one.
  const asked = useMemo(() => ({ taken, choices, dataClass }), [disk.data.value, choices, dataClass]);
  const plan = useList(
    async (signal) => {
      const files = asked.taken.map(({ path, size }) => ({ path, size }));
      const sampleOf = Object.fromEntries(choices.sampleOf);
      const mateOf = Object.fromEntries(choices.mateOf);
      const found =
        files.length === 0
          ? null
          : await readPlan(
              order.id,
              { files, sampleOf, mateOf, dataClass, checksums: null, joinLanes: false },
              signal,
            );
      return { asked, found };
    },
    [asked],
  );
  const planned = plan.data.value?.found ?? null;
  const rows = rowsOf(files, planned, choices);
  const pairs = pairsOf(rows);
  const superseded = planned?.uploads.flatMap(({ supersedes }) => supersedes ?? []) ?? [];
  const { assignments, places } = assignmentsOf(pairs, dataClass, note);
  const link = useAction(async () => {
    setRefused(new Map());
    try {
      await linkFiles(order.id, assignments);
    } catch (error) {
      if (error instanceof Problem) setRefused(refusedFiles(error, places));
      throw error;
    }
    onLinked(assignments.length);
    onClose();
  });
  const choose = (next: Choices): void => {
    setChoices(next);
    setRefused(new Map());
  };
  const problem = link.problem.value;
  const withoutR1 = pairs.find(({ file1 }) => file1 === null);
  const isPlanning = plan.problem.value === null && plan.data.value?.asked !== asked;
  const toFix = rows.filter(({ isIn, planned }) => isIn && planned?.kind === "problem").length;
  const refusal =
    pairs.length === 0 && toFix === 0
      ? text.nothingYet
      : toFix > 0
        ? text.fixFirst(toFix)
        : withoutR1
          ? text.withoutR1(withoutR1.sample)
          : null;

  return (
    <Dialog
      title={text.title}
      onClose={onClose}
      isWide
      isWaiting={disk.data.value === null}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look="main"
            isBusy={link.isRunning.value || isPlanning}
            refusal={refusal}
            onClick={() => void link.run()}
          >
            {text.verb(pairs.length)}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{text.how}</p>
        <Loaded of={disk}>
          {(found) => (
            <>
              <FolderChoice
                disk={found}
                below={below}
                onChoose={(next) => {
                  choose(NO_CHOICES);
                  setPlace(next);
                }}
              />
              {plan.problem.value && (
                <ProblemNotice problem={plan.problem.value} onTryAgain={() => void plan.reload()} />
              )}
              {rows.length > 0 && (
                <LinkTable order={order} rows={rows} choices={choices} refused={refused} onChoose={choose} />
              )}
            </>
          )}
        </Loaded>
        {rows.length > 0 && (
          <div class="reads-fields">
            <SelectField
              name="dataClass"
              label={readsText.dataClass}
              value={dataClass}
              choices={DATA_CLASSES.map((value) => ({ value, label: readsText.classes[value] }))}
              onInput={(value) => setClass(DATA_CLASSES.find((each) => each === value) ?? defaultClass)}
            />
            <TextField
              name="note"
              label={workText.note}
              help={workText.noteHelp}
              value={note}
              onInput={setNote}
            />
          </div>
        )}
        {superseded.length > 0 && (
          <Warning>
            {text.supersedes(superseded.length, superseded.filter(({ isDelivered }) => isDelivered).length)}
          </Warning>
        )}
        {problem && refused.size === 0 && <ProblemNotice problem={problem} />}
        {refused.size > 0 && (
          <div class="notice notice-bad" role="alert">
            <p>{text.refused(refused.size)}</p>
          </div>
        )}
      </div>
    </Dialog>
  );
}
