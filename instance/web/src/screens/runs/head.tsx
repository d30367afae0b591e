import { isNoticed, VersionNotices } from "../../analyses/version-notices";
import type { Resource } from "../../api/resource";
import { LiveStamp } from "../../parts/live-stamp";
import { PageHead } from "../../parts/page-head";
import { Time } from "../../parts/time";
import { isAdmin } from "../../session";
import { runText, text } from "../../text/en/runs";
import { RunBar } from "./bar";
import type { Run } from "./state";
import { personOf, RunChip, targetOf } from "./words";

interface Props {
  run: Run;
  of: Resource<Run>;
  onChange: () => Promise<void>;
}

export function RunHead({ run, of, onChange }: Props) {
  return (
    <>
      <PageHead
        title={run.runNumber}
        help="analyses"
        crumbs={[{ label: runText.runs, href: "/runs" }]}
        aside={<LiveStamp of={[of]} />}
        facts={factsOf(run)}
        actions={isAdmin.value && <RunBar run={run} onChange={onChange} />}
      />
      <RunState run={run} />
      {isNoticed(run) && (
        <section class="notice notice-wait" aria-labelledby="run-noticed">
          <h2 class="notice-title" id="run-noticed">
            {text.noticed(run.pipelineName, run.pipelineVersion, run.yankReason !== undefined)}
          </h2>
          <VersionNotices of={run} />
          <p>
            <a href="/facility/registry">{text.seeRegistry}</a>
          </p>
        </section>
      )}
    </>
  );
}

function factsOf(run: Run) {
  const target = targetOf(run);
  return [
    runText.by(run.pipelineName, run.pipelineVersion),
    target && <a href={target.href}>{target.label}</a>,
    isAdmin.value && personOf(run),
    <>
      {text.made} <Time at={run.createdAt} />
    </>,
    run.startedFrom && (
      <>
        {text.startedAgainFrom}{" "}
        <a class="mono" href={`/runs/${run.startedFrom.runNumber}`}>
          {run.startedFrom.runNumber}
        </a>
      </>
    ),
    Boolean(run.resumedCount) && text.resumedTimes(run.resumedCount ?? 0),
  ].filter(Boolean);
}

/** How far a run is, in words and as a bar while it runs. */
function RunState({ run }: { run: Run }) {
  return (
    <section class="stack-tight" aria-label={text.state}>
      <p class="line">
        <RunChip run={run} />
        {run.status === "running" && <span>{runningWords(run)}</span>}
      </p>
      {run.queue && (
        <p>
          {text.waits(run.queue.position, run.queue.reason)}{" "}
          <span class="muted">
            {text.waitsSince} <Time at={run.queue.waitingSince} />
          </span>
        </p>
      )}
      {run.status === "running" && <progress max={100} value={run.progress} aria-label={text.progress} />}
    </section>
  );
}

/** A share below this says little about the rest. */
const LEAST_PART = 10;

function runningWords(run: Run): string {
  const tasks = run.steps.flatMap(({ tasks: of }) => (of ? [of] : []));
  const done = tasks.reduce((sum, { completed }) => sum + completed, 0);
  const open = tasks.reduce((sum, { total, completed, failed }) => sum + total - completed - failed, 0);
  return text.running(done, open, secondsLeft(run));
}

/** How long the rest takes when it goes on at the pace until now. */
function secondsLeft({ progress, startedAt }: Run): number | null {
  if (startedAt === null || progress < LEAST_PART || progress >= 99) return null;
  const passed = (Date.now() - Date.parse(startedAt)) / 1000;
  return Math.round((passed / progress) * (100 - progress));
}
