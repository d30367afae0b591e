import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { toast } from "../../parts/toast";
import { demoRefusal } from "../../session";
import { text } from "../../text/en/runs";
import { cancelRun, isActive, type Run } from "./state";

interface Props {
  run: Run;
  onChange: () => Promise<void>;
}

/** What the facility does with a run. */
export function RunBar({ run, onChange }: Props) {
  const [asked, setAsked] = useState(false);
  return (
    <>
      {isActive(run) && (
        <Button refusal={demoRefusal.value} onClick={() => setAsked(true)}>
          {text.cancelRun}
        </Button>
      )}
      {asked && (
        <ConfirmDialog
          title={text.cancelTitle(run.runNumber)}
          verb={text.cancelRun}
          isDanger
          onConfirm={async () => {
            await cancelRun(run.id);
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
