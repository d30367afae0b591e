import { Chip, type Tone } from "../../parts/chip";
import { Copy } from "../../parts/copy";
import { Time } from "../../parts/time";
import { registryText as text } from "../../text/en/registry";
import { inOrder, type Role, type SeenRegistry } from "./state";

const TONES: Record<Role["state"], Tone> = { valid: "ok", ending: "wait", expired: "bad" };
const KEY_SHOWN = 12;

interface Props {
  registry: SeenRegistry;
  isConfigured: boolean;
}

/** Who signed what of a registry, until when, and in which version, as it was verified last. */
export function Signatures({ registry, isConfigured }: Props) {
  const { address, roles, publishers, verifiedAt } = registry;
  const title = isConfigured ? text.signatures : text.signaturesOf(address);
  const notRead = publishers.filter(({ name }) => !roles.some((role) => role.name === name));
  return (
    <section class="stack-tight" aria-label={title}>
      <h2>{title}</h2>
      {!isConfigured && verifiedAt && (
        <p class="muted">
          {text.verifiedAt} <Time at={verifiedAt} />
        </p>
      )}
      <ul class="trust-roles">
        {inOrder(roles).map((role) => (
          <RoleCard key={role.name} role={role} />
        ))}
        {notRead.map(({ name, keys }) => (
          <li key={name} class="card stack-tight">
            <h3>{text.role(name)}</h3>
            <p class="muted">{text.notReadYet}</p>
            <dl class="facts">
              <dt>{text.signs}</dt>
              <dd>
                <Keys ids={keys} />
              </dd>
            </dl>
          </li>
        ))}
      </ul>
    </section>
  );
}

function RoleCard({ role }: { role: Role }) {
  const { name, version, expires, state, threshold, signedBy, documents } = role;
  const facts = [
    text.meaning(name),
    documents !== null && text.documents(documents),
    text.version(version),
  ].filter(Boolean);
  return (
    <li class="card stack-tight">
      <div class="spread">
        <h3>{text.role(name)}</h3>
        <Chip tone={TONES[state]}>{text.states[state]}</Chip>
      </div>
      <p class="muted">{facts.join(", ")}</p>
      <dl class="facts">
        <dt>{text.until}</dt>
        <dd>
          <Time at={expires} />
        </dd>
        <dt>{text.signedBy}</dt>
        <dd>
          <Keys ids={signedBy} />
          <span class="muted">{text.threshold(threshold)}</span>
        </dd>
      </dl>
    </li>
  );
}

function Keys({ ids }: { ids: readonly string[] }) {
  return (
    <ul>
      {ids.map((id) => (
        <li key={id}>
          <Copy value={id} shown={id.slice(0, KEY_SHOWN)} label={text.key(id.slice(0, KEY_SHOWN))} />
        </li>
      ))}
    </ul>
  );
}
