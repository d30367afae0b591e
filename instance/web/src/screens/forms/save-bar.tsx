import { useSignal } from "@preact/signals";
import { Button } from "../../parts/button";
import { DemoNote } from "../../parts/demo-note";
import { ProblemNotice } from "../../parts/problem";
import { Time } from "../../parts/time";
import { toast } from "../../parts/toast";
import { demoRefusal } from "../../session";
import { text as common } from "../../text/en/common";
import { text } from "../../text/en/forms";
import type { Builder } from "./builder";
import { Differences } from "./differences";
import { Drafts, ImpactSummary } from "./impact";
import { fieldOf } from "./refusals";
import type { Saved } from "./state";

/** What is changed, what a save means, and the save. */
export function SaveBar({ builder }: { builder: Builder }) {
  const isOpen = useSignal(false);
  const savedTag = useSignal<string | null>(null);
  const changes = builder.changes.value;
  const { saving, refusal, saved } = builder;
  const isChanged = changes.length > 0;
  const save = async (): Promise<void> => {
    const before = saved.value.tag;
    const isDone = await saving.run();
    if (isDone && builder.overtaken.value === null && saved.value.tag !== before)
      savedTag.value = saved.value.tag;
  };
  const discard = (): void => {
    builder.discard();
    toast(text.discarded, () => builder.undo());
  };
  const refused = builder.disputes.value.length > 0 ? text.decideFirst : refusal.value && text.correctFirst;
  return (
    <section class="form-bar card" aria-label={text.saveBar}>
      <div class="spread">
        <div class="stack-tight" role="status">
          {isChanged ? (
            <>
              <strong>{text.changesOver(changes.length, saved.value.version)}</strong>
              <ImpactSummary builder={builder} />
            </>
          ) : (
            <>
              <Standing saved={saved.value} />
              {savedTag.value === saved.value.tag && <span>{text.saved(saved.value.version)}</span>}
            </>
          )}
        </div>
        <div class="line">
          <Button
            look="quiet"
            icon="back"
            refusal={builder.canUndo ? null : text.nothingToUndo}
            onClick={() => builder.undo()}
          >
            {text.undo}
          </Button>
          {isChanged && <Button onClick={discard}>{text.discard}</Button>}
          <Button
            look="main"
            isBusy={saving.isRunning.value}
            refusal={demoRefusal.value ?? (isChanged ? refused : text.unchanged)}
            onClick={() => void save()}
          >
            {common.save}
          </Button>
        </div>
      </div>
      <DemoNote />
      {isChanged && (
        <p class={builder.isKeptNowhere.value ? "field-error" : "muted"}>
          {builder.isKeptNowhere.value ? text.keptNowhere : text.keptHere}
        </p>
      )}
      {saving.problem.value && <ProblemNotice problem={saving.problem.value} />}
      {isChanged && <Refused builder={builder} />}
      {isChanged && (
        <details open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
          <summary>{builder.source.isOrder ? text.showMeaning : text.showChanges}</summary>
          <div class="stack">
            <Drafts impact={builder.impact.value} />
            <Differences of={changes} from={saved.value} to={builder.form.value} />
          </div>
        </details>
      )}
    </section>
  );
}

function Standing({ saved }: { saved: Saved }) {
  const by = saved.updatedBy;
  return (
    <>
      <strong>{saved.version === null ? text.sources[saved.source] : text.version(saved.version)}</strong>
      <span class="muted">
        {saved.updatedAt === null ? (
          text.builtIn
        ) : (
          <>
            {text.savedBy(by && `${by.firstName} ${by.lastName}`)} <Time at={saved.updatedAt} />
          </>
        )}
      </span>
    </>
  );
}

/** Why it could not be saved as it is, each with the way to its question. */
function Refused({ builder }: { builder: Builder }) {
  const problem = builder.refusal.value;
  if (problem === null) return null;
  if (problem.details.length === 0) return <ProblemNotice problem={problem} />;
  return (
    <div class="notice notice-bad" role="alert">
      <p class="notice-title">{common.fixThese(problem.details.length)}</p>
      <ul class="error-list">
        {problem.details.map(({ path, reason }) => {
          const found = fieldOf(builder, path);
          return (
            <li key={`${path} ${reason}`}>
              {found ? (
                <Button look="link" onClick={() => (builder.chosen.value = found.field.id)}>
                  {found.field.label}: {reason}
                </Button>
              ) : (
                `${path === null ? "" : `${path}: `}${reason}`
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
