import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { DifferenceList } from "../../registry-updates/difference-list";
import type { ObjectChange } from "../../registry-updates/differences";
import { Findings } from "../../registry-updates/findings";
import { demoRefusal } from "../../session";
import { catalogText as text } from "../../text/en/catalog";
import { updateText } from "../../text/en/registry-updates";
import { partsOf } from "./items";
import type { Update } from "./state";

/** What a look or an apply answered. */
export interface Found {
  readonly update: Update;
  readonly isApplied: boolean;
}

interface Props {
  update: Update;
  onApply: () => Promise<void>;
  onLeave: () => void;
}

/** What the registry would change, and the way to take it. */
export function Offered({ update, onApply, onLeave }: Props) {
  const [isAsking, ask] = useState(false);
  const { hasUpdates, currentVersion, remoteVersion, changes } = update;
  const told = objectsOf(update);
  const waits = !hasUpdates && changes.some(({ kind }) => kind === "changed");
  if (!hasUpdates && told.length === 0 && !waits) {
    return <Findings skipped={update.skipped} warnings={update.warnings} />;
  }
  return (
    <section class="card stack" aria-labelledby="catalog-update">
      <div class="spread">
        <h2 id="catalog-update">{text.update}</h2>
        <div class="line">
          <Button onClick={onLeave}>{text.notNow}</Button>
          {hasUpdates && (
            <Button look="main" refusal={demoRefusal.value} onClick={() => ask(true)}>
              {updateText.apply}
            </Button>
          )}
        </div>
      </div>
      {hasUpdates && <p>{text.versions(currentVersion, remoteVersion)}</p>}
      {remoteVersion < currentVersion && <p class="notice notice-wait">{text.isOlder}</p>}
      {waits && <p class="muted">{text.waitsForVersion}</p>}
      <DifferenceList of={told} />
      <Findings skipped={update.skipped} warnings={update.warnings} />
      {isAsking && (
        <ConfirmDialog
          title={text.applyTitle}
          verb={updateText.apply}
          onConfirm={onApply}
          onClose={() => ask(false)}
        >
          {touched(update)} {text.applyWhat}
        </ConfirmDialog>
      )}
    </section>
  );
}

/** What was taken, and what of it was odd. */
export function Applied({ update }: { update: Update }) {
  return (
    <div class="stack-tight">
      <p class="notice notice-ok">
        {text.applied(update.remoteVersion)}: {touched(update)}
      </p>
      <Findings skipped={update.skipped} warnings={update.warnings} />
    </div>
  );
}

function touched({ changes }: Update): string {
  const added = changes.filter(({ kind }) => kind === "new").length;
  const changed = changes.filter(({ kind }) => kind === "changed").length;
  const kept = changes.filter(({ fields }) => fields.some((field) => field.kept)).length;
  return text.touches(added, changed, kept);
}

/** Without an update only what the facility keeps is told: the rest is not taken. */
function objectsOf({ changes, hasUpdates }: Update): ObjectChange[] {
  return changes
    .map((change) => ({ ...change, fields: change.fields.filter(({ kept }) => hasUpdates || kept) }))
    .filter(({ kind, fields }) => hasUpdates || (kind !== "new" && fields.length > 0))
    .map(({ collection, id, name, kind, fields }) => ({
      id,
      name: `${text.kind[collection]}: ${name}`,
      kind: hasUpdates ? kind : "kept",
      values: fields.flatMap((field) => partsOf(field, text.label)),
    }));
}
