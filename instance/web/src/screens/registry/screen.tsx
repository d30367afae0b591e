import "../../style/screens/registry.css";
import { useSignal } from "@preact/signals";
import { useAction, useList } from "../../api/resource";
import { Button } from "../../parts/button";
import { Copy } from "../../parts/copy";
import { DemoNote } from "../../parts/demo-note";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { ProblemNotice } from "../../parts/problem";
import { demoRefusal } from "../../session";
import { registryText as text } from "../../text/en/registry";
import { DailyPoll } from "./daily-poll";
import { LookResult } from "./look-result";
import { Noticed } from "./noticed";
import { Policies } from "./policies";
import { Root } from "./root";
import { Signatures } from "./signatures";
import { Standing } from "./standing";
import { type Look, look, readNoticed, readTrust } from "./state";

/** Whether the registry is believed, who signed what, and what it says against what is installed. Decision: G983. */
export function Screen() {
  const trust = useList(readTrust, []);
  const noticed = useList(readNoticed, []);
  const found = useSignal<Look | null>(null);
  const looking = useAction(async () => {
    found.value = await look();
    await Promise.all([trust.reload(), noticed.reload()]);
  });
  const problem = looking.problem.value;
  const known = trust.data.value;
  return (
    <div class="stack">
      <PageHead
        title={text.title}
        facts={known ? [<Copy key="address" value={known.address} label={text.address} />] : undefined}
        actions={
          <Button
            icon="again"
            refusal={demoRefusal.value}
            isBusy={looking.isRunning.value}
            onClick={() => void looking.run()}
          >
            {text.look}
          </Button>
        }
      />
      <DemoNote />
      {problem && <ProblemNotice problem={problem} />}
      <div role="status">{found.value && known && <LookResult of={found.value} trust={known} />}</div>
      {known && <Standing trust={known} />}
      <section class="stack-tight" aria-labelledby="registry-notices">
        <h2 id="registry-notices">{text.notices}</h2>
        <DailyPoll />
        <Loaded of={noticed}>{(versions) => <Noticed versions={versions} />}</Loaded>
      </section>
      <Loaded of={trust}>
        {(trusted) => (
          <>
            <div class="pair">
              <Policies trust={trusted} onDecided={trust.reload} />
              <Root isPinned={trusted.rootPinned} />
            </div>
            {trusted.registries.map((registry) => (
              <Signatures
                key={registry.address}
                registry={registry}
                isConfigured={registry.address === trusted.address}
              />
            ))}
          </>
        )}
      </Loaded>
    </div>
  );
}
