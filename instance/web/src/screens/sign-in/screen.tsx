import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction, useResource } from "../../api/resource";
import { Button } from "../../parts/button";
import { ErrorSummary } from "../../parts/error-summary";
import { Waiting } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { ProviderLinks, readProviders } from "../../parts/provider-links";
import { boot, hasEnded, startDemo, user } from "../../session";
import { signInText as words } from "../../text/en/sign-in";
import { placeAfterSignIn } from "./next";
import { PasswordSteps } from "./password-steps";
import { Refusal } from "./refusal";

export function Screen() {
  const { query, route } = useLocation();
  const providers = useResource(readProviders, []);
  // WHY: this screen still stands while the next one is fetched, and has its address then.
  const next = useMemo(() => placeAfterSignIn(query.next), []);
  const refusal = useMemo(() => query.error, []);
  const isCodeAsked = useSignal(false);
  const isIn = user.value !== null;
  useEffect(() => {
    if (isIn) route(next, true);
  }, [isIn, next, route]);
  const others = providers.data.value ?? [];
  // All at once: nothing jumps away from under somebody's hand.
  const isKnown = providers.data.value !== null || providers.problem.value !== null;
  return (
    <>
      <PageHead title={words.title} />
      {refusal !== undefined ? (
        <Refusal word={refusal} />
      ) : (
        hasEnded.value && <p class="notice notice-wait">{words.ended}</p>
      )}
      {isKnown ? (
        <>
          {others.length > 0 && !isCodeAsked.value && (
            <>
              <ProviderLinks providers={others} next={next} />
              <h2>{words.orWithPassword}</h2>
            </>
          )}
          <PasswordSteps onCode={(isAsked) => (isCodeAsked.value = isAsked)} />
          {!isCodeAsked.value && <Others />}
        </>
      ) : (
        <Waiting />
      )}
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
  if (boot.value?.sendsMail) return <a href="/forgotten-password">{words.forgottenByMail}</a>;
  if (!site?.contactEmail) return <>{words.forgottenNobody}</>;
  return (
    <>
      {words.forgotten} <a href={`mailto:${site.contactEmail}`}>{site.contactEmail}</a>
    </>
  );
}
