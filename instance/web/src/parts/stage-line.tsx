import { text } from "../text/en/common";

export interface Stage {
  id: string;
  label: string;
  /** A date, or a number: `63 of 96`. */
  note?: string | undefined;
  /** How much of it is done, 0 to 1; for the current stage. */
  part?: number | undefined;
}

interface Props {
  stages: readonly Stage[];
  /** The id of the current stage; null before the first one. */
  current: string | null;
  /** Everything is behind: the last stage is done, not in progress. */
  isOver?: boolean | undefined;
}

/** Where something stands on its way, in the order of the way. */
export function StageLine({ stages, current, isOver }: Props) {
  const here = stages.findIndex((stage) => stage.id === current);
  return (
    <ol class="stage-line" aria-label={text.stages}>
      {stages.map((stage, place) => {
        const isHere = place === here && !isOver;
        const part = place < here || (place === here && isOver) ? 1 : isHere ? (stage.part ?? 0) : 0;
        return (
          <li
            key={stage.id}
            aria-current={isHere ? "step" : undefined}
            class={isHere ? "stage stage-here" : "stage"}
          >
            <span class="stage-track" aria-hidden="true">
              <span
                class={part === 1 ? "stage-done" : "stage-part"}
                style={{ inlineSize: `${part * 100}%` }}
              />
            </span>
            <span class={place > here ? "stage-label muted" : "stage-label"}>{stage.label}</span>
            <span class="stage-note">{stage.note}</span>
          </li>
        );
      })}
    </ol>
  );
}
