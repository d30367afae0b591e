import { useState } from "preact/hooks";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { RadioCards } from "../../parts/choice-fields";
import { Dialog } from "../../parts/dialog";
import { ProblemNotice } from "../../parts/problem";
import { text as common } from "../../text/en/common";
import { registryText as text } from "../../text/en/registry";
import { decide, POLICIES, type Policy } from "./state";

interface Props {
  setting: Policy | null;
  onDecided: () => Promise<void>;
  onClose: () => void;
}

const LEAVE = "leave";
type Choice = Policy | typeof LEAVE;

/** Ask what is to hold of signatures; the service wants the password for it. */
export function PolicyDialog({ setting, onDecided, onClose }: Props) {
  const now: Choice = setting ?? LEAVE;
  const [chosen, choose] = useState<Choice>(now);
  const deciding = useAction(async () => {
    await decide(chosen === LEAVE ? null : chosen);
    await onDecided();
    onClose();
  });
  const problem = deciding.problem.value;
  const choices = [
    ...POLICIES.map((policy) => ({
      value: policy,
      label: text.policies[policy],
      help: text.policyMeanings[policy],
    })),
    { value: LEAVE, label: text.leave, help: text.leaveMeaning },
  ];
  return (
    <Dialog
      title={text.changeTitle}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button
            look={chosen === "warn" || chosen === "off" ? "danger" : "main"}
            isBusy={deciding.isRunning.value}
            refusal={chosen === now ? text.isSo : null}
            onClick={() => void deciding.run()}
          >
            {text.verbs[chosen]}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{text.changeWhat}</p>
        <RadioCards
          name="trust"
          label={text.policy}
          choices={choices}
          value={chosen}
          onInput={(value) => choose(value as Choice)}
        />
        {problem && <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  );
}
