import { api, given } from "../../api/client";
import { useList } from "../../api/resource";
import { Chip } from "../../parts/chip";
import { Copy } from "../../parts/copy";
import { ProblemNotice } from "../../parts/problem";
import { Time } from "../../parts/time";
import { demoRefusal } from "../../session";
import { auditText as text } from "../../text/en/audit";

/** Whether the trail is as it was written. Visitors of a demonstration are not told. */
export function Chain() {
  return demoRefusal.value === null ? <State /> : null;
}

function State() {
  const chain = useList((signal) => given(api.GET("/api/admin/audit/chain", { signal })), []);
  const problem = chain.problem.value;
  if (problem) return <ProblemNotice problem={problem} onTryAgain={() => void chain.reload()} />;
  const state = chain.data.value;
  if (state === null) return null;
  const { intact, rows, firstBroken, head, verifiedAt } = state;
  return (
    <>
      {!intact && (
        <div class="notice notice-bad" role="alert">
          <p class="notice-title">{text.broken}</p>
          <p>
            {text.brokenWhy} {firstBroken && <Copy value={firstBroken} label={text.row.toLowerCase()} />}
          </p>
        </div>
      )}
      <div class="line muted">
        {intact && <Chip tone="ok">{text.intact}</Chip>}
        <span>{text.rowsNumbered(rows)}</span>
        {verifiedAt && (
          <span>
            {text.verified} <Time at={verifiedAt} />
          </span>
        )}
        {head && (
          <details>
            <summary>{text.head}</summary>
            <Copy value={head} label={text.head.toLowerCase()} />
            <p>{text.headWhy}</p>
          </details>
        )}
      </div>
    </>
  );
}
