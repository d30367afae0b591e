import { useLocation } from "preact-iso";
import { useAction } from "../../api/resource";
import { useKeptText } from "../../kept-text";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { Dialog } from "../../parts/dialog";
import { TextArea } from "../../parts/field";
import { ProblemNotice } from "../../parts/problem";
import { text as common } from "../../text/en/common";
import { text } from "../../text/en/order";
import { GiveDialog } from "./give-dialog";
import { deleteOrder, moveTo, type Order } from "./state";

/** What of an order is asked about before it is done. */
export type Change = "complete" | "toDraft" | "reopen" | "give" | "delete";

interface Props {
  order: Order;
  change: Change;
  onClose: () => void;
  onChange: () => Promise<void>;
}

const STATUS = { complete: "COMPLETED", reopen: "SUBMITTED" } as const;

export function ChangeDialog({ order, change, onClose, onChange }: Props) {
  const { route } = useLocation();
  if (change === "toDraft") return <BackDialog order={order} onClose={onClose} onChange={onChange} />;
  if (change === "give") return <GiveDialog order={order} onClose={onClose} onChange={onChange} />;
  const words = text.change[change];
  const shared = { title: words.question(order.name ?? order.orderNumber), verb: words.verb, onClose };
  if (change === "delete") {
    return (
      <ConfirmDialog
        {...shared}
        isDanger
        typedName={order.counts.samples > 0 ? order.orderNumber : undefined}
        onConfirm={async () => {
          await deleteOrder(order.id);
          route("/orders");
        }}
      >
        {words.what}
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      {...shared}
      onConfirm={async () => {
        await moveTo(order.id, STATUS[change], "");
        await onChange();
      }}
    >
      {words.what}
    </ConfirmDialog>
  );
}

/** The researcher gets the order back, and reads why. */
function BackDialog({ order, onClose, onChange }: Omit<Props, "change">) {
  const [reason, type] = useKeptText(`note:${order.id}:back`);
  const act = useAction(async (note: string) => {
    await moveTo(order.id, "DRAFT", note);
    type("");
    onClose();
    await onChange();
  });
  const words = text.change.toDraft;
  const problem = act.problem.value;
  const cancel = (): void => {
    type("");
    onClose();
  };
  return (
    <Dialog
      title={words.question(order.name ?? order.orderNumber)}
      onClose={onClose}
      losesSomething={reason !== ""}
      actions={
        <>
          <Button onClick={cancel}>{common.cancel}</Button>
          <Button
            look="main"
            isBusy={act.isRunning.value}
            refusal={reason.trim() === "" ? text.reasonMissing : null}
            onClick={() => void act.run(reason.trim())}
          >
            {words.verb}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{words.what}</p>
        <TextArea
          name="note"
          label={text.reason}
          help={text.reasonHelp}
          required
          value={reason}
          onInput={type}
          rows={3}
        />
        {problem && <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  );
}
