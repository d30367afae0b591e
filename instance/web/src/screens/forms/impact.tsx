import { demoRefusal } from "../../session";
import { text } from "../../text/en/forms";
import type { Builder } from "./builder";
import type { DraftImpact, Impact } from "./state";

/** The sentence that is read before a save: which drafts will be asked for what. */
export function ImpactSummary({ builder }: { builder: Builder }) {
  const impact = builder.impact.value;
  if (builder.refusal.value || demoRefusal.value) return null;
  if (impact === null) return <span class="muted">{text.asking}</span>;
  if ("studies" in impact) return <span>{text.studiesAsked(impact.studies)}</span>;
  return <span>{impact.asked.length === 0 ? text.noDraftAsked(impact.drafts) : summaryOf(impact)}</span>;
}

const MAX_IN_SENTENCE = 3;

function summaryOf({ asked }: DraftImpact): string {
  return asked.slice(0, MAX_IN_SENTENCE).map(sentenceOf).join("; ");
}

function sentenceOf({ drafts, label, message }: DraftImpact["asked"][number]): string {
  return message === text.isRequiredReason
    ? text.asked(drafts, label)
    : text.answerRefused(drafts, label, message);
}

/** Each question with its drafts, and what was not looked at. */
export function Drafts({ impact }: { impact: Impact | null }) {
  if (impact === null || "studies" in impact) return null;
  return (
    <div class="stack-tight">
      {impact.asked.length > 0 && (
        <ul class="form-drafts">
          {impact.asked.map((one) => (
            <li key={`${one.field} ${one.message}`} class="line">
              <span>
                {sentenceOf(one)}
                {one.samples > 0 && ` ${text.inSamples(one.samples)}`}
              </span>
              {one.examples.map(({ id, orderNumber }) => (
                <a key={id} href={`/orders/${orderNumber}`}>
                  <code>{orderNumber}</code>
                </a>
              ))}
            </li>
          ))}
        </ul>
      )}
      {impact.asked.length > 0 && <p class="muted">{text.whenAsked}</p>}
      {impact.checked < impact.drafts && (
        <p class="muted">{text.notAllChecked(impact.checked, impact.drafts)}</p>
      )}
    </div>
  );
}
