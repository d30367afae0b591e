import { useSignal } from "@preact/signals";
import type { components } from "../api/schema";
import { Button } from "../parts/button";
import { Chip } from "../parts/chip";
import { ConfirmDialog } from "../parts/confirm-dialog";
import { type Column, Table } from "../parts/table";
import { Time } from "../parts/time";
import { type Scope, tokenText as words } from "../text/en/tokens";

export type TokenInfo = components["schemas"]["instance.token-parts.TokenInfo"];

/** From when on it is said that a token ends. */
const SOON_MS = 14 * 24 * 3600 * 1000;

interface Props {
  tokens: readonly TokenInfo[];
  /** Revoke it and read the list again. */
  onRevoke: (token: TokenInfo) => Promise<void>;
}

/** The tokens of an account: what they may, when they were used, until when they work. */
export function TokenTable({ tokens, onRevoke }: Props) {
  const asked = useSignal<TokenInfo | null>(null);
  const open = asked.value;
  return (
    <>
      <Table
        label={words.table}
        columns={columnsOf((token) => (asked.value = token))}
        rows={tokens}
        rowId={({ id }) => id}
      />
      {open && (
        <ConfirmDialog
          title={words.revokeOf(open.name)}
          verb={words.revoke}
          isDanger
          onConfirm={() => onRevoke(open)}
          onClose={() => (asked.value = null)}
        >
          {words.revokeWhat}
        </ConfirmDialog>
      )}
    </>
  );
}

function columnsOf(ask: (token: TokenInfo) => void): Column<TokenInfo>[] {
  return [
    { id: "name", label: words.name, cell: ({ name }) => name },
    {
      id: "scopes",
      label: words.allowed,
      cell: ({ scopes }) => <ScopeWords scopes={scopes} />,
      isMinor: true,
    },
    { id: "used", label: words.lastUsed, cell: (token) => <LastUse token={token} />, isMinor: true },
    { id: "expires", label: words.expires, cell: ({ expiresAt }) => <Expiry at={expiresAt} /> },
    {
      id: "revoke",
      label: words.revoke,
      cell: (token) => (
        <Button look="quiet" label={words.revokeOf(token.name)} onClick={() => ask(token)}>
          {words.revoke}
        </Button>
      ),
    },
  ];
}

/** The names of scopes, in words for who points at them. */
export function ScopeWords({ scopes }: { scopes: readonly Scope[] }) {
  return (
    <span class="line">
      {scopes.map((scope) => (
        <code key={scope} title={words.scopeWords[scope]}>
          {scope}
        </code>
      ))}
    </span>
  );
}

function LastUse({ token: { lastUsedAt, lastUsedAddress } }: { token: TokenInfo }) {
  if (!lastUsedAt) return <span class="muted">{words.neverUsed}</span>;
  return (
    <>
      <Time at={lastUsedAt} />{" "}
      {lastUsedAddress && <span class="muted">{words.usedFrom(lastUsedAddress)}</span>}
    </>
  );
}

export function Expiry({ at }: { at: string }) {
  const left = new Date(at).getTime() - Date.now();
  if (left <= 0) return <Chip tone="bad">{words.expired}</Chip>;
  return left < SOON_MS ? (
    <Chip tone="wait">
      <Time at={at} />
    </Chip>
  ) : (
    <Time at={at} />
  );
}
