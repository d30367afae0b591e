import { Button } from "../parts/button";
import { Copy } from "../parts/copy";
import { Dialog } from "../parts/dialog";
import { tokenText as words } from "../text/en/tokens";

interface Props {
  name: string;
  token: string;
  onClose: () => void;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A new token, shown this once, with a line that uses it. Only its button closes it. */
export function MadeToken({ name, token, onClose }: Props) {
  const tried = [
    `export SEQFACILITY_TOKEN=${quoted(token)}`,
    `curl -H "Authorization: Bearer $SEQFACILITY_TOKEN" ${location.origin}/api/orders`,
  ].join("; ");
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
        <h3>{words.use}</h3>
        <div class="secret">
          <Copy value={tried} label={words.use.toLowerCase()} />
        </div>
        <p class="muted">{words.useHelp}</p>
      </div>
    </Dialog>
  );
}
