import { Chip } from "../../../parts/chip";
import { ProblemNotice } from "../../../parts/problem";
import { type Column, Table } from "../../../parts/table";
import { placesText as text } from "../../../text/en/plans";
import type { Checking } from "./checking";
import type { Check } from "./state";

type Pair = Check["pairs"][number];

const COLUMNS: Column<Pair>[] = [
  {
    id: "level",
    label: text.level,
    cell: ({ level }) => <Chip tone={level === "error" ? "bad" : "wait"}>{text.levels[level]}</Chip>,
  },
  { id: "first", label: text.first, cell: ({ samples }) => <Side of={samples[0]} /> },
  { id: "second", label: text.second, cell: ({ samples }) => <Side of={samples[1]} /> },
  { id: "why", label: text.why, cell: ({ message }) => <p class="plan-why">{message}</p> },
];

/** What the barcodes of a run are like: pairs that are too much alike side by side, and cycles without a signal. */
export function Findings({ checking }: { checking: Checking }) {
  const found = checking.result.value;
  const problem = checking.problem.value;
  if (problem) return <ProblemNotice problem={problem} onTryAgain={() => checking.ask()} />;
  if (found === null) return null;
  const { errors, warnings, darkCycles, pairs, pairCount, withoutSequence } = found;
  return (
    <section class="stack" aria-label={text.checking}>
      <p role="status" class="line">
        {errors > 0 && <Chip tone="bad">{text.errors(errors)}</Chip>}
        {warnings > 0 && <Chip tone="wait">{text.warnings(warnings)}</Chip>}
        {errors + warnings === 0 && <Chip tone="ok">{text.fine}</Chip>}
      </p>
      {withoutSequence.length > 0 && <p class="muted">{text.withoutSequence(withoutSequence)}</p>}
      {darkCycles.length > 0 && (
        <div class="stack-tight">
          <h3>{text.darkTitle}</h3>
          <ul class="error-list">
            {darkCycles.map(({ lane, message }) => (
              <li key={`${lane} ${message}`}>{text.dark(lane, message)}</li>
            ))}
          </ul>
        </div>
      )}
      {pairs.length > 0 && (
        <Table
          label={text.pairs}
          columns={COLUMNS}
          rows={pairs}
          rowId={({ samples }) => samples.map(({ sample, row }) => `${row} ${sample}`).join("|")}
        />
      )}
      {pairCount > pairs.length && <p class="muted">{text.morePairs(pairCount - pairs.length)}</p>}
    </section>
  );
}

function Side({ of }: { of: Pair["samples"][number] | undefined }) {
  if (of === undefined) return null;
  return (
    <>
      {of.sample} <code>{of.indexes.length > 0 ? of.indexes.join("+") : (of.barcode ?? "")}</code>
      {of.lane !== null && <span class="muted"> {text.inLane(of.lane)}</span>}
    </>
  );
}
