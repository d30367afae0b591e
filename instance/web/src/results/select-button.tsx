import "../style/parts/results.css";
import { useState } from "preact/hooks";
import { useAction } from "../api/resource";
import { Button } from "../parts/button";
import { ConfirmDialog } from "../parts/confirm-dialog";
import { ProblemNotice } from "../parts/problem";
import { toast } from "../parts/toast";
import { demoRefusal } from "../session";
import { resultText as text } from "../text/en/results";
import { type DecidedRun, type Stakes, select, withdraw } from "./state";

interface Props {
  run: DecidedRun;
  stakes: Stakes;
  look?: "plain" | "main" | undefined;
  onChange: () => Promise<void>;
}

/**
 * Select a run as the result of its order or study, or withdraw that.
 *
 * It says before what happens. Only what changes something that is delivered already is asked for once more.
 */
export function SelectButton({ run, stakes, look = "plain", onChange }: Props) {
  const [isAsked, setIsAsked] = useState(false);
  const { isSelectedFinal: isSelected } = run;
  const choose = async (): Promise<void> => {
    await select(run.id);
    await onChange();
  };
  const leave = async (): Promise<void> => {
    await withdraw(run.id);
    await onChange();
    toast(text.withdrawn(run.runNumber), () => void undo.run());
  };
  const undo = useAction(choose);
  const act = useAction(isSelected ? leave : choose);
  const problem = act.problem.value ?? undo.problem.value;
  const verb = isSelected ? text.withdraw : text.select;
  const before = isSelected
    ? [text.willHide]
    : [stakes.replaced ? text.willReplace(stakes.replaced) : text.willShow];
  return (
    <div class="decision">
      <Button
        look={isSelected ? "plain" : look}
        isBusy={act.isRunning.value}
        refusal={demoRefusal.value}
        onClick={() => (stakes.isReleased ? setIsAsked(true) : void act.run())}
      >
        {verb}
      </Button>
      <p class="muted">{[isSelected && text.selected, ...before].filter(Boolean).join(" ")}</p>
      {problem && <ProblemNotice problem={problem} />}
      {isAsked && (
        <ConfirmDialog
          title={`${verb}: ${run.runNumber}`}
          verb={verb}
          onConfirm={isSelected ? leave : choose}
          onClose={() => setIsAsked(false)}
        >
          {[...before, text.isReleased].join(" ")}
        </ConfirmDialog>
      )}
    </div>
  );
}
