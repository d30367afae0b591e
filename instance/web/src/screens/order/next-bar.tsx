import { useState } from "preact/hooks";
import { useAction } from "../../api/resource";
import { Button, LinkButton } from "../../parts/button";
import { DemoNote } from "../../parts/demo-note";
import { NextStep } from "../../parts/next-step";
import { ProblemNotice } from "../../parts/problem";
import { demoRefusal, isAdmin } from "../../session";
import { text } from "../../text/en/order";
import { orderText } from "../../text/en/orders";
import { SentDialog } from "./sent-dialog";
import { addNote, type NoteType, type Order } from "./state";

type Step = NonNullable<Order["next"]>["what"];

interface Props {
  order: Order;
  onChange: () => Promise<void>;
}

/** What is next for an order, whose turn it is, and the one button for it. */
export function NextBar({ order, onChange }: Props) {
  const { next } = order;
  if (!next) return <NextStep sentence={orderText.nothingNext} />;
  const isOwn = (next.who === "FACILITY") === isAdmin.value;
  return (
    <NextStep
      sentence={`${orderText.turn[isOwn ? "own" : next.who]}:`}
      more={(isOwn ? orderText.ownTurn : orderText.othersTurn)[next.what]}
    >
      {isAdmin.value ? (
        <FacilityStep order={order} step={next.what} onChange={onChange} />
      ) : (
        <OwnersStep order={order} step={next.what} onChange={onChange} />
      )}
    </NextStep>
  );
}

interface StepProps extends Props {
  step: Step;
}

function OwnersStep({ order, step, onChange }: StepProps) {
  const [isAsked, setIsAsked] = useState(false);
  const address = `/orders/${order.orderNumber}`;
  if (step === "FINISH_DRAFT") {
    return (
      <LinkButton look="main" href={`/orders/new?order=${order.orderNumber}`}>
        {orderText.step[step]}
      </LinkButton>
    );
  }
  if (step === "DOWNLOAD") {
    return (
      <LinkButton look="main" icon="download" href={`${address}?tab=delivery`}>
        {orderText.step[step]}
      </LinkButton>
    );
  }
  if (step !== "SEND_SAMPLES") return null;
  return (
    <>
      <DemoNote />
      <Button look="main" refusal={demoRefusal.value} onClick={() => setIsAsked(true)}>
        {orderText.step[step]}
      </Button>
      {isAsked && <SentDialog order={order} onClose={() => setIsAsked(false)} onChange={onChange} />}
    </>
  );
}

/** Where the facility does what is next; steps without a place here are done elsewhere. */
const PLACES: Partial<Record<Step, string>> = {
  ADD_READS: "reads",
  CHECK_FILES: "reads&state=problem",
  ANALYSE: "analyses",
  WAIT_FOR_RUN: "analyses",
  CHECK_RUN: "analyses",
  SELECT_RESULT: "analyses",
  RELEASE: "delivery",
};

/** What the facility records with one click. */
const RECORDS: Partial<Record<Step, { noteType: NoteType; content: string; label: string }>> = {
  ACCEPT: { noteType: "ORDER_ACCEPTED", content: text.acceptedDone, label: orderText.step.ACCEPT },
  SEND_SAMPLES: {
    noteType: "SAMPLES_RECEIVED",
    content: text.receivedDone,
    label: orderText.step.RECEIVE_SAMPLES,
  },
  RECEIVE_SAMPLES: {
    noteType: "SAMPLES_RECEIVED",
    content: text.receivedDone,
    label: orderText.step.RECEIVE_SAMPLES,
  },
};

function FacilityStep({ order, step, onChange }: StepProps) {
  const record = useAction(async (noteType: NoteType, content: string) => {
    await addNote(order.id, noteType, content);
    await onChange();
  });
  const place = PLACES[step];
  const note = RECORDS[step];
  const problem = record.problem.value;
  if (place) {
    return (
      <LinkButton look="main" href={`/orders/${order.orderNumber}?tab=${place}`}>
        {orderText.step[step]}
      </LinkButton>
    );
  }
  if (!note) return null;
  return (
    <>
      <DemoNote />
      <Button
        look="main"
        isBusy={record.isRunning.value}
        refusal={demoRefusal.value}
        onClick={() => void record.run(note.noteType, note.content)}
      >
        {note.label}
      </Button>
      {problem && <ProblemNotice problem={problem} />}
    </>
  );
}
