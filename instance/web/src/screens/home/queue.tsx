import { useEffect, useRef, useState } from "preact/hooks";
import { useAction } from "../../api/resource";
import { Button, LinkButton } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { DemoNote } from "../../parts/demo-note";
import { ProblemNotice } from "../../parts/problem";
import { Time } from "../../parts/time";
import { isPlace } from "../../place";
import { demoRefusal } from "../../session";
import { homeText as text } from "../../text/en/my-work";
import { count } from "../../text/format";
import { addressOf, keyOf, type Line, type Overview, recordOf, saveRecord, subjectOf } from "./state";

/** How long a line that is dealt with is still seen, and said what became of it. */
const SEEN_MS = 8000;

interface Dealt {
  line: Line;
  words: string;
}

interface Props {
  overview: Overview;
  onChange: () => Promise<void>;
}

/** What waits, by kind, the kind with the oldest line first. Each line has one button. */
export function Queue({ overview, onChange }: Props) {
  const [dealt, setDealt] = useState<readonly Dealt[]>([]);
  const heading = useRef<HTMLHeadingElement>(null);
  const timers = useRef(new Set<number>());
  useEffect(
    () => () => {
      for (const timer of timers.current) clearTimeout(timer);
    },
    [],
  );
  const waiting = new Set(overview.waiting.map(keyOf));
  const gone = dealt.map(({ line }) => line).filter((line) => !waiting.has(keyOf(line)));
  const lines = [...overview.waiting, ...gone].toSorted((one, other) => one.since.localeCompare(other.since));
  const groups = [...Map.groupBy(lines, (line) => line.kind)];
  const wordsOf = (line: Line): string | undefined =>
    dealt.find((one) => keyOf(one.line) === keyOf(line))?.words;
  const leave = (line: Line, words: string): void => {
    setDealt((before) => [...before, { line, words }]);
    const timer = window.setTimeout(
      () => setDealt((before) => before.filter((one) => one.line !== line)),
      SEEN_MS,
    );
    timers.current.add(timer);
    focusAfter(keyOf(line), heading.current);
    void onChange();
  };
  return (
    <section class="stack" aria-label={text.waiting}>
      <h2 ref={heading} tabIndex={-1}>
        {text.waiting}
      </h2>
      <p class="unseen" role="status">
        {dealt.at(-1)?.words}
      </p>
      {lines.some((line) => recordOf(line)) && <DemoNote />}
      {groups.length === 0 && <p class="muted">{text.nothingWaiting}</p>}
      {groups.map(([kind, ofKind]) => {
        const all = overview.counts[kind] ?? 0;
        const shown = overview.waiting.filter((line) => line.kind === kind).length;
        return (
          <div key={kind} class="card stack-tight">
            <h3 class="spread">
              {text.kinds[kind]} <span class="muted">{count(all)}</span>
            </h3>
            <ul class="queue">
              {ofKind.map((line) => (
                <QueueLine
                  key={keyOf(line)}
                  line={line}
                  dealtWith={wordsOf(line)}
                  onDealt={(words) => leave(line, words)}
                />
              ))}
            </ul>
            {all > shown && <p class="muted">{text.more(all - shown)}</p>}
          </div>
        );
      })}
    </section>
  );
}

/** Go on with the line after the one that leaves, unless the person has gone elsewhere meanwhile. */
function focusAfter(key: string, heading: HTMLElement | null): void {
  const here = document.activeElement?.closest("[data-line]");
  if (!(here instanceof HTMLElement) || here.dataset.line !== key) return;
  const buttons = [
    ...(heading?.closest("section")?.querySelectorAll<HTMLElement>("[data-line] .button") ?? []),
  ];
  const place = buttons.findIndex((button) => here.contains(button));
  (buttons[place + 1] ?? buttons[place - 1] ?? heading)?.focus();
}

interface LineProps {
  line: Line;
  /** What became of it, for a line that leaves. */
  dealtWith: string | undefined;
  onDealt: (words: string) => void;
}

function QueueLine({ line, dealtWith, onDealt }: LineProps) {
  const latest = useRef(onDealt);
  latest.current = onDealt;
  const act = useAction(async (orderId: string, record: NonNullable<ReturnType<typeof recordOf>>) => {
    await saveRecord(orderId, record);
    latest.current(text.dealtWith(record.content, subjectOf(line) ?? ""));
  });
  const subject = subjectOf(line);
  const address = addressOf(line);
  const words = text.action[line.action.what];
  const label = subject ? text.about(words, subject) : undefined;
  const record = recordOf(line);
  const { order } = line;
  const problem = act.problem.value;
  return (
    <li class={dealtWith ? "spread queue-dealt" : "spread"} data-line={keyOf(line)}>
      <span>
        {order && isPlace(address) ? <a href={address}>{subject}</a> : <strong>{subject}</strong>}{" "}
        <span class="muted">
          {order && subject !== order.orderNumber && (
            <>
              <span class="short">{order.orderNumber}</span>,{" "}
            </>
          )}
          {line.count !== undefined && `${countOf(line, line.count)}, `}
          <Time at={line.since} />
        </span>
      </span>
      {dealtWith ? (
        <Chip tone="ok">{record?.content}</Chip>
      ) : record && order ? (
        <Button
          label={label}
          isBusy={act.isRunning.value}
          refusal={demoRefusal.value}
          onClick={() => void act.run(order.id, record)}
        >
          {words}
        </Button>
      ) : (
        isPlace(address) && (
          <LinkButton href={address} label={label}>
            {words}
          </LinkButton>
        )
      )}
      {problem && <ProblemNotice problem={problem} />}
    </li>
  );
}

function countOf({ kind }: Line, number: number): string {
  if (kind === "MESSAGE") return text.messages(number);
  return kind === "UPLOAD_STOPPED" ? text.files(number) : text.samples(number);
}
