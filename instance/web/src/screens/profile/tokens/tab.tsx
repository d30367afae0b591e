import { useSignal } from "@preact/signals";
import { useResource } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { Empty } from "../../../parts/empty";
import { Loaded } from "../../../parts/loading";
import { tokenText as words } from "../../../text/en/tokens";
import { MadeToken } from "../../../tokens/made-token";
import { TokenTable } from "../../../tokens/token-table";
import { NewToken } from "./new-token";
import { type MadeToken as Made, readTokens, revokeToken } from "./state";

/** The tokens of who is signed in. */
export function Tab() {
  const tokens = useResource(readTokens, []);
  const isMaking = useSignal(false);
  const made = useSignal<Made | null>(null);
  const outcome = useSignal("");
  const make = (
    <Button icon="add" onClick={() => (isMaking.value = true)}>
      {words.make}
    </Button>
  );
  return (
    <div class="stack">
      <p class="muted">{words.why}</p>
      <Loaded of={tokens}>
        {(known) =>
          known.length === 0 ? (
            <Empty title={words.none} action={make}>
              {words.noneWhy}
            </Empty>
          ) : (
            <>
              <TokenTable
                tokens={known}
                onRevoke={async ({ id, name }) => {
                  await revokeToken(id);
                  outcome.value = words.revoked(name);
                  await tokens.reload();
                }}
              />
              <div>{make}</div>
            </>
          )
        }
      </Loaded>
      <p role="status">{outcome.value}</p>
      {isMaking.value && (
        <NewToken
          onClose={() => (isMaking.value = false)}
          onMade={async (answer) => {
            isMaking.value = false;
            made.value = answer;
            await tokens.reload();
          }}
        />
      )}
      {made.value && (
        <MadeToken
          name={made.value.tokenInfo.name}
          token={made.value.token}
          scopes={made.value.tokenInfo.scopes}
          onClose={() => (made.value = null)}
        />
      )}
    </div>
  );
}
