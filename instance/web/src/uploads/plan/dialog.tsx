import { useEffect, useState } from "preact/hooks";
import { api, given } from "../../api/client";
import { useAction, useResource } from "../../api/resource";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { ProblemNotice } from "../../parts/problem";
import { chooseText, planText as text } from "../../text/en/uploads";
import { Md5Worker } from "../../workers/md5";
import { type Chosen, type Handle, MOST_FILES } from "../choose/tree";
import { PlanChoices } from "./choices";
import { PlanPlate } from "./plate";
import { PlanRows } from "./rows";
import { startUpload } from "./start";
import { countsOf, hindranceOf, uploadPlan } from "./state";

export interface PlanProps {
  orderId: string;
  orderNumber: string;
  chosen: Promise<Chosen>;
  handles: Promise<Handle[]>;
  onClose: () => void;
  onStarted: () => void;
}

export interface PlanSample {
  id: string;
  label: string;
}

/** What becomes of chosen files. Nothing is sent before somebody has seen it. */
export function PlanDialog({ orderId, orderNumber, chosen, handles, onClose, onStarted }: PlanProps) {
  const [plan] = useState(() => uploadPlan(orderId, chosen, () => new Md5Worker()));
  const [mayTakeDelivered, setMayTakeDelivered] = useState(false);
  useEffect(() => plan.stop, [plan]);
  const samples = useResource(
    async (signal): Promise<PlanSample[]> => {
      const params = { path: { order_id: orderId } };
      const found = await given(api.GET("/api/orders/{order_id}/samples", { params, signal }));
      return found.samples.map(({ id, sampleId, sampleAlias }) => ({ id, label: sampleAlias ?? sampleId }));
    },
    [orderId],
  );
  const starting = useAction(async () => {
    await startUpload(plan, { orderId, orderNumber, handles: await handles });
    onStarted();
  });
  const answer = plan.answer.value;
  const phase = plan.phase.value;
  const problem = plan.problem.value ?? starting.problem.value ?? samples.problem.value;
  const known = samples.data.value ?? [];
  const isEmpty = phase === "ready" && answer === null;
  return (
    <Dialog
      title={text.title}
      onClose={onClose}
      isWide
      isWaiting={answer === null && !isEmpty && problem === null}
      actions={
        <Button
          look="main"
          isBusy={starting.isRunning.value}
          refusal={refusalOf(plan, mayTakeDelivered)}
          onClick={() => void starting.run()}
        >
          {text.start}
        </Button>
      }
    >
      <div class="stack uploads-plan">
        <p role="status">
          <strong>{wordsOf(plan)}</strong>
        </p>
        {problem && <ProblemNotice problem={problem} onTryAgain={() => void plan.again()} />}
        {isEmpty && <p>{plan.hasMore.value ? chooseText.tooMany(MOST_FILES) : chooseText.noFiles}</p>}
        {answer && (
          <>
            <PlanChoices
              orderId={orderId}
              plan={plan}
              answer={answer}
              mayTakeDelivered={mayTakeDelivered}
              onMayTakeDelivered={setMayTakeDelivered}
            />
            <PlanPlate plan={plan} answer={answer} samples={known} />
            <PlanRows plan={plan} samples={known} />
          </>
        )}
      </div>
    </Dialog>
  );
}

type Plan = ReturnType<typeof uploadPlan>;

function wordsOf(plan: Plan): string {
  const answer = plan.answer.value;
  const phase = plan.phase.value;
  if (phase === "reading") return text.reading;
  if (answer === null) return phase === "planning" ? text.notYet : "";
  if (phase === "looking") return text.lookingAt(plan.looked.value.done, plan.looked.value.all);
  return text.counts(countsOf(answer, plan.choices.value.leftOut.length));
}

/** Why the upload can't be started as the plan is now. */
function refusalOf(plan: Plan, mayTakeDelivered: boolean): string | null {
  const answer = plan.answer.value;
  if (answer === null || plan.phase.value !== "ready") return text.notYet;
  const hindrance = hindranceOf(answer, mayTakeDelivered);
  if (hindrance === "nothing") return text.nothing;
  if (hindrance === "noRoom") return text.noRoom(answer.counts.bytesLeft, answer.freeBytes);
  return hindrance === "delivered" ? text.deliveredFirst : null;
}
