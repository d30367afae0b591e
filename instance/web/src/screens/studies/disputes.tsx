import { Button } from "../../parts/button";
import { text as common } from "../../text/en/common";
import { text } from "../../text/en/studies";
import type { MetadataSheet } from "./metadata";

/** More are decided after the first ones. */
const MOST_SHOWN = 20;

/** What was kept here while something else was stored: nothing is overwritten before somebody has decided. */
export function Disputes({ sheet }: { sheet: MetadataSheet }) {
  const disputes = sheet.disputes.value;
  if (disputes.length === 0) return null;
  const labels = new Map(sheet.fields.value.map(({ column }) => [column.key, column.label]));
  return (
    <section class="notice notice-wait" aria-label={common.changed}>
      <p class="notice-title" role="alert">
        {text.disputes(disputes.length)}
      </p>
      {disputes.length > 1 && (
        <div class="line">
          <Button onClick={() => sheet.keepMine(disputes)}>{text.keepAllMine}</Button>
          <Button onClick={() => sheet.takeTheirs(disputes)}>{text.takeAllTheirs}</Button>
        </div>
      )}
      <ul class="study-disputes">
        {disputes.slice(0, MOST_SHOWN).map((dispute) => {
          const { id, key, mine, theirs } = dispute;
          const what = text.valueOf(sheet.nameOf(id), labels.get(key) ?? "");
          return (
            <li key={`${id} ${key}`} class="spread">
              <span>
                <strong>{what}</strong> {text.bothTexts(mine, theirs)}
              </span>
              <span class="line">
                <Button label={text.keepMineOf(what)} onClick={() => sheet.keepMine([dispute])}>
                  {text.keepMine}
                </Button>
                <Button label={text.takeTheirsOf(what)} onClick={() => sheet.takeTheirs([dispute])}>
                  {text.takeTheirs}
                </Button>
              </span>
            </li>
          );
        })}
        {disputes.length > MOST_SHOWN && (
          <li class="muted">{text.moreDisputes(disputes.length - MOST_SHOWN)}</li>
        )}
      </ul>
    </section>
  );
}
