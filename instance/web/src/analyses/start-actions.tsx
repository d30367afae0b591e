import { useState } from "preact/hooks";
import { useAction } from "../api/resource";
import { Button } from "../parts/button";
import { ProblemNotice } from "../parts/problem";
import { toast } from "../parts/toast";
import { startText as text } from "../text/en/analyses";
import { text as common } from "../text/en/common";
import type { Checked } from "./checking";
import {
  type Choices,
  deleteRun,
  type MadeRun,
  makeRun,
  type Started,
  samplesOf,
  startRun,
  type Target,
} from "./state";

interface Props {
  target: Target;
  /** Null until a pipeline and samples are chosen. */
  choices: Choices | null;
  hasPipeline: boolean;
  /** What is to be chosen before anything can start. */
  ask: string;
  checked: Checked;
  made: MadeRun | null;
  onMade: (made: MadeRun | null) => void;
  onStarted: (runId: string) => void;
  onClose: () => void;
}

/** The one button that makes a run and starts it; a run that was made and not started is started or deleted. */
export function StartActions(props: Props) {
  const { target, choices, hasPipeline, ask, checked, made, onMade, onStarted, onClose } = props;
  const start = useAction(async () => {
    const run = made ?? (choices && (await makeRun(target, choices)));
    if (run === null) return;
    try {
      tell(await startRun(run.id));
    } catch (problem) {
      onMade(run);
      throw problem;
    }
    onStarted(run.id);
  });
  const remove = useAction(async () => {
    if (made !== null) await deleteRun(made.id);
    onMade(null);
  });
  const [hasTried, setHasTried] = useState(false);
  const problem = remove.problem.value ?? start.problem.value;
  const isBusy = start.isRunning.value || remove.isRunning.value;
  return (
    <>
      {problem && hasTried && (
        <div class="start-problem">
          <ProblemNotice problem={problem} />
        </div>
      )}
      <Button onClick={onClose}>{made === null ? common.cancel : common.close}</Button>
      {made !== null && (
        <Button
          look="danger"
          label={text.removeOf(made.runNumber)}
          isBusy={isBusy}
          onClick={() => void remove.run()}
        >
          {text.remove}
        </Button>
      )}
      <Button
        look="main"
        isBusy={isBusy}
        refusal={made === null ? refusalOf(hasPipeline, choices, ask, checked) : null}
        onClick={() => {
          setHasTried(true);
          void start.run();
        }}
      >
        {made === null
          ? text.start(choices === null ? 0 : samplesOf(choices))
          : text.startAgain(made.runNumber)}
      </Button>
    </>
  );
}

/** Why it can't be started now; what the check has not answered yet is no reason. */
function refusalOf(
  hasPipeline: boolean,
  choices: Choices | null,
  ask: string,
  { found, isRunning }: Checked,
): string | null {
  if (!hasPipeline) return text.choosePipeline;
  if (choices === null) return ask;
  return !isRunning && found !== null && !found.valid ? text.wrong : null;
}

/** What a start answered beside that the run goes on. */
export function tell(started: Started | null): void {
  if (started === null) return;
  if (started.status === "pending") toast(text.waits(started.queuePosition, started.reason));
  if (started.warnings.length > 0) toast(text.warned(started.warnings));
}
