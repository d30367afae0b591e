import { Button } from "../parts/button";
import { Empty } from "../parts/empty";
import { Plate } from "../parts/plate";
import { type PlateState, TILES_SHOWN, type Tile } from "../parts/plate-tiles";
import { type Column, Table } from "../parts/table";
import { startText as text } from "../text/en/analyses";
import { list } from "../text/format";
import type { SampleOption } from "./state";

interface Props {
  samples: readonly SampleOption[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

const nameOf = ({ sampleAlias, sampleId }: SampleOption): string => sampleAlias ?? sampleId;
export const isUsable = ({ problems }: SampleOption): boolean => problems.length === 0;

/** The samples of a run, chosen on the plate or in the list; those that can't be used say why. */
export function SampleChoice({ samples, chosen, onChange }: Props) {
  const usable = samples.filter(isUsable);
  const take = (ids: Iterable<string>): void => {
    const wanted = new Set(ids);
    onChange(new Set(usable.filter(({ id }) => wanted.has(id)).map(({ id }) => id)));
  };
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    take(next);
  };
  const stateOf = (sample: SampleOption): PlateState => {
    if (!isUsable(sample)) return "problem";
    return chosen.has(sample.id) ? "done" : "waiting";
  };
  const tiles = samples.map(
    (sample): Tile => ({
      id: sample.id,
      label: nameOf(sample),
      state: stateOf(sample),
      note: isUsable(sample) ? undefined : list(sample.problems),
    }),
  );
  const counts = {
    done: chosen.size,
    waiting: usable.length - chosen.size,
    problem: samples.length - usable.length,
  };
  return (
    <section class="stack-tight" aria-labelledby="start-samples">
      <h3 id="start-samples">{text.samples}</h3>
      {samples.length === 0 ? (
        <Empty title={text.noSamples}>{text.noSamplesWhy}</Empty>
      ) : (
        <>
          <div class="spread">
            <p role="status">{text.chosenOf(chosen.size, usable.length, samples.length)}</p>
            <div class="line">
              <Button onClick={() => take(usable.map(({ id }) => id))}>
                {text.chooseAll(usable.length)}
              </Button>
              <Button onClick={() => take([])}>{text.chooseNone}</Button>
            </div>
          </div>
          <Plate
            tiles={tiles.length <= TILES_SHOWN ? tiles : null}
            counts={counts}
            labels={{ done: text.tile.chosen, problem: text.tile.unusable, waiting: text.tile.left }}
            selected={chosen}
            onSelect={take}
            onOpen={({ id }) => toggle(id)}
          />
          <div class="start-samples">
            <Table
              label={text.sampleList}
              columns={columnsOf(chosen, toggle)}
              rows={samples}
              rowId={({ id }) => id}
            />
          </div>
        </>
      )}
    </section>
  );
}

const columnsOf = (chosen: ReadonlySet<string>, toggle: (id: string) => void): Column<SampleOption>[] => [
  {
    id: "chosen",
    label: text.chosen,
    cell: (sample) => (
      <input
        type="checkbox"
        aria-label={text.choose(nameOf(sample))}
        checked={chosen.has(sample.id)}
        disabled={!isUsable(sample)}
        onChange={() => toggle(sample.id)}
      />
    ),
  },
  { id: "sample", label: text.sample, cell: nameOf },
  {
    id: "code",
    label: text.code,
    cell: ({ sampleId }) => <span class="mono">{sampleId}</span>,
    isMinor: true,
  },
  { id: "why", label: text.why, cell: ({ problems }) => list(problems) },
];
