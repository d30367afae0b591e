import { Button } from "../parts/button";
import { Copy } from "../parts/copy";
import { Dialog } from "../parts/dialog";
import { type Scope, tokenText as words } from "../text/en/tokens";

interface Props {
  name: string;
  token: string;
  scopes: readonly Scope[];
  onClose: () => void;
}

/** What each token may read, to try it with; a token that only sends is tried by the transfer client. */
const TRIED: readonly (readonly [Scope, string])[] = [
  ["orders:read", "/api/orders"],
  ["orders:write", "/api/orders"],
  ["admin", "/api/orders"],
  ["runs:read", "/api/pipelines/runs"],
  ["runs:write", "/api/pipelines/runs"],
];

/** A line for a shell that asks for the token: typed into it, the token would stay in the shell's history. */
function lineFor(scopes: readonly Scope[]): string | null {
  const path = TRIED.find(([scope]) => scopes.includes(scope))?.[1];
  if (path === undefined) return null;
  return `read -rs SEQFACILITY_TOKEN; curl -H "Authorization: Bearer $SEQFACILITY_TOKEN" ${location.origin}${path}`;
}

/** A new token, shown this once, with a line that uses it. Only its button closes it. */
export function MadeToken({ name, token, scopes, onClose }: Props) {
  const tried = lineFor(scopes);
  return (
    <Dialog
      title={words.madeTitle(name)}
      onClose={onClose}
      losesSomething
      actions={
        <Button look="main" onClick={onClose}>
          {words.done}
        </Button>
      }
    >
      <div class="stack">
        <p>{words.madeWhy}</p>
        <div class="secret">
          <Copy value={token} label={words.token.toLowerCase()} />
        </div>
        {tried !== null && (
          <>
            <h3>{words.use}</h3>
            <p>{words.tryHelp}</p>
            <div class="secret">
              <Copy value={tried} label={words.use.toLowerCase()} />
            </div>
          </>
        )}
        <p class="muted">{words.useHelp}</p>
      </div>
    </Dialog>
  );
}
