import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { isNoticed, VersionNotices } from "../../analyses/version-notices";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { Copy } from "../../parts/copy";
import { Time } from "../../parts/time";
import { demoRefusal } from "../../session";
import { pipelineText as text } from "../../text/en/pipelines";
import { ChangeList } from "./changes";
import { InstallDialog } from "./install-dialog";
import type { Entry, Installed, InstalledVersion, OfferedVersion } from "./state";
import { UseDialog } from "./use-dialog";

interface Props {
  pipeline: Installed | null;
  entry: Entry | null;
  onChange: () => Promise<void>;
  /** What is to be said of the registry. */
  children: ComponentChildren;
}

/** The versions that are here, and those that the registry has besides. */
export function Versions({ pipeline, entry, onChange, children }: Props) {
  const [installing, setInstalling] = useState<OfferedVersion | null>(null);
  const [using, setUsing] = useState<InstalledVersion | null>(null);
  const [outcome, setOutcome] = useState<{ version: string; warnings: readonly string[] } | null>(null);
  const offered = entry?.offer.versions ?? [];
  // What is here is asked first: the registry answers later that it knows of the new one.
  const here = new Set(pipeline?.versions.map(({ version }) => version));
  const more = offered.filter(({ version }) => !here.has(version));
  const signerOf = ({ version, sha256 }: InstalledVersion): string | null =>
    offered.find((one) => one.version === version && one.sha256 === sha256)?.signer ?? null;
  return (
    <section class="stack-tight" aria-labelledby="versions">
      <h2 id="versions">{text.versions}</h2>
      <div role="status">{outcome && <Outcome of={outcome} />}</div>
      {pipeline && (
        <ul class="stack-tight" aria-label={text.versions}>
          {pipeline.versions.toReversed().map((one) => (
            <InstalledCard
              key={one.version}
              version={one}
              signer={signerOf(one)}
              onUse={() => setUsing(one)}
            />
          ))}
        </ul>
      )}
      {children}
      {entry && more.length > 0 && (
        <>
          <h3>{text.moreVersions}</h3>
          <ul class="stack-tight" aria-label={text.moreVersions}>
            {more.map((one) => (
              <OfferedCard
                key={one.version}
                entry={entry}
                version={one}
                onInstall={() => setInstalling(one)}
              />
            ))}
          </ul>
        </>
      )}
      {installing && entry && (
        <InstallDialog
          entry={entry}
          version={installing}
          current={pipeline?.enabled ? pipeline.currentVersion : null}
          onInstalled={async (warnings) => {
            setOutcome({ version: installing.version, warnings });
            await onChange();
          }}
          onClose={() => setInstalling(null)}
        />
      )}
      {using && pipeline && (
        <UseDialog pipeline={pipeline} version={using} onUsed={onChange} onClose={() => setUsing(null)} />
      )}
    </section>
  );
}

function Outcome({ of: { version, warnings } }: { of: { version: string; warnings: readonly string[] } }) {
  if (warnings.length === 0) return <p class="notice notice-ok">{text.installed(version)}</p>;
  return (
    <div class="notice notice-wait">
      <p class="notice-title">{text.installedUnsigned(version)}</p>
      <ul class="error-list">
        {warnings.map((warning) => (
          <li key={warning} class="breaks">
            {warning}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface InstalledProps {
  version: InstalledVersion;
  signer: string | null;
  onUse: () => void;
}

function InstalledCard({ version: one, signer, onUse }: InstalledProps) {
  const { version, current, origin, installedAt, sha256, changes } = one;
  return (
    <li class="card stack-tight">
      <div class="spread">
        <h3>{version}</h3>
        {current ? (
          <Chip tone="ok">{text.current}</Chip>
        ) : (
          <Button label={text.useOf(version)} refusal={demoRefusal.value} onClick={onUse}>
            {text.use}
          </Button>
        )}
      </div>
      <p class="line muted">
        <span>
          {text.origins[origin]}
          {installedAt && (
            <>
              . {text.installedAt} <Time at={installedAt} />
            </>
          )}
        </span>
        <Digest of={sha256} version={version} />
        {signer && (
          <span>
            {text.signedBy} {text.signers(signer)}
          </span>
        )}
      </p>
      {isNoticed(one) && <VersionNotices of={one} />}
      {changes && (
        <details>
          <summary>{text.differs}</summary>
          <ChangeList of={changes} />
        </details>
      )}
    </li>
  );
}

interface OfferedProps {
  entry: Entry;
  version: OfferedVersion;
  onInstall: () => void;
}

function OfferedCard({ entry, version: one, onInstall }: OfferedProps) {
  const { version, sha256, hosted, signer, yankReason } = one;
  return (
    <li class="card stack-tight">
      <div class="spread">
        <h4>{version}</h4>
        {hosted && yankReason === null && (
          <Button
            icon="download"
            label={text.installOf(entry.offer.name, version)}
            refusal={demoRefusal.value ?? (version === entry.offer.latestVersion ? entry.reason : null)}
            onClick={onInstall}
          >
            {text.install}
          </Button>
        )}
      </div>
      {yankReason === null ? (
        <p class="line muted">
          {!hosted && <span>{text.notHosted}</span>}
          <Digest of={sha256} version={version} />
          {hosted && (
            <span>{signer === null ? text.notSigned : `${text.signedBy} ${text.signers(signer)}`}</span>
          )}
        </p>
      ) : (
        <p>
          <Chip tone="bad">{text.withdrawn}</Chip> {yankReason}
        </p>
      )}
    </li>
  );
}

const SHOWN = 12;

function Digest({ of, version }: { of: string | null; version: string }) {
  if (of === null) return null;
  return (
    <span class="line">
      {text.digest} <Copy value={of} shown={of.slice(0, SHOWN)} label={text.digestOf(version)} />
    </span>
  );
}
