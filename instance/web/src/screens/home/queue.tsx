import { useRef } from "preact/hooks";
import { DemoNote } from "../../parts/demo-note";
import { homeText as text } from "../../text/en/my-work";
import { count } from "../../text/format";
import { useDealt } from "./dealt";
import { actionOf } from "./line-actions";
import { QueueLine } from "./queue-line";
import { groupsOf, keyOf, type Overview } from "./state";

interface Props {
  overview: Overview;
  onChange: () => Promise<void>;
}

/** What waits, in groups, the oldest of each first. Each line is one sentence with one button. */
export function Queue({ overview, onChange }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const dealt = useDealt(overview, onChange);
  const groups = groupsOf(overview, dealt.gone);
  return (
    <section class="stack" aria-label={text.waiting}>
      <h2 ref={heading} tabIndex={-1}>
        {text.waiting}
      </h2>
      <p class="unseen" role="status">
        {dealt.latest}
      </p>
      {overview.waiting.some((line) => actionOf(line)) && <DemoNote />}
      {groups.length === 0 && (
        <p class="card muted">
          {text.nothingWaiting} {text.comesByItself}
        </p>
      )}
      {groups.map(({ name, lines, count: all, more }) => (
        <div key={name} class="card stack-tight">
          <h3 class="spread">
            {text.kinds[name]} <span class="muted">{count(all)}</span>
          </h3>
          <ul class="queue">
            {lines.map((line) => (
              <QueueLine
                key={keyOf(line)}
                line={line}
                dealt={dealt.of(line)}
                onDealt={(done) => {
                  focusAfter(keyOf(line), heading.current);
                  dealt.leave(done);
                }}
                onBack={dealt.bringBack}
              />
            ))}
          </ul>
          {more > 0 && <p class="muted">{text.more(more)}</p>}
        </div>
      ))}
    </section>
  );
}

/** Go on with the line after the one that leaves, unless the person has gone elsewhere meanwhile. */
function focusAfter(key: string, heading: HTMLElement | null): void {
  const here = document.activeElement?.closest("[data-line]");
  if (!(here instanceof HTMLElement) || here.dataset.line !== key) return;
  const still = "[data-line]:not(.queue-dealt) .button";
  const buttons = [...(heading?.closest("section")?.querySelectorAll<HTMLElement>(still) ?? [])];
  const place = buttons.findIndex((button) => here.contains(button));
  (buttons[place + 1] ?? buttons[place - 1] ?? heading)?.focus();
}
