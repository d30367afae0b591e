import { signal } from "@preact/signals";
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
  /** The order that it is about; null when it is about none. */
  orderId: string | null;
}

const LABELS = { subject: words.subject, body: words.message, orderId: words.aboutOrder };

function isDraft(value: unknown): value is Draft {
  if (typeof value !== "object" || value === null || !("orderId" in value)) return false;
  const isWritten = ["subject", "body"].every((name) => typeof Reflect.get(value, name) === "string");
  return isWritten && (value.orderId === null || typeof value.orderId === "string");
}

/** A message to the facility; `?order=` says what it is about, whatever was kept of another one. */
export function Screen() {
  const { query, route } = useLocation();
  const asked = query.order;
  const orders = useResource((signal) => listOrders(asked, signal), [asked]);
  const store = useMemo(() => kept(user.value?.id ?? "", "message:new", isDraft), []);
  const draft = useMemo(() => {
    const begun: Draft = store.read()?.value ?? { subject: "", body: "", orderId: null };
    return signal<Draft>({ ...begun, orderId: (asked ?? begun.orderId) || null });
  }, [asked]);
  const sending = useAction(async () => {
    const id = await write({ ...draft.value, priority: "NORMAL" });
    store.forget();
    route(`/messages/${id}`, true);
  });
  const change = (changed: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...changed };
    store.write(draft.value);
  };
  const choose = (orderId: string): void => {
    change({ orderId: orderId || null });
    // WHY: a reload finds what was chosen, not what the page was opened for.
    history.replaceState(null, "", orderId === "" ? "/messages/new" : `/messages/new?order=${orderId}`);
  };
  const errors = fieldErrors(sending.problem.value);
  const field = (name: keyof Draft) => ({
    name,
    label: LABELS[name],
    error: errors.get(name),
    value: draft.value[name] ?? "",
    onInput: (value: string) => change({ [name]: value }),
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
          onInput={choose}
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
