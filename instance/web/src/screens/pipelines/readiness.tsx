import { Checks } from "../../analyses/readiness";
import type { Readiness } from "../../analyses/state";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { ProblemNotice } from "../../parts/problem";
import { demoRefusal } from "../../session";
import { pipelineText as text } from "../../text/en/pipelines";
import { DATA_TAB, decide, type Installed } from "./state";

interface Props {
  pipeline: Installed;
  readiness: Readiness;
  onChange: () => Promise<void>;
}

/** Whether it could run now: each thing that was looked at, and the way to what is missing. */
export function ReadinessPanel({ pipeline, readiness, onChange }: Props) {
  const enabling = useAction(async () => {
    await decide(pipeline.id, { enabled: true });
    await onChange();
  });
  const problem = enabling.problem.value;
  return (
    <section class="card stack-tight" aria-labelledby="readiness">
      <div class="spread">
        <h2 id="readiness">{text.readiness}</h2>
        {readiness.ready ? <Chip tone="ok">{text.canRun}</Chip> : <Chip tone="wait">{text.canNotRun}</Chip>}
      </div>
      <Checks
        of={readiness.checks}
        where={text.onThisPage}
        actionOf={({ id }) => {
          if (id === "database") return <a href={DATA_TAB}>{text.toData}</a>;
          if (id !== "enabled") return null;
          return (
            <Button
              look="quiet"
              refusal={demoRefusal.value}
              isBusy={enabling.isRunning.value}
              onClick={() => void enabling.run()}
            >
              {text.enable}
            </Button>
          );
        }}
      />
      {problem && <ProblemNotice problem={problem} />}
    </section>
  );
}
