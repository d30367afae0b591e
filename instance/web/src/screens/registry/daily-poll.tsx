import { useAction, useList } from "../../api/resource";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { Loaded } from "../../parts/loading";
import { ProblemNotice } from "../../parts/problem";
import { demoRefusal } from "../../session";
import { registryText as text } from "../../text/en/registry";
import { decidePollsDaily, readPollsDaily } from "./state";

/** Whether the service asks the registry by itself; the password is asked for as for each setting of it. */
export function DailyPoll() {
  const polls = useList(readPollsDaily, []);
  const deciding = useAction(async (isOn: boolean) => {
    await decidePollsDaily(isOn);
    await polls.reload();
  });
  const problem = deciding.problem.value;
  return (
    <Loaded of={polls}>
      {(isOn) => (
        <div class="stack-tight">
          <p class="line">
            {text.pollDaily} <Chip tone={isOn ? "ok" : "wait"}>{isOn ? text.on : text.off}</Chip>
            <Button
              label={isOn ? text.stopPolls : text.startPolls}
              refusal={demoRefusal.value}
              isBusy={deciding.isRunning.value}
              onClick={() => void deciding.run(!isOn)}
            >
              {isOn ? text.switchOff : text.switchOn}
            </Button>
          </p>
          <p class="muted">{text.pollDailyWhy}</p>
          {problem && <ProblemNotice problem={problem} />}
        </div>
      )}
    </Loaded>
  );
}
