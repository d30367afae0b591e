import type { components } from "../api/schema";
import { Chip } from "../parts/chip";
import { Time } from "../parts/time";
import { noticeText as text } from "../text/en/analyses";
import { calendarDay } from "../text/format";

type Run = components["schemas"]["instance.pipeline-run"]["run"];

/** What its registry says against a version of a pipeline, as a run and an installed version have it. */
export type Noticed = Pick<Run, "yankReason" | "yankSeenAt" | "otherSha256" | "advisories">;
type Advisory = NonNullable<Noticed["advisories"]>[number];

export const isNoticed = ({ yankReason, otherSha256, advisories }: Noticed): boolean =>
  yankReason !== undefined || otherSha256 !== undefined || advisories !== undefined;

export function VersionNotices({ of: { yankReason, yankSeenAt, otherSha256, advisories } }: { of: Noticed }) {
  return (
    <ul class="stack-tight">
      {yankReason !== undefined && (
        <li>
          <Chip tone="bad">{text.withdrawn}</Chip> {yankReason}
          {yankSeenAt && (
            <span class="muted">
              {" "}
              {text.knownSince} <Time at={yankSeenAt} />.
            </span>
          )}
        </li>
      )}
      {otherSha256 !== undefined && (
        <li>
          <Chip tone="bad">{text.otherPackage}</Chip> {text.otherPackageWhy}{" "}
          <code>{otherSha256.slice(0, 12)}</code>
        </li>
      )}
      {advisories?.map((advisory) => (
        <AdvisoryLine key={advisory.id} advisory={advisory} />
      ))}
    </ul>
  );
}

const A_DAY = /^\d{4}-\d{2}-\d{2}$/;

function AdvisoryLine({
  advisory: { id, severity, summary, published, url, fixedIn },
}: {
  advisory: Advisory;
}) {
  return (
    <li>
      <Chip tone="wait">{text.advisory(severity)}</Chip> {summary} {fixedIn && text.fixedIn(fixedIn)}{" "}
      <span class="muted">
        {url ? (
          <a href={url} rel="noreferrer" title={text.more(id)}>
            {id}
          </a>
        ) : (
          id
        )}
        . {published && text.published(A_DAY.test(published) ? calendarDay(published) : published)}
      </span>
    </li>
  );
}
