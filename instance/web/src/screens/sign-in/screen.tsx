import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { ErrorSummary } from "../../parts/error-summary";
import { TextField } from "../../parts/field";
import { PageHead } from "../../parts/page-head";
import { boot, signIn, startDemo, user } from "../../session";
import { signInText as words } from "../../text/en/sign-in";
import { placeAfterSignIn } from "./next";

export function Screen() {
  const { query, route } = useLocation();
  const email = useSignal("");
  const password = useSignal("");
  const entering = useAction((start: () => Promise<void>) => start());
  // WHY: this screen still stands while the next one is fetched, and has its address then.
  const next = useMemo(() => placeAfterSignIn(query.next), []);
  const isIn = user.value !== null;
  useEffect(() => {
    if (isIn) route(next, true);
  }, [isIn, next, route]);
  const site = boot.value?.site;
  return (
    <>
      <PageHead title={words.title} />
      <form
        class="stack card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void entering.run(() => signIn(email.value, password.value));
        }}
      >
        <ErrorSummary
          problem={entering.problem.value}
          labels={{ email: words.email, password: words.password }}
        />
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
        <div>
          <Button look="main" type="submit" isBusy={entering.isRunning.value}>
            {words.button}
          </Button>
        </div>
      </form>
      {site?.demo && (
        <section class="card stack-tight" aria-labelledby="demo-title">
          <h2 id="demo-title">{words.demoTitle}</h2>
          <p>{words.demo}</p>
          <div class="line">
            <Button onClick={() => void entering.run(() => startDemo("researcher"))}>
              {words.asResearcher}
            </Button>
            <Button onClick={() => void entering.run(() => startDemo("admin"))}>{words.asAdmin}</Button>
          </div>
        </section>
      )}
      <div class="stack-tight">
        {site?.registrationOpen && (
          <p>
            {words.registerWhy} <a href="/register">{words.register}</a>
          </p>
        )}
        <p class="muted">
          {site?.contactEmail ? (
            <>
              {words.forgotten} <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>
            </>
          ) : (
            words.forgottenNobody
          )}
        </p>
      </div>
    </>
  );
}
