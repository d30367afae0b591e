import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { DifferenceList } from "../../registry-updates/difference-list";
import { Findings } from "../../registry-updates/findings";
import { demoRefusal } from "../../session";
import { checklistText as text } from "../../text/en/checklists";
import { updateText } from "../../text/en/registry-updates";
import { ApplyDialog } from "./apply-dialog";
import { objectChanges } from "./rules";
import type { Applied, Listed, Update } from "./state";

interface Props {
  of: Update;
  listed: readonly Listed[];
  onApplied: (applied: Applied) => Promise<void>;
}

/** What a look at the registry found, and applying it. */
export function UpdateFound({ of: update, listed, onApplied }: Props) {
  const [isAsking, ask] = useState(false);
  const { hasUpdates, remoteVersion, skipped, warnings } = update;
  const findings = <Findings skipped={skipped} warnings={warnings} />;
  if (!hasUpdates) return findings;
  const changes = objectChanges(update, listed);
  return (
    <section class="card stack" aria-labelledby="update">
      <div class="spread">
        <h2 id="update">{text.wouldChange(remoteVersion)}</h2>
        <Button look="main" refusal={demoRefusal.value} onClick={() => ask(true)}>
          {updateText.apply}
        </Button>
      </div>
      {findings}
      {changes.length === 0 ? <p class="muted">{text.nothingDiffers}</p> : <DifferenceList of={changes} />}
      {isAsking && (
        <ApplyDialog of={update} listed={listed} onApplied={onApplied} onClose={() => ask(false)} />
      )}
    </section>
  );
}
