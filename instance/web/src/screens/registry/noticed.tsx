import { VersionNotices } from "../../analyses/version-notices";
import { Chip } from "../../parts/chip";
import { Empty } from "../../parts/empty";
import { registryText as text } from "../../text/en/registry";
import type { NoticedVersion } from "./state";

/** Installed versions that were withdrawn or that an advisory is about, and who used them. */
export function Noticed({ versions }: { versions: readonly NoticedVersion[] }) {
  if (versions.length === 0) return <Empty title={text.noneNoticed}>{text.noneNoticedWhy}</Empty>;
  return (
    <ul class="stack-tight" aria-label={text.notices}>
      {versions.map((one) => (
        <NoticedCard key={`${one.pipeline.id} ${one.version.version}`} of={one} />
      ))}
    </ul>
  );
}

function NoticedCard({ of: { pipeline, version } }: { of: NoticedVersion }) {
  const runs = new URLSearchParams({ pipelineId: pipeline.id, pipelineVersion: version.version });
  return (
    <li class="card stack-tight">
      <div class="spread">
        <h3>
          {pipeline.name} {version.version}
        </h3>
        {version.current && pipeline.enabled && <Chip tone="wait">{text.inUse}</Chip>}
      </div>
      <VersionNotices of={version} />
      <p>
        <a href={`/runs?${runs}`}>{text.runsOf(pipeline.name, version.version)}</a>
      </p>
    </li>
  );
}
