import { Button } from "../../parts/button";
import { keyOf } from "../../questions/form";
import { text as common } from "../../text/en/common";
import { text as grid } from "../../text/en/grid";
import { text } from "../../text/en/new-order";
import type { Draft } from "./draft";
import { textOf } from "./samples";

/** More are decided together, or after the first ones. */
const MOST_SHOWN = 20;

interface Dispute {
  readonly id: string;
  readonly what: string;
  readonly mine: string | null;
  readonly theirs: string | null;
  readonly at: Date | null;
  keepMine(): void;
  takeTheirs(): void;
}

/** What was changed here and elsewhere: both are seen, nothing is overwritten before somebody has decided. */
export function Conflicts({ draft }: { draft: Draft }) {
  const disputes = [...answersOf(draft), ...cellsOf(draft)];
  if (disputes.length === 0) return null;
  const decide = (some: readonly Dispute[], choice: "keepMine" | "takeTheirs"): void => {
    for (const dispute of some) dispute[choice]();
    draft.settled();
  };
  return (
    <section class="notice notice-wait" aria-label={common.changed}>
      <p class="notice-title" role="alert">
        {text.disputes(disputes.length)}
      </p>
      {disputes.length > 1 && (
        <div class="line">
          <Button onClick={() => decide(disputes, "keepMine")}>{text.keepAllMine}</Button>
          <Button onClick={() => decide(disputes, "takeTheirs")}>{text.takeAllTheirs}</Button>
        </div>
      )}
      <ul class="disputes">
        {disputes.slice(0, MOST_SHOWN).map((dispute) => (
          <li key={dispute.id} class="dispute">
            <p>
              <strong>{dispute.what}</strong>{" "}
              <span class="muted">
                {dispute.theirs === null ? text.deletedElsewhere : text.changedAt(dispute.at)}
              </span>
            </p>
            {dispute.theirs !== null && (
              <dl class="dispute-sides">
                <dt>{common.mine}</dt>
                <dd>{dispute.mine || text.nothing}</dd>
                <dt>{common.theirs}</dt>
                <dd>{dispute.theirs || text.nothing}</dd>
              </dl>
            )}
            <div class="line">
              <Button label={text.keepMineOf(dispute.what)} onClick={() => decide([dispute], "keepMine")}>
                {text.keepMine}
              </Button>
              <Button label={text.takeTheirsOf(dispute.what)} onClick={() => decide([dispute], "takeTheirs")}>
                {text.takeTheirs}
              </Button>
            </div>
          </li>
        ))}
        {disputes.length > MOST_SHOWN && (
          <li class="muted">{text.moreProblems(disputes.length - MOST_SHOWN)}</li>
        )}
      </ul>
    </section>
  );
}

function answersOf({ form, answered }: Draft): Dispute[] {
  const labels = new Map(form.fields.map((field) => [keyOf(field), field.label]));
  return answered.conflicts.value.map((conflict) => ({
    id: conflict.key,
    what: labels.get(conflict.key) ?? conflict.key,
    mine: textOf(answered.values.value[conflict.key]),
    theirs: textOf(conflict.theirs),
    at: conflict.at,
    keepMine: () => answered.keepMine(conflict),
    takeTheirs: () => answered.takeTheirs(conflict),
  }));
}

function cellsOf({ samples }: Draft): Dispute[] {
  const labels = new Map(samples.columns.map(({ key, label }) => [key, label]));
  const rows = new Map(samples.grid.rows.value.map(({ id }, index) => [id, index + 1]));
  return samples.conflicts.value.map((conflict) => {
    const { rowId, key, theirs, at } = conflict;
    const row = rows.get(rowId) ?? 0;
    return {
      id: `${rowId} ${key}`,
      what: key === null ? text.row(row) : grid.place(row, labels.get(key) ?? key),
      mine: key === null ? null : samples.mineOf(conflict),
      theirs: key === null ? null : theirs,
      at,
      keepMine: () => samples.keepMine(conflict),
      takeTheirs: () => samples.takeTheirs(conflict),
    };
  });
}
