import { RadioCards } from "../parts/choice-fields";
import { Empty } from "../parts/empty";
import { startText as text } from "../text/en/analyses";
import type { SequencingRunOption } from "./state";

interface Props {
  runs: readonly SequencingRunOption[];
  chosen: string;
  onChoose: (id: string) => void;
}

/** The sequencing run that a pipeline works on; those that can't be used say why. */
export function SequencingRunChoice({ runs, chosen, onChoose }: Props) {
  if (runs.length === 0) return <Empty title={text.noSequencingRuns}>{text.noSequencingRunsWhy}</Empty>;
  return (
    <RadioCards
      name="sequencingRunId"
      label={text.sequencingRun}
      value={chosen}
      choices={runs.map(({ id, runId, samples, problems }) => ({
        value: id,
        label: runId,
        help: text.placed(samples),
        refusal: problems.length > 0 ? problems.join("; ") : undefined,
      }))}
      onInput={onChoose}
    />
  );
}
