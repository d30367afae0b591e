import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { ErrorSummary } from "../../parts/error-summary";
import { PageHead } from "../../parts/page-head";
import { boot, hasEnded, startDemo, user } from "../../session";
import { signInText as words } from "../../text/en/sign-in";
import { placeAfterSignIn } from "./next";
import { PasswordSteps } from "./password-steps";

export function Screen() {
  const { query, route } = useLocation();
  // WHY: this screen still stands while the next one is fetched, and has its address then.
  const next = useMemo(() => placeAfterSignIn(query.next), []);
  const isCodeAsked = useSignal(false);
  const isIn = user.value !== null;
  useEffect(() => {
    if (isIn) route(next, true);
  }, [isIn, next, route]);
  return (
    <>
      <PageHead title={words.title} />
      {hasEnded.value && <p class="notice notice-wait">{words.ended}</p>}
      <PasswordSteps onCode={(isAsked) => (isCodeAsked.value = isAsked)} />
      {!isCodeAsked.value && <Others />}
    </>
  );
}

/** The demonstration, and what to do without an account or its password. */
function Others() {
  const entering = useAction((start: () => Promise<void>) => start());
  const site = boot.value?.site;
  return (
    <>
      {site?.demo && (
        <section class="card stack-tight" aria-labelledby="demo-title">
          <h2 id="demo-title">{words.demoTitle}</h2>
          <p>{words.demo}</p>
          <ErrorSummary problem={entering.problem.value} labels={{}} />
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
          <Forgotten />
        </p>
      </div>
    </>
  );
}

function Forgotten() {
  const site = boot.value?.site;
  if (!site?.contactEmail) return <>{words.forgottenNobody}</>;
  return (
    <>
      {words.forgotten} <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>
    </>
  );
}
