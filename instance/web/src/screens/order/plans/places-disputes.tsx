import { Button } from "../../../parts/button";
import { placesText as text } from "../../../text/en/plans";
import type { PlacesSheet } from "./places-sheet";

const MOST_SHOWN = 20;

/** Cells that somebody else changed at the same time: nothing is stored before each is decided. */
export function PlacesDisputes({ sheet }: { sheet: PlacesSheet }) {
  const disputes = sheet.disputes.value;
  if (disputes.length === 0) return null;
  return (
    <div class="notice notice-wait" role="alert">
      <p class="notice-title">{text.disputes(sheet.told.value)}</p>
      <ul class="stack-tight">
        {disputes.slice(0, MOST_SHOWN).map((dispute) => {
          const what = text.of(sheet.nameOf(dispute.id), sheet.labelOf(dispute.key));
          return (
            <li key={`${dispute.id} ${dispute.key}`} class="spread">
              <span>
                <strong>{what}.</strong> {text.bothTexts(dispute.mine, dispute.theirs)}
              </span>
              <span class="line">
                <Button label={`${text.keepMine}: ${what}`} onClick={() => sheet.decide(dispute, true)}>
                  {text.keepMine}
                </Button>
                <Button label={`${text.takeTheirs}: ${what}`} onClick={() => sheet.decide(dispute, false)}>
                  {text.takeTheirs}
                </Button>
              </span>
            </li>
          );
        })}
        {disputes.length > MOST_SHOWN && <li class="muted">{text.more(disputes.length - MOST_SHOWN)}</li>}
      </ul>
    </div>
  );
}
