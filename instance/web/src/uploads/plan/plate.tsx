import { Plate } from "../../parts/plate";
import { TILES_SHOWN, type Tile } from "../../parts/plate-tiles";
import { planText as text } from "../../text/en/uploads";
import type { PlanSample } from "./dialog";
import { choosing, DRAGGED } from "./rows";
import { type Answer, tilesOf, type UploadPlan } from "./state";

interface Props {
  plan: UploadPlan;
  answer: Answer;
  samples: readonly PlanSample[];
}

/** What each sample gets. A file that is dropped on a tile goes to its sample. */
export function PlanPlate({ plan, answer, samples }: Props) {
  if (samples.length === 0) return null;
  const states = tilesOf(answer, samples);
  const tiles = samples.map(({ id, label }): Tile => ({ id, label, state: states.get(id) ?? "waiting" }));
  const counts = { done: 0, half: 0, problem: 0, waiting: 0 };
  for (const state of states.values()) counts[state] += 1;
  const hasTiles = samples.length <= TILES_SHOWN;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a file is dropped on it; by keyboard its sample is chosen in its row.
    <div
      class="stack-tight uploads-plate"
      role="presentation"
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes(DRAGGED) && tileAt(event)) event.preventDefault();
      }}
      onDrop={(event) => {
        const sample = samples[tileAt(event)?.place ?? -1];
        const path = event.dataTransfer?.getData(DRAGGED);
        if (!sample || !path) return;
        event.preventDefault();
        void plan.change(choosing(plan, path, sample.id));
      }}
    >
      {hasTiles && <p class="muted">{text.plateHelp}</p>}
      <Plate tiles={hasTiles ? tiles : null} counts={counts} labels={text.plate} />
    </div>
  );
}

/** Tiles stand in the order of the samples. */
function tileAt({ target }: Event): { place: number } | null {
  const tile = target instanceof Element ? target.closest(".tiles > button") : null;
  return tile?.parentElement ? { place: [...tile.parentElement.children].indexOf(tile) } : null;
}
