import { useRef } from "preact/hooks";
import { useAction } from "../../api/resource";
import { Button, LinkButton } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { ProblemNotice } from "../../parts/problem";
import { Time } from "../../parts/time";
import { isPlace } from "../../place";
import { demoRefusal } from "../../session";
import { homeText as text } from "../../text/en/my-work";
import type { Dealt } from "./dealt";
import { actionOf } from "./line-actions";
import { addressOf, keyOf, type Line, subjectOf } from "./state";

interface Props {
  line: Line;
  /** What became of it, for a line that leaves. */
  dealt: Dealt | undefined;
  onDealt: (dealt: Dealt) => void;
  onBack: (dealt: Dealt) => Promise<void>;
}

/** One sentence about what waits, and one button: it is dealt with here, or leads to where it is. */
export function QueueLine({ line, dealt, onDealt, onBack }: Props) {
  const place = useRef<HTMLLIElement>(null);
  const subject = subjectOf(line) ?? text.trouble(line.kind, line.process);
  const action = actionOf(line);
  const act = useAction(async () => {
    if (!action) return;
    const takeBack = await action.act();
    onDealt({ line, words: text.dealtWith(action.done, subject), takeBack });
  });
  const back = useAction(async (done: Dealt) => {
    const hadFocus = place.current?.contains(document.activeElement);
    await onBack(done);
    if (hadFocus) requestAnimationFrame(() => place.current?.querySelector<HTMLElement>(".button")?.focus());
  });
  const address = addressOf(line);
  const problem = act.problem.value ?? back.problem.value;
  return (
    <li class={dealt ? "queue-dealt" : undefined} data-line={keyOf(line)} ref={place}>
      <div class="spread">
        <Sentence line={line} subject={subject} />
        {dealt ? (
          <span class="line">
            <Chip tone="ok">{action?.done}</Chip>
            <Button
              look="quiet"
              label={text.about(text.bringBack, subject)}
              isBusy={back.isRunning.value}
              onClick={() => void back.run(dealt)}
            >
              {text.bringBack}
            </Button>
          </span>
        ) : action ? (
          <Button
            label={text.about(action.label, subject)}
            isBusy={act.isRunning.value}
            refusal={demoRefusal.value}
            onClick={() => void act.run()}
          >
            {action.label}
          </Button>
        ) : (
          isPlace(address) && (
            <LinkButton href={address} label={text.about(text.action[line.action.what], subject)}>
              {text.action[line.action.what]}
            </LinkButton>
          )
        )}
      </div>
      {problem && <ProblemNotice problem={problem} />}
    </li>
  );
}

/** `Two shores (ORD-2026-0001) was submitted and waits to be accepted. 2 hours ago` */
function Sentence({ line, subject }: { line: Line; subject: string }) {
  const { kind, count, process } = line;
  const address = addressOf(line);
  const whose = ownerOf(line, subject);
  const command = commandOf(line);
  return (
    <span class="queue-sentence">
      {!isOfFacility(line) && isPlace(address) ? <a href={address}>{subject}</a> : <strong>{subject}</strong>}{" "}
      {whose && <>({whose}) </>}
      {text.says[kind](count ?? 1, process)} {command && <code class="mono">{command}</code>}{" "}
      {kind !== "DISK_LOW" && (
        <span class="muted short">
          <Time at={line.since} />
        </span>
      )}
    </span>
  );
}

const isOfFacility = ({ order, study, run, ticket }: Line): boolean => !order && !study && !run && !ticket;

/** What else names it: the number of an order, of a run the order or study that it is about. */
function ownerOf({ order, study, run }: Line, subject: string): string | null {
  if (!order) return run && study ? study.title : null;
  if (run && order.name) return order.name;
  return subject === order.orderNumber ? null : order.orderNumber;
}

function commandOf({ kind, process }: Line): string | null {
  return kind === "PROCESS_SILENT" && process ? text.command.PROCESS_SILENT(process) : null;
}
