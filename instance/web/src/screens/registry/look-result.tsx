import { registryText as text } from "../../text/en/registry";
import { clockWithSeconds } from "../../text/format";
import type { Look, Trust } from "./state";

/** What a look that was asked for has found; a refusal stands below it, with what to do. */
export function LookResult({ of: { at, error, warnings }, trust }: { of: Look; trust: Trust }) {
  const time = text.lookedAt(clockWithSeconds(at));
  if (warnings.length === 0) {
    const good = trust.policy === "off" ? text.lookedOff : text.lookedGood;
    return (
      <p class="muted">
        {time}. {error === null ? good : text.lookedRefused(error)}
      </p>
    );
  }
  return (
    <div class="notice notice-wait">
      <p class="notice-title">{time}</p>
      <p>{text.lookedWarnings}</p>
      <ul class="error-list">
        {warnings.map((warning) => (
          <li key={warning} class="breaks">
            {warning}
          </li>
        ))}
      </ul>
    </div>
  );
}
