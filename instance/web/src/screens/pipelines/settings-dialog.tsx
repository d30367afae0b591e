import "../../style/parts/schema-form.css";
import { useState } from "preact/hooks";
import { FormDialog } from "../../parts/form-dialog";
import { changedValues, fieldsOf, type Typed, written } from "../../parts/schema-form/schema";
import { SchemaForm } from "../../parts/schema-form/schema-form";
import { demoRefusal } from "../../session";
import { text as common } from "../../text/en/common";
import { pipelineText as text } from "../../text/en/pipelines";
import { decide, type Installed } from "./state";

interface Props {
  pipeline: Installed;
  onSaved: () => Promise<void>;
  onClose: () => void;
}

/** What the facility sets for all runs of a pipeline; what it leaves is the package's. */
export function SettingsDialog({ pipeline, onSaved, onClose }: Props) {
  const { id, name, configSchema, config, packageConfig } = pipeline;
  const fields = fieldsOf(configSchema);
  const [typed, type] = useState<Typed>(() =>
    Object.fromEntries(
      fields
        .filter(({ key }) => Object.hasOwn(config, key))
        .map(({ key, kind }) => [key, written(kind, config[key])]),
    ),
  );
  return (
    <FormDialog
      title={text.settingsOf(name)}
      verb={common.save}
      labels={Object.fromEntries(fields.map(({ key, label }) => [key, label]))}
      isWide
      refusal={demoRefusal.value}
      onSubmit={async () => {
        await decide(id, { config: { ...changedValues(fields, packageConfig, typed) } });
        await onSaved();
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p class="muted">{text.settingsWhy}</p>
          <SchemaForm
            schema={configSchema}
            defaults={packageConfig}
            typed={typed}
            onType={type}
            errors={errors}
          />
        </>
      )}
    </FormDialog>
  );
}
