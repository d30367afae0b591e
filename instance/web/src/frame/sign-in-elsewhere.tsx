import { useAction, useResource } from "../api/resource";
import { Button } from "../parts/button";
import { ProblemNotice } from "../parts/problem";
import { ProviderLinks, readProviders } from "../parts/provider-links";
import { providerText } from "../text/en/code";
import { frame as words } from "../text/en/frame";

interface Props {
  /** Whether there is no password to enter in its place. */
  isOnly?: boolean;
  onSignedIn: () => Promise<void>;
}

/**
 * The ways to sign in that are no password, in a tab apart: the page stays as it is, and goes on when its
 * person says so. Nothing where the facility has none.
 */
export function SignInElsewhere({ isOnly, onSignedIn }: Props) {
  const providers = useResource(readProviders, []);
  const going = useAction(onSignedIn);
  const problem = going.problem.value;
  const known = providers.data.value ?? [];
  if (known.length === 0) return null;
  return (
    <section class="stack" aria-label={words.signIn}>
      {problem && <ProblemNotice problem={problem} />}
      <p>{isOnly ? words.signInElsewhere : words.orElsewhere}</p>
      <ProviderLinks providers={known} next="/profile" isApart />
      <div>
        <Button isBusy={going.isRunning.value} onClick={() => void going.run()}>
          {providerText.goOn}
        </Button>
      </div>
    </section>
  );
}
