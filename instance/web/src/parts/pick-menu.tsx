import { useRef, useState } from "preact/hooks";
import { text } from "../text/en/common";
import { TextField } from "./field";
import { Icon } from "./icon";
import { Popover } from "./popover";

export interface PickGroup {
  label?: string | undefined;
  choices: readonly { value: string; label: string }[];
}

interface Props {
  label: string;
  /** What it is called when nothing is chosen. */
  any: string;
  /** What is searched: `Find an action`. */
  find: string;
  value: string | undefined;
  groups: readonly PickGroup[];
  onChoose: (value: string | null) => void;
}

/** As `FilterMenu`, for more values than anybody reads: they are grouped, and typing finds one. */
export function PickMenu({ label, any, find, value, groups, onChoose }: Props) {
  const [typed, setTyped] = useState("");
  const box = useRef<HTMLDivElement>(null);
  const stops = (): HTMLElement[] => [...(box.current?.querySelectorAll<HTMLElement>("input, button") ?? [])];
  const found = groupsWith(groups, typed);
  const choose = (chosen: string | null): void => {
    box.current?.hidePopover();
    onChoose(chosen);
  };
  const item = (choice: string | null, words: string) => (
    <button
      key={words}
      type="button"
      class="menu-item"
      aria-pressed={choice === (value ?? null)}
      onClick={() => choose(choice)}
    >
      <span>{words}</span>
      {choice === (value ?? null) && <Icon name="check" />}
    </button>
  );
  return (
    <Popover
      role="dialog"
      label={label}
      innerRef={box}
      onToggle={(isOpen) => {
        setTyped("");
        if (isOpen) stops()[0]?.focus();
      }}
      opener={(anchor) => (
        <button type="button" class="button button-quiet" aria-haspopup="dialog" {...anchor}>
          {label}
          <Icon name="down" />
        </button>
      )}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the controls, which have the roles. */}
      <div class="menu pick" role="presentation" onKeyDown={(event) => move(event, stops())}>
        <TextField name={`find-${label}`} type="search" label={find} value={typed} onInput={setTyped} />
        {typed === "" && <div class="menu-group">{item(null, any)}</div>}
        {found.map(({ label: name, choices }) => (
          <fieldset key={name} class="menu-group" aria-label={name}>
            {name && (
              <span class="menu-label" aria-hidden="true">
                {name}
              </span>
            )}
            {choices.map((choice) => item(choice.value, choice.label))}
          </fieldset>
        ))}
        <p class="menu-label" role="status">
          {found.length === 0 && text.nothingFits}
        </p>
      </div>
    </Popover>
  );
}

/** What fits by its own words; a group whose name fits is shown whole. */
export function groupsWith(groups: readonly PickGroup[], typed: string): PickGroup[] {
  const wanted = typed.trim().toLowerCase();
  const fits = (words = ""): boolean => words.toLowerCase().includes(wanted);
  return groups
    .map(({ label, choices }) => ({
      label,
      choices: wanted && fits(label) ? choices : choices.filter((choice) => fits(choice.label)),
    }))
    .filter(({ choices }) => choices.length > 0);
}

function move(event: KeyboardEvent, stops: readonly HTMLElement[]): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const now = stops.findIndex((stop) => stop.matches(":focus"));
  stops.at((now + step) % stops.length)?.focus();
}
