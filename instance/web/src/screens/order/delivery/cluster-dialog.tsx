import { useEffect, useRef, useState } from "preact/hooks";
import { useAction, useResource } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { copyText } from "../../../parts/copy-text";
import { Dialog } from "../../../parts/dialog";
import { Field, SelectField } from "../../../parts/field";
import { Waiting } from "../../../parts/loading";
import { ProblemNotice } from "../../../parts/problem";
import { user } from "../../../session";
import { text as common } from "../../../text/en/common";
import { clusterText as text } from "../../../text/en/delivery";
import { minuteTime } from "../../../text/format";
import type { Order } from "../state";
import { checkCommand, downloadCommand, isTool, type Target, TOOLS, type Tool } from "./commands";
import { LinkList } from "./link-list";
import { type DeliveryLink, makeLink, readLinks } from "./state";

const DAYS = [1, 7, 14, 30] as const;
const USUAL_DAYS = 7;

interface Made {
  link: DeliveryLink;
  url: string;
}

/** Addresses of this visit, by order: the service tells each once, and opening the dialog again needs no other. */
const madeHere = new Map<string, Made>();

export function ClusterDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const [made, setMade] = useState(madeHere.get(order.id) ?? null);
  const [days, setDays] = useState<number>(USUAL_DAYS);
  const isAnswered = useRef(false);
  const links = useResource((signal) => readLinks(order.id, signal), [order.id]);
  const make = useAction(async (validDays: number) => {
    const answer = await makeLink(order.id, validDays);
    madeHere.set(order.id, answer);
    setMade(answer);
    await links.reload();
  });
  useEffect(() => {
    if (!made) void make.run(USUAL_DAYS);
  }, []);

  const revoked = async (id: string): Promise<void> => {
    // Not `made`: a row that was shown before the answer came asks as it was then.
    if (madeHere.get(order.id)?.link.id === id) {
      madeHere.delete(order.id);
      setMade(null);
    }
    await links.reload();
  };
  const problem = make.problem.value;
  const known = links.data.value ?? [];
  // WHY: a dialog puts the focus on its first control, and that is the tool only once there is a command.
  isAnswered.current ||= made !== null || problem !== null;
  if (!isAnswered.current) {
    return (
      <Dialog key="dialog" title={text.title} onClose={onClose} isWide isWaiting>
        <Waiting />
      </Dialog>
    );
  }
  return (
    <Dialog key="dialog" title={text.title} onClose={onClose} isWide>
      <div class="stack">
        {problem && <ProblemNotice problem={problem} onTryAgain={() => void make.run(days)} />}
        {made && <Commands order={order} made={made} />}
        <div class="line line-end">
          <SelectField
            name="days"
            label={text.days}
            value={String(days)}
            choices={DAYS.map((number) => ({ value: String(number), label: text.daysOf(number) }))}
            onInput={(value) => setDays(Number(value))}
          />
          <Button icon="link" isBusy={make.isRunning.value} onClick={() => void make.run(days)}>
            {text.make}
          </Button>
        </div>
        {known.length > 0 && <LinkList order={order} links={known} onRevoke={revoked} />}
      </div>
    </Dialog>
  );
}

function Commands({ order, made }: { order: Order; made: Made }) {
  const [tool, setTool] = useState<Tool>("curl");
  const target: Target = {
    link: made.url,
    service: location.origin,
    email: user.value?.email ?? "",
    order: order.orderNumber,
  };
  const signsIn = tool === "seqfacility-client";
  return (
    <>
      <p>{text.intro}</p>
      <SelectField
        name="tool"
        label={text.tool}
        value={tool}
        choices={TOOLS.map((value) => ({ value, label: value }))}
        onInput={(value) => isTool(value) && setTool(value)}
      />
      <Command name="command" label={text.command} line={downloadCommand(tool, target)} isMain />
      {signsIn ? (
        <p class="muted">{text.signsIn}</p>
      ) : (
        <>
          <Command name="check" label={text.check} help={text.checkHelp} line={checkCommand(target)} />
          <p class="muted">
            {text.valid(minuteTime(new Date(made.link.expiresAt)))} {text.shownOnce}
          </p>
        </>
      )}
    </>
  );
}

interface CommandProps {
  name: string;
  label: string;
  line: string;
  help?: string;
  isMain?: boolean;
}

/** One whole line for a shell. It wraps to be seen; what is copied has no line break. */
function Command({ name, label, line, help, isMain }: CommandProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const [isCopied, setIsCopied] = useState<boolean | null>(null);
  useEffect(() => setIsCopied(null), [line]);
  const copy = async (): Promise<void> => {
    if (!box.current) return;
    box.current.select();
    setIsCopied(await copyText(line, box.current));
  };
  return (
    <div class="command">
      <Field name={name} label={label} help={help}>
        {(aria) => (
          <textarea
            {...aria}
            ref={box}
            class="control mono"
            readOnly
            rows={3}
            value={line}
            spellcheck={false}
          />
        )}
      </Field>
      <Button
        look={isMain ? "main" : "plain"}
        icon={isCopied ? "check" : "copy"}
        label={isMain ? undefined : `${text.copy}: ${label}`}
        onClick={() => void copy()}
      >
        {isCopied ? text.copied : text.copy}
      </Button>
      <p class={isCopied === false ? "muted" : "unseen"} role="status">
        {isCopied === false && common.notCopied}
      </p>
    </div>
  );
}
