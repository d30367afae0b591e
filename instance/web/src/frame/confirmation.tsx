import { useSignal } from "@preact/signals";
import { api, given } from "../api/client";
import { answerConfirmation, confirmationAsked } from "../api/confirmation";
import { fieldErrors } from "../api/problem";
import { asProblem, useAction, useResource } from "../api/resource";
import { Button } from "../parts/button";
import { CodeField } from "../parts/code-field";
import { Dialog } from "../parts/dialog";
import { ErrorSummary } from "../parts/error-summary";
import { TextField } from "../parts/field";
import { Waiting } from "../parts/loading";
import { readBoot, user } from "../session";
import { codeText } from "../text/en/code";
import { text } from "../text/en/common";
import { frame as words } from "../text/en/frame";
import { SignInElsewhere } from "./sign-in-elsewhere";

/** Over the page, once for all requests that wait for it; each is sent again afterwards, or shows its refusal. */
export function Confirmation() {
  return confirmationAsked.value ? <Ask /> : null;
}

const decline = (): void => answerConfirmation(false);

/** After a sign-in in another tab, which may have been somebody else's: then this page begins anew. */
async function goOn(): Promise<void> {
  await readBoot();
  answerConfirmation(true);
}

function Ask() {
  const factor = useResource((signal) => given(api.GET("/api/auth/totp", { signal })), []);
  const hasNoPassword = useSignal(false);
  const isKnown = factor.data.value !== null || factor.problem.value !== null;
  return (
    <Dialog title={words.confirmTitle} onClose={decline} isWaiting={!isKnown}>
      {isKnown ? (
        <div class="stack">
          <p>{words.confirmWhy}</p>
          {!hasNoPassword.value && (
            <Password
              hasCode={factor.data.value?.enabled ?? false}
              onNoPassword={() => (hasNoPassword.value = true)}
            />
          )}
          <SignInElsewhere isOnly={hasNoPassword.value} onSignedIn={goOn} />
        </div>
      ) : (
        <Waiting />
      )}
    </Dialog>
  );
}

function Password({ hasCode, onNoPassword }: { hasCode: boolean; onNoPassword: () => void }) {
  const password = useSignal("");
  const code = useSignal("");
  const confirming = useAction(async () => {
    const body = { password: password.value, ...(code.value && { code: code.value }) };
    try {
      await given(api.POST("/api/auth/confirm", { body }));
    } catch (error) {
      const refused = asProblem(error);
      if (refused.status !== 403 || refused.body.secondFactor === true) throw refused;
      // Such an account is confirmed by signing in again, where it is kept.
      onNoPassword();
      return;
    }
    answerConfirmation(true);
  });
  const problem = confirming.problem.value;
  const errors = fieldErrors(problem);
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void confirming.run();
      }}
    >
      <ErrorSummary problem={problem} labels={{ password: words.password, code: codeText.code }} />
      <input type="hidden" name="username" autocomplete="username" value={user.value?.email} />
      <TextField
        name="password"
        label={words.password}
        type="password"
        autocomplete="current-password"
        required
        error={errors.get("password")}
        value={password.value}
        onInput={(value) => (password.value = value)}
      />
      {(hasCode || problem?.body.secondFactor === true) && (
        <CodeField value={code.value} error={errors.get("code")} onInput={(value) => (code.value = value)} />
      )}
      <div class="line">
        <Button look="main" type="submit" isBusy={confirming.isRunning.value}>
          {words.confirm}
        </Button>
        <Button onClick={decline}>{text.cancel}</Button>
      </div>
    </form>
  );
}
