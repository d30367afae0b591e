import { useLocation } from "preact-iso";
import { addressWith } from "../parts/address";
import { Button } from "../parts/button";
import { tab } from "../screen";
import { demoRefusal } from "../session";
import { startText as text } from "../text/en/analyses";
import type { StartProps } from "./start-dialog";
import type { Target } from "./state";

/** Fetched when somebody first opens it. */
const StartDialog = tab<StartProps>(() => import("./start-dialog"));

/** In the address: the dialog is open, and no pipeline is chosen yet. */
const OPEN = "choose";

interface Props {
  target: Target;
  look?: "plain" | "main" | undefined;
  /** A run was made and not started, or deleted again. */
  onChange?: (() => void) | undefined;
}

/** The button, and the dialog that the address opens: `?start=<pipeline>`. */
export function StartButton({ target, look = "main", onChange }: Props) {
  const { path, query, route } = useLocation();
  const { start, ...rest } = query;
  const isOpen = start !== undefined && demoRefusal.value === null;
  const go = (changed: string | null): void => route(addressWith(path, query, { start: changed }), true);
  return (
    <>
      <Button look={look} refusal={demoRefusal.value} onClick={() => go(OPEN)}>
        {text.open}
      </Button>
      {isOpen && (
        <StartDialog
          target={target}
          pipelineId={start}
          onPipeline={go}
          onChange={onChange}
          onStarted={(runId) => {
            // Back leads to the page from which it was started, without the dialog.
            history.replaceState(null, "", addressWith(path, rest));
            route(`/runs/${runId}?tab=tasks`);
          }}
          onClose={() => go(null)}
        />
      )}
    </>
  );
}
