import { api, given } from "../../api/client";
import { user } from "../../session";
import type { Handle } from "../choose/tree";
import { begin } from "../state";
import { goneOnWith, itemsOf } from "./items";
import type { UploadPlan } from "./state";

interface From {
  orderId: string;
  orderNumber: string;
  handles: readonly Handle[];
}

/** Send what a plan says. What an earlier attempt left goes on, and stays one upload in the eyes of the order. */
export async function startUpload(plan: UploadPlan, { orderId, orderNumber, handles }: From): Promise<void> {
  const answer = plan.answer.value;
  if (answer === null) return;
  const isBegun = answer.counts.continued + answer.counts.alreadyFiled > 0;
  // WHY: of an order without anything begun only the limits are wanted, and no long list.
  const query = isBegun ? {} : { status: "PENDING" as const };
  const params = { path: { order_id: orderId }, query };
  const { uploads, limits } = await given(api.GET("/api/orders/{order_id}/sequencing/uploads", { params }));
  const set = goneOnWith(answer, uploads) ?? { id: newId(), files: answer.uploads.length };
  const choices = plan.choices.value;
  const made = itemsOf(orderId, answer, plan.rows.value, plan.fingerprints, choices, set);
  const person = user.value?.id ?? "";
  const files = made.items.length;
  begin(
    { ...made, orderNumber, setId: set.id, limits },
    handles.length > 0 ? { id: set.id, person, orderId, orderNumber, files, handles, choices } : null,
  );
}

// WHY: `randomUUID` is there on pages over HTTPS alone.
const newId = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
