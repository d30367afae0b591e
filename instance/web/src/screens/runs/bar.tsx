import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { ProblemNotice } from "../../parts/problem";
import { toast } from "../../parts/toast";
import { demoRefusal } from "../../session";
import { text } from "../../text/en/runs";
import { cancelRun, resumeRun, startAgain, startRun } from "./actions";
import { isActive, type Run } from "./state";

interface Props {
  run: Run;
  onChange: () => Promise<void>;
}

/** What the facility does with a run. */
export function RunBar({ run, onChange }: Props) {
  const { route } = useLocation();
  const [asked, setAsked] = useState(false);
  const start = useAction(async () => {
    await startRun(run);
    await onChange();
  });
  const resume = useAction(async () => {
    await resumeRun(run);
    await onChange();
    toast(text.resumed);
  });
  const again = useAction(async () => {
    const made = await startAgain(run);
    if (made.refusal !== null) toast(text.notStarted(made.run.runNumber, made.refusal));
    route(`/runs/${made.run.id}`);
  });
  const problem = start.problem.value ?? resume.problem.value ?? again.problem.value;
  const hasEnded = !isActive(run);
  const isEndedEarly = run.status === "failed" || run.status === "cancelled";
  const refusal = demoRefusal.value;
  return (
    <>
      {run.status === "pending" && !run.queue && (
        <Button look="main" isBusy={start.isRunning.value} refusal={refusal} onClick={() => void start.run()}>
          {text.startRun}
        </Button>
      )}
      {isEndedEarly && (
        <Button
          look="main"
          isBusy={resume.isRunning.value}
          refusal={refusal ?? (run.canResume ? null : (run.cannotResumeReason ?? null))}
          onClick={() => void resume.run()}
        >
          {text.resume}
        </Button>
      )}
      {hasEnded && (
        <Button isBusy={again.isRunning.value} refusal={refusal} onClick={() => void again.run()}>
          {text.startAgain}
        </Button>
      )}
      {!hasEnded && (
        <Button refusal={refusal} onClick={() => setAsked(true)}>
          {text.cancelRun}
        </Button>
      )}
      {problem && <ProblemNotice problem={problem} />}
      {asked && (
        <ConfirmDialog
          title={text.cancelTitle(run.runNumber)}
          verb={text.cancelRun}
          isDanger
          onConfirm={async () => {
            await cancelRun(run);
            await onChange();
            toast(text.cancelled);
          }}
          onClose={() => setAsked(false)}
        >
          {text.cancelWhat(run.runNumber)}
        </ConfirmDialog>
      )}
    </>
  );
}
