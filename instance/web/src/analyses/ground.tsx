import { type Choice, SelectField } from "../parts/field";
import { startText as text } from "../text/en/analyses";
import { Checks, DatabaseLines } from "./readiness";
import type { Ground, Options } from "./state";

interface WhereProps {
  options: Options;
  mode: string;
  onChange: (mode: string) => void;
}

/** Where a run is executed: a choice where the facility has one. */
export function Where({ options, mode, onChange }: WhereProps) {
  const { executionModes, defaultMode } = options;
  const usual = text.usual(text.place[defaultMode]);
  if (executionModes.length < 2) {
    return (
      <p>
        <strong>{text.where}:</strong> {text.place[defaultMode]}
      </p>
    );
  }
  const choices: Choice[] = executionModes.map((one) => ({ value: one, label: text.place[one] }));
  return (
    <SelectField
      name="executionMode"
      label={text.where}
      none={usual}
      choices={choices}
      value={mode}
      onInput={onChange}
    />
  );
}

interface ReadyProps {
  ground: Ground;
  pipelineId: string;
  /** What was said above and is left out here. */
  shown: readonly string[];
}

/** What stands ready for a pipeline, and what is missing. */
export function ReadyList({ ground, pipelineId, shown }: ReadyProps) {
  const found = ground.readiness.find(({ id }) => id === pipelineId)?.checks ?? [];
  const checks = found.filter(({ text: words }) => !shown.includes(words));
  const databases = ground.databases.filter(({ pipelines }) => pipelines.includes(pipelineId));
  return (
    <>
      {checks.length > 0 && (
        <section class="stack-tight" aria-labelledby="start-ready">
          <h3 id="start-ready">{text.readiness}</h3>
          <Checks of={checks} where={text.onItsPage} />
        </section>
      )}
      {databases.length > 0 && (
        <section class="stack-tight" aria-labelledby="start-reference">
          <h3 id="start-reference">{text.reference}</h3>
          <DatabaseLines of={databases} />
        </section>
      )}
    </>
  );
}
