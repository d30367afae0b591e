import type { ComponentChildren } from "preact";
import type { Resource } from "../api/resource";
import { Loaded } from "../parts/loading";
import type { SchemaField, Typed } from "../parts/schema-form/schema";
import { SchemaForm } from "../parts/schema-form/schema-form";
import { startText as text } from "../text/en/analyses";
import type { Checked } from "./checking";
import { ReadyList, Where } from "./ground";
import { errorsOf, type Ground, type Options, type Pipeline } from "./state";

interface Props {
  pipeline: Pipeline;
  options: Options;
  fields: readonly SchemaField[];
  ground: Resource<Ground>;
  checked: Checked;
  /** Where samples, or a sequencing run, are chosen. */
  input: ComponentChildren;
  typed: Typed;
  onType: (typed: Typed) => void;
  mode: string;
  onMode: (mode: string) => void;
}

/** What is chosen for a pipeline: its input, settings, and where it runs, with what the check says of it. */
export function Chosen(props: Props) {
  const { pipeline, options, fields, ground, checked } = props;
  const keys = fields.map(({ key }) => key);
  const errors = errorsOf(checked.found, keys);
  return (
    <>
      <Warnings of={options.warnings ?? []} />
      {props.input}
      <section class="stack-tight" aria-labelledby="start-settings">
        <h3 id="start-settings">{text.settings}</h3>
        {fields.length === 0 ? (
          <p class="muted">{text.noSettings}</p>
        ) : (
          <SchemaForm
            schema={pipeline.configSchema}
            defaults={options.config}
            typed={props.typed}
            onType={props.onType}
            errors={errors.fields}
            name="config"
          />
        )}
      </section>
      <Where options={options} mode={props.mode} onChange={props.onMode} />
      <Loaded of={ground}>
        {(found) => <ReadyList ground={found} pipelineId={pipeline.id} shown={options.warnings ?? []} />}
      </Loaded>
      <CheckResult checked={checked} others={errors.others} />
    </>
  );
}

/** What the registry says against this version: it can be started all the same. */
function Warnings({ of }: { of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <section class="notice notice-wait" aria-labelledby="start-warnings">
      <h3 class="notice-title" id="start-warnings">
        {text.warnings}
      </h3>
      <ul>
        {of.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </section>
  );
}

const MOST_LINES = 20;

function CheckResult({ checked, others }: { checked: Checked; others: readonly string[] }) {
  const { found, problem, isRunning } = checked;
  const isWrong = found !== null && !found.valid;
  return (
    <div class={isWrong ? "notice notice-bad" : "notice"} role="status" aria-busy={isRunning || undefined}>
      <p class={isWrong ? "notice-title" : undefined}>
        {isRunning && found === null && problem === null && text.checking}
        {problem !== null && `${text.checkFailed} ${problem.message}`}
        {found !== null && (found.valid ? text.good : found.error)}
      </p>
      {isWrong && others.length > 0 && (
        <ul class="error-list">
          {others.slice(0, MOST_LINES).map((line) => (
            <li key={line}>{line}</li>
          ))}
          {others.length > MOST_LINES && <li>{text.moreLines(others.length - MOST_LINES)}</li>}
        </ul>
      )}
    </div>
  );
}
