import "../../style/screens/health.css";
import { useEffect } from "preact/hooks";
import { api, given } from "../../api/client";
import { useResource } from "../../api/resource";
import type { components } from "../../api/schema";
import { readFirstHour } from "../../first-hour/state";
import { Chip, type Tone } from "../../parts/chip";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { Table } from "../../parts/table";
import { Stamp, Time } from "../../parts/time";
import { facilityRail } from "../../routes";
import { demoRefusal } from "../../session";
import { firstHourText } from "../../text/en/first-hour";
import { healthText as text } from "../../text/en/health";

type Health = components["schemas"]["instance.admin-health"];
type Finding = Health["findings"][number];
type Severity = Finding["severity"];

const TONES: Record<Severity, Tone> = { bad: "bad", warn: "wait", unknown: "calm", ok: "ok" };
const ORDER = ["bad", "warn", "unknown", "ok"] as const satisfies readonly Severity[];

/** What is written here changes with processes and disks, of which no event tells. */
const EVERY_SECONDS = 30;

const readHealth = (signal: AbortSignal): Promise<Health> => given(api.GET("/api/admin/health", { signal }));

/** How everything is, what is worst first, and what to do about it. */
export function Screen() {
  const health = useResource(readHealth, []);
  useEffect(() => {
    const again = setInterval(() => {
      if (!document.hidden) void health.reload();
    }, 1000 * EVERY_SECONDS);
    return () => clearInterval(again);
  }, [health]);
  return (
    <div class="stack">
      <PageHead title={text.title} aside={<Stamp at={health.at.value} everySeconds={EVERY_SECONDS} />} />
      <Loaded of={health}>
        {({ findings, version }) => (
          <>
            <p>
              {text.summary(counted(findings, "bad"), counted(findings, "warn"))}{" "}
              <span class="muted">{text.release(version)}</span>
            </p>
            <FirstHour />
            {ORDER.map((severity) => (
              <Group key={severity} severity={severity} findings={findings} />
            ))}
          </>
        )}
      </Loaded>
    </div>
  );
}

/** What a new facility still needs; visitors of a demonstration are not told. */
function FirstHour() {
  const firstHour = useResource(async () => (demoRefusal.value === null ? readFirstHour() : null), []);
  const open = firstHour.data.value?.open ?? 0;
  if (open === 0) return null;
  return (
    <p class="notice notice-wait">
      {text.firstHourOpen(open)} <a href="/facility/first-hour">{firstHourText.title}</a>
    </p>
  );
}

const counted = (findings: readonly Finding[], of: Severity): number =>
  findings.filter(({ severity }) => severity === of).length;

function Group({ severity, findings }: { severity: Severity; findings: readonly Finding[] }) {
  const mine = findings.filter((finding) => finding.severity === severity);
  if (mine.length === 0) return null;
  return (
    <section class="stack-tight" aria-label={severity === "ok" ? undefined : text.groups[severity]}>
      <h2>{text.groups[severity]}</h2>
      {severity === "ok" ? (
        <Well findings={mine} />
      ) : (
        <ul class="stack-tight">
          {mine.map((finding) => (
            <Card key={idOf(finding)} finding={finding} />
          ))}
        </ul>
      )}
    </section>
  );
}

const idOf = ({ about, label, state }: Finding): string => `${about} ${label} ${state}`;

/** What is well needs a line. */
function Well({ findings }: { findings: readonly Finding[] }) {
  return (
    <div class="health-well">
      <Table
        label={text.groups.ok}
        columns={[
          { id: "what", label: text.what, cell: ({ label }) => label },
          {
            id: "state",
            label: text.state,
            cell: (finding) => (
              <>
                <State of={finding} /> {finding.advice} <GoThere of={finding} />
              </>
            ),
          },
        ]}
        rows={findings}
        rowId={idOf}
      />
    </div>
  );
}

function State({ of: { state, at } }: { of: Finding }) {
  return (
    <>
      {state}{" "}
      {at && (
        <span class="muted">
          {text.seen} <Time at={at} />
        </span>
      )}
    </>
  );
}

/** Named as the rail names it. */
function GoThere({ of: { label, page } }: { of: Finding }) {
  const path = page?.split("?")[0];
  const place = facilityRail.find(({ href }) => path === href || path?.startsWith(`${href}/`));
  if (!page || !place) return null;
  return (
    <a href={page} aria-label={text.goToFor(place.label, label)}>
      {text.goTo(place.label)}
    </a>
  );
}

function Card({ finding }: { finding: Finding }) {
  const { label, severity, advice, page } = finding;
  return (
    <li class="card stack-tight">
      <div class="spread">
        <h3>{label}</h3>
        <Chip tone={TONES[severity]}>{text.severities[severity]}</Chip>
      </div>
      <p class="breaks">
        <State of={finding} />
      </p>
      {advice && (
        <p>
          <strong>{text.toDo}</strong> {advice}
        </p>
      )}
      {page && (
        <p>
          <GoThere of={finding} />
        </p>
      )}
    </li>
  );
}
