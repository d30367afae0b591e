import { Chip } from "../../parts/chip";
import { Time } from "../../parts/time";
import { registryText as text } from "../../text/en/registry";
import { day } from "../../text/format";
import { inOrder, type Refusal, type Role, type Trust } from "./state";

/** Whether the registry is believed now, since when, and what to do when it is not. */
export function Standing({ trust }: { trust: Trust }) {
  const { address, policy, registries, refusals } = trust;
  const here = registries.find((registry) => registry.address === address);
  const verifiedAt = here?.verifiedAt;
  const last = refusals.find((refusal) => refusal.address === address);
  const isRefused = policy !== "off" && last !== undefined && !last.isOver;
  return (
    <section class="stack-tight" aria-label={text.state}>
      {isRefused && <Refused refusal={last} trust={trust} />}
      {policy === "off" && (
        <p class="line">
          <Chip>{text.notAsked}</Chip> <span class="muted">{text.notAskedWhy}</span>
        </p>
      )}
      {policy !== "off" && !verifiedAt && !isRefused && (
        <p class="line">
          <Chip tone="wait">{text.notYet}</Chip>{" "}
          <span class="muted">{canBegin(trust) ? text.notYetWhy : text.toDoWithoutRoot}</span>
        </p>
      )}
      {verifiedAt && (
        <p class="line muted">
          {policy !== "off" && !isRefused && <Chip tone="ok">{text.verified}</Chip>}
          <span>
            {text.lastVerified} <Time at={verifiedAt} />
          </span>
        </p>
      )}
      {last?.isOver && (
        <p class="muted">
          {text.refusedBefore} {last.message}, <Time at={last.at} />
        </p>
      )}
      {refusals.map((refusal) => refusal !== last && <RefusedElsewhere key={refusal.address} of={refusal} />)}
      {policy !== "off" && here && <Ends roles={inOrder(here.roles)} />}
    </section>
  );
}

/** Whether there is a root to begin at: the pinned one, or one that was verified before. */
const canBegin = ({ rootPinned, registries }: Trust): boolean => rootPinned || registries.length > 0;

/** Of a mirror, or of a registry that was the configured one. */
function RefusedElsewhere({ of: { address, message, at } }: { of: Refusal }) {
  return (
    <p class="muted">
      {text.refusedElsewhere} <code>{address}</code>, {message}, <Time at={at} />
    </p>
  );
}

function Refused({ refusal, trust }: { refusal: Refusal; trust: Trust }) {
  const { address, kind, message, reason, at } = refusal;
  return (
    <div class={trust.policy === "required" ? "notice notice-bad" : "notice notice-wait"}>
      <p class="notice-title">{message}</p>
      <p>
        {text.refusedAt} <Time at={at} />. {trust.policy === "required" ? text.refused : text.readOn}
      </p>
      <p>{canBegin(trust) ? text.toDo[kind] : text.toDoWithoutRoot}</p>
      <details>
        <summary>{text.details}</summary>
        <p class="breaks muted">{reason || address}</p>
      </details>
    </div>
  );
}

function Ends({ roles }: { roles: readonly Role[] }) {
  const over = roles.filter(({ state }) => state === "expired");
  const ending = roles.filter(({ state }) => state === "ending");
  return (
    <>
      {over.length > 0 && <Notice title={text.over(ends(over))} why={text.overWhy} />}
      {ending.length > 0 && <Notice title={text.endsSoon(ends(ending))} why={text.endsSoonWhy} />}
    </>
  );
}

const ends = (roles: readonly Role[]): string[] =>
  roles.map(({ name, expires }) => text.endOf(text.role(name), day(new Date(expires), new Date())));

function Notice({ title, why }: { title: string; why: string }) {
  return (
    <div class="notice notice-wait">
      <p class="notice-title">{title}</p>
      <p>{why}</p>
    </div>
  );
}
