import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useResource } from "../api/resource";
import { Dialog } from "../parts/dialog";
import { Icon } from "../parts/icon";
import { isAdmin } from "../session";
import { frame } from "../text/en/frame";
import { type Goal, pagesNamed, search } from "./go-to-state";

const PAUSE_MS = 200;

/** The button, and the dialog that Ctrl K opens: places, and whatever the service finds. */
export function GoTo() {
  const isOpen = useSignal(false);
  useEffect(() => {
    const open = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      isOpen.value = true;
    };
    addEventListener("keydown", open);
    return () => removeEventListener("keydown", open);
  }, [isOpen]);
  return (
    <>
      <button
        type="button"
        class="go-to"
        title={`${frame.goTo} (${frame.goToHint})`}
        onClick={() => (isOpen.value = true)}
      >
        <Icon name="search" />
        <span class="rail-word">{frame.goTo}</span>
        <span class="rail-word go-to-hint" data-hint={frame.goToHint} />
      </button>
      {isOpen.value && <Palette close={() => (isOpen.value = false)} />}
    </>
  );
}

function Palette({ close }: { close: () => void }) {
  const { route } = useLocation();
  const typed = useSignal("");
  const at = useSignal(0);
  const asked = useSignal("");
  const wanted = typed.value;
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.value = wanted;
    }, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [wanted, asked]);
  const results = useResource((signal) => search(asked.value, signal), [asked.value]);
  const found = [...pagesNamed(wanted, isAdmin.value), ...(results.data.value ?? [])];
  const isAnswered = asked.value === wanted && results.data.value !== null;
  const go = (goal: Goal | undefined): void => {
    if (!goal) return;
    close();
    route(goal.href);
  };
  const keys = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter") go(found[at.value]);
    else if (step) at.value = (at.value + step + found.length) % Math.max(1, found.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={frame.goTo} onClose={close}>
      <div class="stack-tight">
        <input
          class="control"
          type="text"
          role="combobox"
          aria-label={frame.goToLabel}
          placeholder={frame.goToLabel}
          aria-expanded={found.length > 0}
          aria-controls="go-to-found"
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `go-to-${at.value}` : undefined}
          autocomplete="off"
          value={typed.value}
          onInput={(event) => {
            typed.value = event.currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={keys}
        />
        <div id="go-to-found" role="listbox" aria-label={frame.goToFound} class="go-to-found">
          {found.map((goal, place) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys.
            <div
              key={goal.href}
              id={`go-to-${place}`}
              role="option"
              tabIndex={-1}
              class="menu-item"
              aria-selected={place === at.value}
              onClick={() => go(goal)}
            >
              <Icon name={goal.icon} />
              <span>{goal.label}</span>
              {goal.detail && <span class="muted">{goal.detail}</span>}
            </div>
          ))}
        </div>
        {results.problem.value && <p role="alert">{results.problem.value.message}</p>}
        <p class="muted" role="status">
          {isAnswered && found.length === 0 && frame.goToNothing}
        </p>
      </div>
    </Dialog>
  );
}
