import { useMemo, useState } from "preact/hooks";
import { fieldErrors, type Problem } from "../../../api/problem";
import { action, asProblem } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { Dialog } from "../../../parts/dialog";
import { ErrorSummary } from "../../../parts/error-summary";
import { text as common } from "../../../text/en/common";
import { runText as text } from "../../../text/en/plans";
import type { Order } from "../state";
import { isNanopore } from "./parameters";
import { RunFields } from "./run-fields";
import { bodyOf, changesOf, conflictsOf, mergedValues, type RunValues, valuesOf } from "./run-values";
import { createRun, type Run, readRuns, saveRun } from "./state";
import { whoChanged } from "./who";

interface Props {
  order: Order;
  /** Null makes a new one. */
  run: Run | null;
  onClose: () => void;
  onSaved: (run: Run) => Promise<void>;
}

interface Theirs {
  paths: readonly string[];
  told: string;
}

/** What is known of a run. What somebody else changed meanwhile is taken over, or shown beside one's own. */
export function RunDialog({ order, run, onClose, onSaved }: Props) {
  const [base, setBase] = useState(run);
  const [values, setValues] = useState(() => valuesOf(run));
  const [theirs, setTheirs] = useState<Theirs>({ paths: [], told: "" });
  const save = useMemo(() => {
    async function store(from: Run | null, wanted: RunValues): Promise<void> {
      const body = bodyOf(from, valuesOf(from), wanted);
      try {
        const saved =
          from === null
            ? await createRun(order.id, { ...body, runId: body.runId ?? "" })
            : await saveRun(from, { ...body, baseUpdatedAt: from.updatedAt });
        onClose();
        await onSaved(saved);
      } catch (error) {
        if (from === null || !isStale(asProblem(error))) throw error;
        const now = (await readRuns(order.id)).find(({ id }) => id === from.id);
        if (now === undefined || now.updatedAt === from.updatedAt) throw error;
        const both = conflictsOf(valuesOf(from), wanted, valuesOf(now));
        const merged = mergedValues(valuesOf(from), wanted, valuesOf(now));
        if (both.length === 0) return store(now, merged);
        setBase(now);
        setValues(merged);
        setTheirs({ paths: both, told: whoChanged(asProblem(error)) });
      }
    }
    return action(store);
  }, []);
  const problem = save.problem.value;
  const stored = valuesOf(base);
  const open = theirs.paths.filter((path) => values[path] !== stored[path]);
  const isNew = base === null;
  return (
    <Dialog
      title={isNew ? text.newTitle : text.editTitle(base.runId)}
      onClose={onClose}
      isWide
      losesSomething={changesOf(stored, values).length > 0}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="main" type="submit" form="sequencing-run" isBusy={save.isRunning.value}>
            {isNew ? text.create : text.save}
          </Button>
        </>
      }
    >
      <form
        id="sequencing-run"
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save.run(base, values);
        }}
      >
        <ErrorSummary problem={problem} labels={text.labels} />
        {open.length > 0 && (
          <div class="notice notice-wait" role="alert">
            <p>{text.stale(theirs.told)}</p>
            <ul class="stack-tight">
              {open.map((path) => {
                const label = text.labels[path] ?? path;
                return (
                  <li key={path} class="line">
                    <span>{text.theirs(label, stored[path] ?? "")}</span>
                    <Button onClick={() => setValues({ ...values, [path]: stored[path] ?? "" })}>
                      {text.useTheirs(label)}
                    </Button>
                  </li>
                );
              })}
            </ul>
          </div>
        )}
        <RunFields
          values={values}
          errors={fieldErrors(problem)}
          format={isNanopore(base?.platform ?? order.platform) ? "minknow" : "illumina"}
          onChange={(path, value) => setValues((before) => ({ ...before, [path]: value }))}
        />
      </form>
    </Dialog>
  );
}

/** Another run has this name is a 409, too; it names no version. */
const isStale = ({ status, details }: Problem): boolean =>
  status === 409 && details.some(({ path }) => path === "baseUpdatedAt");
