import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { demoRefusal } from "../../session";
import { checklistText as text } from "../../text/en/checklists";
import { activate, type Overview } from "./state";

/** The versions that are kept, and the way back to one of them. */
export function Versions({
  of: { version, versions },
  onChange,
}: {
  of: Overview;
  onChange: () => Promise<void>;
}) {
  /** null is the version of the release. */
  const [asked, ask] = useState<{ version: number | null } | null>(null);
  return (
    <section class="stack-tight" aria-labelledby="versions">
      <div class="spread">
        <h2 id="versions">{text.versions}</h2>
        <Button refusal={demoRefusal.value} onClick={() => ask({ version: null })}>
          {text.reset}
        </Button>
      </div>
      <p class="muted">{text.versionsWhy}</p>
      <ul class="stack-tight" aria-label={text.versions}>
        {versions.toReversed().map((one) => (
          <li key={one} class="card spread">
            <span>{text.version(one)}</span>
            {one === version ? (
              <Chip tone="ok">{text.active}</Chip>
            ) : (
              <Button refusal={demoRefusal.value} onClick={() => ask({ version: one })}>
                {text.use(one)}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          title={asked.version === null ? text.reset : text.use(asked.version)}
          verb={asked.version === null ? text.reset : text.use(asked.version)}
          onConfirm={async () => {
            await activate(asked.version);
            await onChange();
          }}
          onClose={() => ask(null)}
        >
          {asked.version === null ? <p>{text.resetWhy}</p> : <p>{text.newStudies(asked.version)}</p>}
          <p>{text.studiesStay}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}
