import "../style/parts/disputes.css";
import type { LastSave } from "../api/last-save";
import { text } from "../text/en/common";
import { disputeText as words } from "../text/en/disputes";
import { Button } from "./button";
import { Time } from "./time";

export interface Dispute {
  readonly id: string;
  /** What it is about, as people call it. */
  readonly what: string;
  readonly mine: string;
  readonly theirs: string;
}

interface Props {
  disputes: readonly Dispute[];
  /** Null when nobody knows who changed it. */
  by: LastSave | null;
  keepMine: (ids: readonly string[]) => void;
  takeTheirs: (ids: readonly string[]) => void;
}

/** What was changed here and elsewhere: both are seen, nothing is overwritten before somebody has decided. */
export function Disputes({ disputes, by, keepMine, takeTheirs }: Props) {
  if (disputes.length === 0) return null;
  const all = disputes.map(({ id }) => id);
  return (
    <section class="notice notice-wait" aria-label={text.changed}>
      <p class="notice-title" role="alert">
        {words.disputes(disputes.length)}
      </p>
      {by && (
        <p>
          {words.savedBy(by.who)}, <Time at={by.at} />
        </p>
      )}
      {disputes.length > 1 && (
        <div class="line">
          <Button onClick={() => keepMine(all)}>{words.keepAllMine}</Button>
          <Button onClick={() => takeTheirs(all)}>{words.takeAllTheirs}</Button>
        </div>
      )}
      <ul class="dispute-list">
        {disputes.map(({ id, what, mine, theirs }) => (
          <li key={id} class="stack-tight">
            <p>
              <strong>{what}</strong>
            </p>
            <dl class="dispute-sides">
              <dt>{text.mine}</dt>
              <dd>{mine}</dd>
              <dt>{text.theirs}</dt>
              <dd>{theirs}</dd>
            </dl>
            <div class="line">
              <Button label={words.keepMineOf(what)} onClick={() => keepMine([id])}>
                {words.keepMine}
              </Button>
              <Button label={words.takeTheirsOf(what)} onClick={() => takeTheirs([id])}>
                {words.takeTheirs}
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
