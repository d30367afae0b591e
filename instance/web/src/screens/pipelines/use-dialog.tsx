import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { ProblemNotice } from "../../parts/problem";
import { text as common } from "../../text/en/common";
import { pipelineText as text } from "../../text/en/pipelines";
import { ChangeList } from "./changes";
import { decide, type Installed, type InstalledVersion } from "./state";

interface Props {
  pipeline: Installed;
  version: InstalledVersion;
  onUsed: () => Promise<void>;
  onClose: () => void;
}

/** Ask before new runs use another version, with what it changes. */
export function UseDialog({ pipeline, version: { version, changes }, onUsed, onClose }: Props) {
  const using = useAction(async () => {
    await decide(pipeline.id, { currentVersion: version });
    await onUsed();
    onClose();
  });
  const problem = using.problem.value;
  return (
    <Dialog
      title={text.useTitle(pipeline.name, version)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{common.cancel}</Button>
          <Button look="main" isBusy={using.isRunning.value} onClick={() => void using.run()}>
            {text.use}
          </Button>
        </>
      }
    >
      <div class="stack">
        <p>{text.useWhat(pipeline.version)}</p>
        {changes && <ChangeList of={changes} />}
        {problem && <ProblemNotice problem={problem} />}
      </div>
    </Dialog>
  );
}
