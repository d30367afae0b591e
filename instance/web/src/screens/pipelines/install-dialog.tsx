import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { Copy } from "../../parts/copy";
import { Dialog } from "../../parts/dialog";
import { ProblemNotice } from "../../parts/problem";
import { text as common } from "../../text/en/common";
import { pipelineText as text } from "../../text/en/pipelines";
import { type Entry, install, type OfferedVersion } from "./state";
import { Fact, OfferedData, WorkflowFacts } from "./what-runs";

interface Props {
  entry: Entry;
  version: OfferedVersion;
  /** What new runs go on with. */
  current: string | null;
  onInstalled: (warnings: readonly string[]) => Promise<void>;
  onClose: () => void;
}

/** Show what a package will run and who signed it, before it is installed. */
export function InstallDialog({ entry, version: one, current, onInstalled, onClose }: Props) {
  const { id, offer } = entry;
  const { version, sha256, signer } = one;
  const isNewest = version === offer.latestVersion;
  const installing = useAction(async () => {
    await onInstalled(await install(id, version, !isNewest));
    onClose();
  });
  const problem = installing.problem.value;
  const isBusy = installing.isRunning.value;
  return (
    <Dialog
      title={text.installOf(offer.name, version)}
      onClose={onClose}
      losesSomething={isBusy}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="main" isBusy={isBusy} onClick={() => void installing.run()}>
            {text.install}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{text.installWhat}</p>
        <dl class="facts">
          <Fact label={text.digest}>
            {sha256 === null ? text.noDigest : <Copy value={sha256} label={text.digestOf(version)} />}
          </Fact>
          <Fact label={text.signedBy}>{signer === null ? text.notSigned : text.signers(signer)}</Fact>
          {isNewest && (
            <>
              <WorkflowFacts workflow={offer.workflow} />
              <Fact label={text.databases}>
                <OfferedData offer={offer} />
              </Fact>
            </>
          )}
        </dl>
        {!isNewest && offer.latestVersion && <p>{text.installOlder(offer.latestVersion)}</p>}
        {current && <p>{text.installKeeps(current)}</p>}
        <div role="status">
          {isBusy && (
            <>
              <p>{text.installs}</p>
              <progress class="wide" aria-label={text.installs} />
            </>
          )}
        </div>
        {problem && <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  );
}
