import "../style/parts/first-hour.css";
import { useState } from "preact/hooks";
import { type Resource, useAction } from "../api/resource";
import { Chip, type Tone } from "../parts/chip";
import { ProblemNotice } from "../parts/problem";
import { WithCommands } from "../parts/with-commands";
import { firstHourText as text } from "../text/en/first-hour";
import { Controls, type StepAction, ToCopy } from "./controls";
import { askNow, type FirstHour, fetchCatalog, readFirstHour, type Step, sendTestMail } from "./state";

const TONES: Record<Step["state"], Tone> = { ok: "ok", warn: "wait", fail: "bad", unknown: "calm" };

/** Every step with its verdict, and what is done about it. */
export function Steps({ of }: { of: Resource<FirstHour | null> }) {
  const steps = of.data.value?.steps ?? [];
  return (
    <ol class="first-hour">
      {steps.map((step) => (
        <StepLine key={step.id} step={step} of={of} />
      ))}
    </ol>
  );
}

export const progressOf = ({ steps }: FirstHour): string =>
  text.progress(steps.filter(({ state }) => state === "ok").length, steps.length);

function StepLine({ step, of }: { step: Step; of: Resource<FirstHour | null> }) {
  const [status, setStatus] = useState("");
  const acting = useAction(async (action: StepAction) => {
    setStatus("");
    if (action === "send-test") {
      const sent = await sendTestMail();
      setStatus(text.sent(sent.to, sent.said));
    }
    if (action === "fetch-catalog") await fetchCatalog("apply-updates");
    if (action === "use-shipped") await fetchCatalog("reset");
    of.put(await (action === "ask-now" ? askNow() : readFirstHour()));
  });
  const problem = acting.problem.value;
  return (
    <li class="stack-tight">
      <div class="spread">
        <div class="first-hour-words">
          <h3 class="line">
            {text.steps[step.id]}
            <Chip tone={TONES[step.state]}>{text.states[step.state]}</Chip>
            {!step.needed && <span class="muted">{text.optional}</span>}
          </h3>
          <div role="status">
            {step.checks.map((check) => (
              <p key={check.text} class="first-hour-check">
                <WithCommands words={check.text} />
              </p>
            ))}
          </div>
          <ToCopy step={step} />
        </div>
        <div class="line">
          <Controls
            step={step}
            isBusy={acting.isRunning.value}
            act={(action) => void acting.run(action)}
            onDone={of.reload}
          />
        </div>
      </div>
      <p class={status ? undefined : "unseen"} role="status">
        {status}
      </p>
      {problem && <ProblemNotice problem={problem} />}
    </li>
  );
}
