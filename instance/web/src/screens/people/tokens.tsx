import { useState } from "preact/hooks";
import { useResource } from "../../api/resource";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { Loaded } from "../../parts/loading";
import { Time } from "../../parts/time";
import { demoRefusal } from "../../session";
import { peopleText as text } from "../../text/en/people";
import { list } from "../../text/format";
import { Expiry } from "../../tokens/token-table";
import { type Person, readTokens, revokeToken, type Scope, type Token } from "./state";

export const inWords = (scopes: readonly Scope[]): string =>
  list(scopes.map((scope) => text.scopeWords[scope]));

/** What of somebody works without a browser. */
export function Tokens({ person }: { person: Person }) {
  const tokens = useResource((signal) => readTokens(person, signal), [person.id]);
  const [asked, setAsked] = useState<Token | null>(null);
  return (
    <section class="stack-tight" aria-labelledby="person-tokens">
      <h3 id="person-tokens">{text.tokens}</h3>
      <Loaded of={tokens}>
        {(found) =>
          found.length === 0 ? (
            <p class="muted">{text.noTokens}</p>
          ) : (
            <ul class="stack-tight">
              {found.map((token) => (
                <li key={token.id} class="card stack-tight">
                  <div class="spread one-row">
                    <strong>{token.name}</strong>
                    <Button
                      look="quiet"
                      label={text.revokeOf(token.name)}
                      refusal={demoRefusal.value}
                      onClick={() => setAsked(token)}
                    >
                      {text.revoke}
                    </Button>
                  </div>
                  <dl class="facts">
                    <dt>{text.scopes}</dt>
                    <dd>{inWords(token.scopes)}</dd>
                    <dt>{text.ends}</dt>
                    <dd>
                      <Expiry at={token.expiresAt} />
                    </dd>
                    <dt>{text.used}</dt>
                    <dd>
                      <LastUse of={token} />
                    </dd>
                  </dl>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {asked && (
        <ConfirmDialog
          title={text.revokeOf(asked.name)}
          verb={text.revoke}
          isDanger
          onConfirm={async () => {
            await revokeToken(person, asked);
            await tokens.reload();
          }}
          onClose={() => setAsked(null)}
        >
          {text.revokeWhat}
        </ConfirmDialog>
      )}
    </section>
  );
}

export function LastUse({ of }: { of: Pick<Token, "lastUsedAt" | "lastUsedAddress"> }) {
  if (!of.lastUsedAt) return text.never;
  return (
    <>
      <Time at={of.lastUsedAt} /> {of.lastUsedAddress && text.usedFrom(of.lastUsedAddress)}
    </>
  );
}
