import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import { kept } from "../../api/kept";
import { fieldErrors } from "../../api/problem";
import { useAction, useResource } from "../../api/resource";
import { Button } from "../../parts/button";
import { DemoNote } from "../../parts/demo-note";
import { ErrorSummary } from "../../parts/error-summary";
import { SelectField, TextArea, TextField } from "../../parts/field";
import { PageHead } from "../../parts/page-head";
import { demoRefusal, user } from "../../session";
import { messages as words } from "../../text/en/messages";
import { listOrders, write } from "./state";

interface Draft {
  subject: string;
  body: string;
  orderId: string;
}

const LABELS = { subject: words.subject, body: words.message, orderId: words.aboutOrder };

function isDraft(value: unknown): value is Draft {
  return (
    typeof value === "object" &&
    value !== null &&
    ["subject", "body", "orderId"].every((name) => typeof Reflect.get(value, name) === "string")
  );
}

/** A message to the facility; `?order=` fills in what it is about. */
export function Screen() {
  const { query, route } = useLocation();
  const orders = useResource(listOrders, []);
  const store = useMemo(() => kept(user.value?.id ?? "", "message:new", isDraft), []);
  const draft = useSignal<Draft>(store.read()?.value ?? { subject: "", body: "", orderId: "" });
  const orderId = draft.value.orderId || (query.order ?? "");
  const sending = useAction(async () => {
    const { subject, body } = draft.value;
    const id = await write({ subject, body, priority: "NORMAL", orderId: orderId || null });
    store.forget();
    route(`/messages/${id}`, true);
  });
  const errors = fieldErrors(sending.problem.value);
  const field = (name: keyof Draft) => ({
    name,
    label: LABELS[name],
    error: errors.get(name),
    value: name === "orderId" ? orderId : draft.value[name],
    onInput: (value: string) => {
      draft.value = { ...draft.value, orderId, [name]: value };
      store.write(draft.value);
    },
  });
  return (
    <>
      <PageHead title={words.newMessage} crumbs={[{ label: words.title, href: "/messages" }]} />
      <form
        class="stack narrow"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void sending.run();
        }}
      >
        <ErrorSummary problem={sending.problem.value} labels={LABELS} />
        <TextField {...field("subject")} maxLength={255} required />
        <SelectField
          {...field("orderId")}
          none={words.noOrder}
          choices={(orders.data.value ?? []).map(({ id, label }) => ({ value: id, label }))}
        />
        <TextArea {...field("body")} rows={8} required />
        <DemoNote />
        <div>
          <Button look="main" type="submit" isBusy={sending.isRunning.value} refusal={demoRefusal.value}>
            {words.send}
          </Button>
        </div>
      </form>
    </>
  );
}
