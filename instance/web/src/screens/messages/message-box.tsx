import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { kept } from "../../api/kept";
import { fieldErrors } from "../../api/problem";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { DemoNote } from "../../parts/demo-note";
import { ErrorSummary } from "../../parts/error-summary";
import { TextArea } from "../../parts/field";
import { demoRefusal, user } from "../../session";
import { messages as words } from "../../text/en/messages";

const isText = (value: unknown): value is string => typeof value === "string";

interface Props {
  /** Under which name an unsent text is kept. */
  record: string;
  send: (body: string) => Promise<void>;
}

/** A text that is kept while it is not sent. */
export function MessageBox({ record, send }: Props) {
  const store = useMemo(() => kept(user.value?.id ?? "", record, isText), [record]);
  const body = useSignal(store.read()?.value ?? "");
  const sending = useAction(async () => {
    await send(body.value);
    store.forget();
    body.value = "";
  });
  return (
    <form
      class="stack narrow"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void sending.run();
      }}
    >
      <ErrorSummary problem={sending.problem.value} labels={{ body: words.message }} />
      <TextArea
        name="body"
        label={words.reply}
        error={fieldErrors(sending.problem.value).get("body")}
        value={body.value}
        onInput={(value) => {
          body.value = value;
          if (value === "") store.forget();
          else store.write(value);
        }}
      />
      <DemoNote />
      <div>
        <Button look="main" type="submit" isBusy={sending.isRunning.value} refusal={demoRefusal.value}>
          {words.send}
        </Button>
      </div>
    </form>
  );
}
