import type { ComponentChildren } from "preact";
import { DatabaseLines } from "../../analyses/readiness";
import { Copy } from "../../parts/copy";
import { pipelineText as text } from "../../text/en/pipelines";
import { calendarDay } from "../../text/format";
import type { Database, Installed, Offer } from "./state";

interface Props {
  pipeline: Installed | null;
  offer: Offer | null;
  databases: readonly Database[];
}

/** What a run executes and fetches: of the version in use, or of the newest one before any is installed. */
export function WhatRuns({ pipeline, offer, databases }: Props) {
  const workflow = pipeline === null ? (offer?.workflow ?? null) : pipeline.workflow;
  const mine = databases.filter(({ pipelines }) => pipeline !== null && pipelines.includes(pipeline.id));
  return (
    <section class="card stack-tight" aria-labelledby="what-runs">
      <h2 id="what-runs">
        {text.whatRuns}
        {pipeline === null && offer && <span class="muted"> {text.newestOf}</span>}
      </h2>
      <dl class="facts">
        {pipeline && <Fact label={text.engine}>{text.engines[pipeline.engine]}</Fact>}
        <WorkflowFacts workflow={workflow} />
        {pipeline?.engine === "nextflow" && <Fact label={text.containers}>{text.containersWhy}</Fact>}
        {pipeline?.source && (
          <Fact label={text.source}>
            <Copy value={pipeline.source.repository} label={text.source.toLowerCase()} />
          </Fact>
        )}
        {offer?.author && <Fact label={text.author}>{offer.author}</Fact>}
        {offer && <Fact label={text.tried}>{triedOf(offer)}</Fact>}
        {pipeline === null && offer && (
          <Fact label={text.databases}>
            <OfferedData offer={offer} />
          </Fact>
        )}
      </dl>
      {pipeline && (
        <>
          <h3>{text.databases}</h3>
          {mine.length === 0 ? <p class="muted">{text.noDatabases}</p> : <DatabaseLines of={mine} />}
        </>
      )}
    </section>
  );
}

export function Fact({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Where the engine gets the workflow from. */
export function WorkflowFacts({ workflow }: { workflow: Offer["workflow"] }) {
  if (workflow === null) return <Fact label={text.workflow}>{text.brought}</Fact>;
  const { repository, revision, commit } = workflow;
  return (
    <>
      <Fact label={text.workflow}>
        <Copy value={repository} label={text.workflow.toLowerCase()} />
      </Fact>
      <Fact label={text.revision}>{revision}</Fact>
      <Fact label={text.commit}>
        {commit === null ? (
          text.noCommit
        ) : (
          <Copy value={commit} shown={commit.slice(0, 12)} label={text.commit.toLowerCase()} />
        )}
      </Fact>
    </>
  );
}

function triedOf({ verifiedWith }: Offer): string {
  if (verifiedWith === null) return text.notTried;
  const { version, engineVersion, date } = verifiedWith;
  return text.triedWith(version, engineVersion, A_DAY.test(date) ? calendarDay(date) : date);
}

const A_DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The reference data that the newest version declares. */
export function OfferedData({ offer: { databases } }: { offer: Offer }) {
  if (databases.length === 0) return <>{text.noDatabases}</>;
  return (
    <ul>
      {databases.map(({ label, version, size, checkedAgainst }) => (
        <li key={`${label} ${version}`}>
          {label} {version}{" "}
          <span class="muted">
            ({text.sizeOf(size)}, {text.checked[checkedAgainst]})
          </span>
        </li>
      ))}
    </ul>
  );
}
