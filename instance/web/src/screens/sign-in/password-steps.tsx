import { useSignal } from "@preact/signals";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { CodeField } from "../../parts/code-field";
import { ErrorSummary } from "../../parts/error-summary";
import { TextField } from "../../parts/field";
import { signIn } from "../../session";
import { codeText } from "../../text/en/code";
import { signInText as words } from "../../text/en/sign-in";

/** Email and password; then the code of a second factor, by whom it is asked for. */
export function PasswordSteps({ onCode }: { onCode: (isAsked: boolean) => void }) {
  const email = useSignal("");
  const password = useSignal("");
  const code = useSignal("");
  const isCodeAsked = useSignal(false);
  const ask = (isAsked: boolean): void => {
    code.value = "";
    isCodeAsked.value = isAsked;
    onCode(isAsked);
  };
  const entering = useAction(async () => {
    if (!(await signIn(email.value, password.value, code.value))) ask(true);
  });
  return (
    <form
      class="stack card"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void entering.run();
      }}
    >
      <ErrorSummary
        problem={entering.problem.value}
        labels={{ email: words.email, password: words.password, code: codeText.code }}
      />
      {isCodeAsked.value ? (
        <>
          <p>{words.codeWhy(email.value)}</p>
          <CodeField takesFocus value={code.value} onInput={(value) => (code.value = value)} />
        </>
      ) : (
        <>
          <TextField
            name="email"
            label={words.email}
            type="email"
            autocomplete="username"
            required
            value={email.value}
            onInput={(value) => (email.value = value)}
          />
          <TextField
            name="password"
            label={words.password}
            type="password"
            autocomplete="current-password"
            required
            value={password.value}
            onInput={(value) => (password.value = value)}
          />
        </>
      )}
      <div class="line">
        <Button look="main" type="submit" isBusy={entering.isRunning.value}>
          {words.button}
        </Button>
        {isCodeAsked.value && <Button onClick={() => ask(false)}>{words.back}</Button>}
      </div>
    </form>
  );
}
