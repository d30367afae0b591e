import { api, given } from "../../api/client";
import { useResource } from "../../api/resource";
import { CheckField } from "../../parts/choice-fields";
import { SelectField } from "../../parts/field";
import { planText as text } from "../../text/en/uploads";
import { type Answer, type DataClass, deliveredOf, supersedingOf, type UploadPlan } from "./state";

interface Props {
  orderId: string;
  plan: UploadPlan;
  answer: Answer;
  mayTakeDelivered: boolean;
  onMayTakeDelivered: (may: boolean) => void;
}

const CLASSES: readonly ("" | DataClass)[] = ["", "raw", "cleaned", "unknown"];

/** What is said of all files at once, and what a person must know before the start. */
export function PlanChoices({ orderId, plan, answer, mayTakeDelivered, onMayTakeDelivered }: Props) {
  const { uploads, counts, freeBytes, files } = answer;
  const choices = plan.choices.value;
  const runs = useResource(
    async (signal) => {
      const params = { path: { order_id: orderId } };
      return (await given(api.GET("/api/orders/{order_id}/sequencing/runs", { params, signal }))).runs;
    },
    [orderId],
  );
  const superseding = supersedingOf(uploads);
  const delivered = deliveredOf(uploads);
  const hasLanes = choices.joinLanes || files.some(({ code }) => code === "lanes");
  const known = runs.data.value ?? [];
  return (
    <>
      <div class="uploads-choices">
        <SelectField
          name="upload.dataClass"
          label={text.dataClass}
          value={choices.dataClass ?? ""}
          choices={CLASSES.map((value) => ({ value, label: text.classes[value] }))}
          onInput={(value) =>
            void plan.change({ dataClass: CLASSES.find((one) => one !== "" && one === value) || null })
          }
        />
        {known.length > 0 && (
          <SelectField
            name="upload.run"
            label={text.run}
            value={choices.sequencingRunId ?? ""}
            none={text.noRun}
            choices={known.map(({ id, runId }) => ({ value: id, label: runId }))}
            onInput={(value) => void plan.change({ sequencingRunId: value || null })}
          />
        )}
        {hasLanes && (
          <CheckField
            name="upload.joinLanes"
            label={text.joinLanes}
            help={text.joinLanesHelp}
            isChecked={choices.joinLanes}
            onChange={(joinLanes) => void plan.change({ joinLanes })}
          />
        )}
      </div>
      <p class={counts.bytesLeft > freeBytes ? "notice notice-bad" : "muted"}>
        {counts.bytesLeft > freeBytes
          ? text.noRoom(counts.bytesLeft, freeBytes)
          : text.toSend(counts.bytesLeft, counts.bytes, freeBytes)}{" "}
        {counts.problems > 0 && text.problemsStay(counts.problems)}
      </p>
      {superseding > 0 && (
        <div class="notice notice-wait">
          <p class="notice-title">{text.supersedeAll(superseding)}</p>
          {delivered.length > 0 && (
            <CheckField
              name="upload.delivered"
              label={text.delivered(delivered)}
              isChecked={mayTakeDelivered}
              onChange={onMayTakeDelivered}
            />
          )}
        </div>
      )}
    </>
  );
}
