import { useSignal } from "@preact/signals";
import { api, given } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import { useAction } from "../../api/resource";
import { Button, LinkButton } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { ErrorSummary } from "../../parts/error-summary";
import { TextField } from "../../parts/field";
import { PageHead } from "../../parts/page-head";
import { accountFields } from "../../text/en/account";
import { forgottenText as words } from "../../text/en/forgotten-password";

/** Asks for a link by mail. Whether somebody has an account here is said to nobody. */
export function Screen() {
  const email = useSignal("");
  const sentTo = useSignal<string | null>(null);
  const asking = useAction(async () => {
    await given(api.POST("/api/auth/password-reset-request", { body: { email: email.value } }));
    sentTo.value = email.value;
  });
  const back = <LinkButton href="/sign-in">{words.toSignIn}</LinkButton>;
  return (
    <>
      <PageHead title={words.title} />
      {sentTo.value !== null ? (
        <div role="status">
          <Empty title={words.sent} action={back}>
            {words.sentWhy(sentTo.value)}
          </Empty>
        </div>
      ) : (
        <form
          class="stack card"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void asking.run();
          }}
        >
          <p>{words.why}</p>
          <ErrorSummary problem={asking.problem.value} labels={accountFields} />
          <TextField
            name="email"
            label={accountFields.email}
            type="email"
            autocomplete="username"
            required
            error={fieldErrors(asking.problem.value).get("email")}
            value={email.value}
            onInput={(value) => (email.value = value)}
          />
          <div class="line">
            <Button look="main" type="submit" isBusy={asking.isRunning.value}>
              {words.send}
            </Button>
            {back}
          </div>
        </form>
      )}
    </>
  );
}
