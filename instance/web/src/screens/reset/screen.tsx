import { useSignal } from "@preact/signals";

import { useRoute } from "preact-iso";
import { api, given } from "../../api/client";
import { fieldErrors } from "../../api/problem";
import { useAction } from "../../api/resource";
import { Button, LinkButton } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { ErrorSummary } from "../../parts/error-summary";
import { TextField } from "../../parts/field";
import { PageHead } from "../../parts/page-head";
import { boot } from "../../session";
import { accountFields, account as words } from "../../text/en/account";

/** `/reset/{token}`, and the address that an admin's link has: its token stays out of every log behind the `#`. */
export function Screen() {
  const { token } = useRoute().params;
  const found = token ?? new URLSearchParams(location.hash.slice(1)).get("token");
  return (
    <>
      <PageHead title={words.resetTitle} />
      {found ? (
        <Form token={found} />
      ) : (
        <Empty title={words.resetNoToken} action={<Another />}>
          {words.resetNoTokenWhy}
        </Empty>
      )}
    </>
  );
}

/** A way to another link, where the facility sends mail. */
function Another() {
  return boot.value?.sendsMail ? (
    <LinkButton href="/forgotten-password">{words.resetAnother}</LinkButton>
  ) : null;
}

function Form({ token }: { token: string }) {
  const newPassword = useSignal("");
  const isDone = useSignal(false);
  const setting = useAction(async () => {
    await given(api.POST("/api/auth/password-reset", { body: { token, newPassword: newPassword.value } }));
    isDone.value = true;
  });
  const problem = setting.problem.value;
  const isRefused = problem !== null && problem.details.length === 0;
  if (isDone.value) {
    return (
      <Empty
        title={words.resetDone}
        action={
          <LinkButton href="/sign-in" look="main">
            {words.signIn}
          </LinkButton>
        }
      >
        {words.resetDoneWhy}
      </Empty>
    );
  }
  return (
    <form
      class="stack card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void setting.run();
      }}
    >
      <p>{words.resetWhy}</p>
      <ErrorSummary problem={problem} labels={accountFields} />
      <TextField
        name="newPassword"
        label={accountFields.newPassword}
        help={words.passwordHelp}
        type="password"
        autocomplete="new-password"
        required
        error={fieldErrors(problem).get("newPassword")}
        value={newPassword.value}
        onInput={(value) => {
          newPassword.value = value;
        }}
      />
      <div class="line">
        <Button look="main" type="submit" isBusy={setting.isRunning.value}>
          {words.setPassword}
        </Button>
        {isRefused && <Another />}
      </div>
    </form>
  );
}
