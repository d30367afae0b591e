import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { ProblemNotice } from "../../parts/problem";
import { fieldsOf } from "../../parts/schema-form/schema";
import { demoRefusal } from "../../session";
import { pipelineText as text } from "../../text/en/pipelines";
import { SettingsDialog } from "./settings-dialog";
import { decide, type Installed, removePipeline } from "./state";

interface Props {
  pipeline: Installed;
  onChange: () => Promise<void>;
}

/** What an admin does with an installed pipeline. */
export function Actions({ pipeline, onChange }: Props) {
  const { id, name, enabled, versions } = pipeline;
  const { route } = useLocation();
  const [open, setOpen] = useState<"settings" | "removal" | null>(null);
  const switching = useAction(async () => {
    await decide(id, { enabled: !enabled });
    await onChange();
  });
  const problem = switching.problem.value;
  const isBundled = versions.some(({ origin }) => origin === "bundled");
  return (
    <>
      {problem && <ProblemNotice problem={problem} />}
      <Button
        look={enabled ? "plain" : "main"}
        refusal={demoRefusal.value}
        isBusy={switching.isRunning.value}
        onClick={() => void switching.run()}
      >
        {enabled ? text.disable : text.enable}
      </Button>
      {fieldsOf(pipeline.configSchema).length > 0 && (
        <Button icon="settings" onClick={() => setOpen("settings")}>
          {text.settings}
        </Button>
      )}
      {!isBundled && (
        <Button
          icon="trash"
          label={text.removeOf(name)}
          refusal={demoRefusal.value}
          onClick={() => setOpen("removal")}
        >
          {text.remove}
        </Button>
      )}
      {open === "settings" && (
        <SettingsDialog pipeline={pipeline} onSaved={onChange} onClose={() => setOpen(null)} />
      )}
      {open === "removal" && (
        <ConfirmDialog
          title={text.removeOf(name)}
          verb={text.remove}
          isDanger
          onConfirm={async () => {
            await removePipeline(id);
            route("/facility/pipelines");
          }}
          onClose={() => setOpen(null)}
        >
          {text.removeWhat(versions.length)}
        </ConfirmDialog>
      )}
    </>
  );
}
