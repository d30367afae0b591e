import "../style/parts/schema-form.css";
import "../style/parts/analyses.css";
import { useMemo, useState } from "preact/hooks";
import { useResource } from "../api/resource";
import { RadioCards } from "../parts/choice-fields";
import { Dialog } from "../parts/dialog";
import { Empty } from "../parts/empty";
import { Loaded } from "../parts/loading";
import { changedValues, fieldsOf, type Typed } from "../parts/schema-form/schema";
import { startText as text } from "../text/en/analyses";
import { text as common } from "../text/en/common";
import { useCheck } from "./checking";
import { Chosen } from "./chosen";
import { isUsable, SampleChoice } from "./samples";
import { SequencingRunChoice } from "./sequencing-runs";
import { StartActions } from "./start-actions";
import { type MadeRun, type Pipeline, readGround, readOptions, readPipelines, type Target } from "./state";

export interface StartProps {
  target: Target;
  /** The pipeline that the address names; anything else before one is chosen. */
  pipelineId: string;
  onPipeline: (pipelineId: string) => void;
  /** To the page of the run with this id. */
  onStarted: (runId: string) => void;
  onClose: () => void;
  /** A run was made and not started, or deleted again. */
  onChange: (() => void) | undefined;
}

const NONE: ReadonlySet<string> = new Set();

/** Choose a pipeline, its samples or sequencing run, and settings, and start it. */
export function Tab({ target, pipelineId, onPipeline, onStarted, onClose, onChange }: StartProps) {
  const pipelines = useResource((signal) => readPipelines(target, signal), [target.kind]);
  const found = pipelines.data.value;
  const pipeline = found?.find(({ id, available }) => id === pipelineId && available) ?? null;
  const options = useResource(
    async (signal) => (pipeline === null ? null : await readOptions(target, pipeline.id, signal)),
    [target.id, pipeline?.id],
  );
  const ground = useResource(readGround, []);
  const [left, leave] = useState(NONE);
  const [sequencingRunId, setSequencingRunId] = useState("");
  const [typed, type] = useState<Typed>({});
  const [mode, setMode] = useState("");
  const [made, setMade] = useState<MadeRun | null>(null);

  const offer = options.data.value;
  const fields = useMemo(() => fieldsOf(pipeline?.configSchema), [pipeline]);
  const usable = offer?.samples.filter(isUsable) ?? [];
  const chosen = usable.filter(({ id }) => !left.has(id)).map(({ id }) => id);
  const sequencingRun = offer?.sequencingRuns?.find(({ id }) => id === sequencingRunId) ?? null;
  const input = offer?.sequencingRuns
    ? sequencingRun && { sequencingRun }
    : chosen.length > 0
      ? { sampleIds: chosen }
      : null;
  const choices =
    pipeline === null || offer === null || input === null
      ? null
      : {
          pipelineId: pipeline.id,
          input,
          config: changedValues(fields, offer.config, typed),
          mode,
        };
  const checked = useCheck(target, choices);
  const choose = (id: string): void => {
    type({});
    leave(NONE);
    setSequencingRunId("");
    setMode("");
    onPipeline(id);
  };
  return (
    <Dialog
      title={text.title(target.name)}
      onClose={onClose}
      isWide
      isWaiting={found === null}
      actions={
        <StartActions
          target={target}
          choices={choices}
          hasPipeline={pipeline !== null}
          ask={offer?.sequencingRuns ? text.chooseSequencingRun : common.chooseSamples}
          checked={checked}
          made={made}
          onMade={(run) => {
            setMade(run);
            onChange?.();
          }}
          onStarted={onStarted}
          onClose={onClose}
        />
      }
    >
      {made !== null && (
        <div class="notice notice-wait" role="status">
          <p class="notice-title">{text.made(made.runNumber)}</p>
          <p>{text.madeWhat}</p>
        </div>
      )}
      <div class="stack" hidden={made !== null}>
        <Loaded of={pipelines}>
          {(all) => <Pipelines all={all} chosen={pipelineId} onChoose={choose} />}
        </Loaded>
        {pipeline !== null && (
          <Loaded of={options}>
            {(of) =>
              of && (
                <Chosen
                  pipeline={pipeline}
                  options={of}
                  fields={fields}
                  ground={ground}
                  checked={checked}
                  input={
                    of.sequencingRuns ? (
                      <SequencingRunChoice
                        runs={of.sequencingRuns}
                        chosen={sequencingRunId}
                        onChoose={setSequencingRunId}
                      />
                    ) : (
                      <SampleChoice
                        samples={of.samples}
                        chosen={new Set(chosen)}
                        onChange={(next) =>
                          leave(new Set(usable.map(({ id }) => id).filter((id) => !next.has(id))))
                        }
                      />
                    )
                  }
                  typed={typed}
                  onType={type}
                  mode={mode}
                  onMode={setMode}
                />
              )
            }
          </Loaded>
        )}
      </div>
    </Dialog>
  );
}

interface PipelinesProps {
  all: readonly Pipeline[];
  chosen: string;
  onChoose: (pipelineId: string) => void;
}

function Pipelines({ all, chosen, onChoose }: PipelinesProps) {
  if (all.length === 0) return <Empty title={text.noPipelines}>{text.noPipelinesWhy}</Empty>;
  return (
    <RadioCards
      name="pipelineId"
      label={text.pipeline}
      value={chosen}
      choices={all.map(({ id, name, version, description, available, unavailableReasons }) => ({
        value: id,
        label: name,
        help: (
          <span class="start-card">
            <span>{text.by(version)}</span>
            <span class="start-about">{description}</span>
          </span>
        ),
        refusal: available ? undefined : text.unavailable(unavailableReasons),
      }))}
      onInput={onChoose}
    />
  );
}
