import type { Resource } from "../../api/resource";
import { Button } from "../../parts/button";
import { Copy } from "../../parts/copy";
import { pipelineText as text } from "../../text/en/pipelines";
import type { Store } from "./state";

/** Why the registry could not be read, or what of it was not verified; nothing when all is well. */
export function StoreProblem({ of, store }: { of: Resource<Store>; store: Store }) {
  const { registry, warnings } = store;
  if (registry.error === null && warnings.length === 0) return null;
  return (
    <div class="notice notice-wait" role="status">
      <p class="notice-title">{registry.error === null ? text.unsigned : text.storeFails}</p>
      {registry.error !== null && (
        <p>
          {registry.error}. {text.storeFailsWhy}
        </p>
      )}
      {warnings.length > 0 && (
        <ul class="error-list">
          {warnings.map((warning) => (
            <li key={warning} class="breaks">
              {warning}
            </li>
          ))}
        </ul>
      )}
      <div class="line">
        <Button isBusy={of.waiting.value !== "no"} onClick={() => void of.reload()}>
          {text.tryAgain}
        </Button>
        <a href="/facility/registry">{text.toTrust}</a>
        <Copy value={registry.url} label={text.storeOf} />
      </div>
    </div>
  );
}
