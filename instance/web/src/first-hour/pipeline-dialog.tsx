import { useState } from "preact/hooks";
import { useResource } from "../api/resource";
import { Chip, type Tone } from "../parts/chip";
import { RadioCards } from "../parts/choice-fields";
import { FormDialog } from "../parts/form-dialog";
import { Loaded } from "../parts/loading";
import { firstHourText as text } from "../text/en/first-hour";
import { type Candidate, enable, readCandidates } from "./state";

const TONES: Record<keyof typeof text.verdicts, Tone> = { ok: "ok", warn: "wait", fail: "bad" };

interface Props {
  onEnabled: () => Promise<void>;
  onClose: () => void;
}

/** Choose one of the installed pipelines, see whether it could run here, and let people use it. */
export function PipelineDialog({ onEnabled, onClose }: Props) {
  const candidates = useResource(readCandidates, []);
  const [id, setId] = useState("");
  const chosen = candidates.data.value?.find(({ pipeline }) => pipeline.id === id);
  return (
    <FormDialog
      title={text.steps.PIPELINE}
      verb={text.enable}
      labels={{}}
      isWide
      isWaiting={candidates.data.value === null}
      refusal={id === "" ? text.chooseFirst : null}
      onClose={onClose}
      onSubmit={async () => {
        await enable(id);
        await onEnabled();
      }}
    >
      {() => (
        <Loaded of={candidates}>
          {(found) =>
            found.length === 0 ? (
              <p class="muted">{text.noneLeft}</p>
            ) : (
              <>
                <RadioCards
                  name="pipeline"
                  label={text.pipeline}
                  help={text.pipelineHelp}
                  choices={found.map(({ pipeline }) => ({
                    value: pipeline.id,
                    label: pipeline.name,
                    help: pipeline.description,
                  }))}
                  value={id}
                  onInput={setId}
                />
                <div role="status">{chosen && <Needs of={chosen} />}</div>
              </>
            )
          }
        </Loaded>
      )}
    </FormDialog>
  );
}

function Needs({ of: { checks } }: { of: Candidate }) {
  return (
    <div class="stack-tight">
      <h3>{text.readiness}</h3>
      <ul class="first-hour-checks">
        {checks.map((check) => (
          <li key={check.text}>
            <Chip tone={TONES[check.verdict]}>{text.verdicts[check.verdict]}</Chip> {check.text}
          </li>
        ))}
      </ul>
    </div>
  );
}
