import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { api, given } from "../../../api/client";
import { useLive } from "../../../api/live";
import { useList } from "../../../api/resource";
import type { components } from "../../../api/schema";
import { Chip } from "../../../parts/chip";
import { Loaded } from "../../../parts/loading";
import { previewOf } from "../../../parts/report";
import { valueInWords } from "../../../parts/schema-form/schema-form";
import { Time } from "../../../parts/time";
import { listText as text } from "../../../text/en/analyses";
import { text as orderText } from "../../../text/en/order";
import { duration } from "../../../text/format";
import { RunChip } from "../run-chip";
import type { Run } from "../state";

type Details = components["schemas"]["instance.pipeline-run"]["run"];

/** More than these do not stand side by side. */
const MOST = 6;

async function readDetails(runs: readonly Run[], signal: AbortSignal): Promise<Details[]> {
  const answers = await Promise.all(
    runs.map(({ id }) =>
      given(api.GET("/api/pipelines/runs/{run_id}", { params: { path: { run_id: id } }, signal })),
    ),
  );
  return answers.map(({ run }) => run);
}

/** Runs of one pipeline side by side: what each was made of, and what came of it. */
export function CompareRuns({ runs }: { runs: readonly Run[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const shown = runs.slice(0, MOST);
  return (
    <details class="card" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{text.compare(shown.length)}</summary>
      {isOpen && <Comparison runs={shown} isAll={shown.length === runs.length} />}
    </details>
  );
}

function Comparison({ runs, isAll }: { runs: readonly Run[]; isAll: boolean }) {
  const version = runs.map(({ id, updatedAt }) => `${id} ${updatedAt}`).join();
  const details = useList((signal) => readDetails(runs, signal), [version]);
  useLive(
    runs.map(({ id }) => `run:${id}`),
    () => void details.reload(),
  );
  return (
    <Loaded of={details}>
      {(found) => (
        <div class="stack-tight">
          {!isAll && <p class="muted">{text.onlyNewest(found.length)}</p>}
          <ComparisonTable runs={found} />
        </div>
      )}
    </Loaded>
  );
}

function ComparisonTable({ runs }: { runs: readonly Details[] }) {
  const label = text.compareOf(runs[0]?.pipelineName ?? "");
  const first = samplesOf(runs[0]);
  const facts: [label: string, fact: (run: Details) => ComponentChildren][] = [
    [
      text.state,
      (run) => (
        <span class="line">
          {run.isSelectedFinal && <Chip tone="ok">{orderText.selected}</Chip>}
          <RunChip run={run} />
        </span>
      ),
    ],
    [text.version, ({ pipelineVersion }) => pipelineVersion],
    [text.config, ({ config }) => <Changed config={config} />],
    [text.samples, (run) => text.samplesOf(run.samples.length, samplesOf(run) === first)],
    [text.duration, tookOf],
    [text.outputs, ({ counts }) => text.outputsOf(counts.artifacts, counts.assemblies, counts.bins)],
    [text.reads, ({ readCandidates: of }) => (of ? text.readsOf(of.open, of.promoted) : text.noReads)],
    [text.report, (run) => <MainReport run={run} />],
    [text.ended, ({ completedAt }) => completedAt && <Time at={completedAt} />],
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section class="table-box" aria-label={label} tabIndex={0}>
      <table class="table comparison" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{text.fact}</th>
            {runs.map(({ id, runNumber, isSelectedFinal }) => (
              <th key={id} scope="col" class={isSelectedFinal ? "comparison-result" : undefined}>
                <a class="mono" href={`/runs/${runNumber}`}>
                  {runNumber}
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts.map(([name, fact]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {runs.map((run) => (
                <td key={run.id} class={run.isSelectedFinal ? "comparison-result" : undefined}>
                  {fact(run)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const samplesOf = (run: Details | undefined): string =>
  (run?.samples ?? [])
    .map(({ id }) => id)
    .toSorted()
    .join();

function tookOf({ startedAt, completedAt }: Details): string {
  if (startedAt === null || completedAt === null) return "–";
  return duration(Math.max(0, (Date.parse(completedAt) - Date.parse(startedAt)) / 1000));
}

/** What was asked for beside the defaults of the pipeline. */
function Changed({ config }: { config: Details["config"] }) {
  const entries = Object.entries(config);
  if (entries.length === 0) return <span class="muted">{text.defaults}</span>;
  return (
    <ul class="comparison-config">
      {entries.map(([key, value]) => (
        <li key={key}>
          <code>{key}</code> {valueInWords(value)}
        </li>
      ))}
    </ul>
  );
}

function MainReport({ run }: { run: Details }) {
  const main = run.primaryResultFile;
  const preview = main?.previewable ? previewOf(main.path) : null;
  if (!main || preview === null) return <span class="muted">{text.noReport}</span>;
  return (
    <a href={preview} target="_blank" rel="noreferrer">
      {main.name}
    </a>
  );
}
