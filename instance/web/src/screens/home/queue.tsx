import { LinkButton } from "../../parts/button";
import { Time } from "../../parts/time";
import { isPlace } from "../../place";
import { homeText as text } from "../../text/en/my-work";
import { count } from "../../text/format";
import { addressOf, type Line, type Overview, subjectOf } from "./state";

/** What waits, by kind, the kind with the oldest line first. Each line has one button. */
export function Queue({ overview }: { overview: Overview }) {
  const groups = [...Map.groupBy(overview.waiting, (line) => line.kind)];
  return (
    <section class="stack" aria-label={text.waiting}>
      <h2>{text.waiting}</h2>
      {groups.length === 0 && <p class="muted">{text.nothingWaiting}</p>}
      {groups.map(([kind, lines]) => {
        const all = overview.counts[kind] ?? lines.length;
        return (
          <div key={kind} class="card stack-tight">
            <h3 class="spread">
              {text.kinds[kind]} <span class="muted">{count(all)}</span>
            </h3>
            <ul class="queue">
              {lines.map((line) => (
                <QueueLine key={`${line.since} ${addressOf(line)}`} line={line} />
              ))}
            </ul>
            {all > lines.length && <p class="muted">{text.more(all - lines.length)}</p>}
          </div>
        );
      })}
    </section>
  );
}

function QueueLine({ line }: { line: Line }) {
  const subject = subjectOf(line);
  const address = addressOf(line);
  const words = text.action[line.action.what];
  return (
    <li class="spread">
      <span>
        <strong>{subject}</strong>{" "}
        <span class="muted">
          {line.order && subject !== line.order.orderNumber && `${line.order.orderNumber}, `}
          {line.count !== undefined && `${countOf(line, line.count)}, `}
          <Time at={line.since} />
        </span>
      </span>
      {isPlace(address) && (
        <LinkButton href={address} label={subject ? text.about(words, subject) : undefined}>
          {words}
        </LinkButton>
      )}
    </li>
  );
}

function countOf({ kind }: Line, number: number): string {
  if (kind === "MESSAGE") return text.messages(number);
  return kind === "UPLOAD_STOPPED" ? text.files(number) : text.samples(number);
}
