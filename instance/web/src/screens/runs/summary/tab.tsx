import { Time } from "../../../parts/time";
import { isAdmin } from "../../../session";
import { summaryText as text } from "../../../text/en/runs";
import { duration } from "../../../text/format";
import type { TabProps } from "../tabs";
import { personOf } from "../words";
import { Failure } from "./failure";

/** What a run was asked for, how it went, and why it failed. */
export function SummaryTab({ run }: TabProps) {
  return (
    <div class="stack">
      {run.failure && <Failure run={run} />}
      <Warnings run={run} />
      <div class="run-facts">
        <Times run={run} />
        <Samples run={run} />
        <Choices config={run.config} />
      </div>
    </div>
  );
}

/** What was noticed before the run was launched. */
function Warnings({ run }: Pick<TabProps, "run">) {
  const found = run.events.filter(({ eventType, message }) => eventType === WARNING && message !== null);
  if (found.length === 0) return null;
  return (
    <section class="notice notice-wait" aria-labelledby="run-warnings">
      <h2 class="notice-title" id="run-warnings">
        {text.warnings}
      </h2>
      <ul>
        {found.map(({ id, message }) => (
          <li key={id}>{message}</li>
        ))}
      </ul>
    </section>
  );
}

function Times({ run }: Pick<TabProps, "run">) {
  const { createdAt, queuedAt, startedAt, completedAt } = run;
  const took = startedAt && completedAt && (Date.parse(completedAt) - Date.parse(startedAt)) / 1000;
  return (
    <section class="card stack-tight" aria-labelledby="run-times">
      <h2 id="run-times">{text.times}</h2>
      <dl class="run-values">
        {isAdmin.value && <Fact label={text.who}>{personOf(run)}</Fact>}
        <Fact label={text.made}>
          <Time at={createdAt} />
        </Fact>
        {queuedAt && (
          <Fact label={text.queued}>
            <Time at={queuedAt} />
          </Fact>
        )}
        {startedAt && (
          <Fact label={text.started}>
            <Time at={startedAt} />
          </Fact>
        )}
        {completedAt && (
          <Fact label={text.ended}>
            <Time at={completedAt} />
          </Fact>
        )}
        {took && took > 0 && <Fact label={text.took}>{duration(Math.round(took))}</Fact>}
        {isAdmin.value && <Fact label={text.where}>{text.backend[run.executionMode]}</Fact>}
        {run.selection && (
          <Fact label={text.selected}>
            <Time at={run.selection.selectedAt} />
          </Fact>
        )}
      </dl>
    </section>
  );
}

const WARNING = "preparation_warning";
const SAMPLES_SHOWN = 12;

function Samples({ run }: Pick<TabProps, "run">) {
  const { samples } = run;
  const names = samples.map(({ sampleAlias, sampleId }) => sampleAlias ?? sampleId);
  return (
    <section class="card stack-tight" aria-labelledby="run-samples">
      <h2 id="run-samples">{text.samples(samples.length)}</h2>
      <ul class="run-names">
        {names.slice(0, SAMPLES_SHOWN).map((name, place) => (
          <li key={place}>{name}</li>
        ))}
      </ul>
      {names.length > SAMPLES_SHOWN && (
        <details>
          <summary>{text.moreSamples(names.length - SAMPLES_SHOWN)}</summary>
          <ul class="run-names">
            {names.slice(SAMPLES_SHOWN).map((name, place) => (
              <li key={place}>{name}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Choices({ config }: { config: Readonly<Record<string, unknown>> }) {
  const chosen = Object.entries(config);
  return (
    <section class="card stack-tight" aria-labelledby="run-choices">
      <h2 id="run-choices">{text.choices}</h2>
      {chosen.length === 0 ? (
        <p class="muted">{text.onlyDefaults}</p>
      ) : (
        <dl class="run-values">
          {chosen.map(([name, value]) => (
            <Fact key={name} label={name}>
              <code>{typeof value === "string" ? value : JSON.stringify(value)}</code>
            </Fact>
          ))}
        </dl>
      )}
    </section>
  );
}

function Fact({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
