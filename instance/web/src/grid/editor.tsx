import { useSignal, useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { text } from "../text/en/grid";
import { type Choice, hasOptions, optionsFor, type Suggest } from "./choices";
import type { Column, Place } from "./table";

const ASK_AFTER_MS = 150;

export interface Edited {
  readonly place: Place;
  /** The number of the row among all. */
  readonly number: number;
  readonly column: Column;
  readonly text: string;
}

interface Props {
  id: string;
  edited: Edited | null;
  input: RefObject<HTMLTextAreaElement | null>;
  suggest: Suggest | undefined;
  onCommit: (typed: string, choice: Choice | null, event: KeyboardEvent | null) => void;
  onCancel: () => void;
}

/**
 * The field over the active cell. It is always in the page, so that it can take the focus, and with it the
 * character, within the key press that opens it.
 */
export function GridEditor({ id, edited, input, suggest, onCommit, onCancel }: Props) {
  const typed = useSignal("");
  const choices = useSignal<readonly Choice[]>([]);
  const chosen = useSignal(-1);
  const list = useRef<HTMLDivElement>(null);
  const column = edited?.column;

  useEffect(() => {
    // WHY: characters may have arrived since the field took the focus; what it holds counts.
    typed.value = input.current?.value ?? "";
    const isUntouched = typed.value === edited?.text;
    choices.value =
      column !== undefined && hasOptions(column) ? optionsFor(column, isUntouched ? "" : typed.value) : [];
    chosen.value = isUntouched || choices.value.length === 0 ? -1 : 0;
    if (column === undefined || suggest === undefined || hasOptions(column)) return;
    const stop = new AbortController();
    let timer = 0;
    const unsubscribe = typed.subscribe((value) => {
      clearTimeout(timer);
      timer = window.setTimeout(async () => {
        const found = await suggest(column, value, stop.signal).catch(() => []);
        if (!stop.signal.aborted && typed.value === value) choices.value = found;
      }, ASK_AFTER_MS);
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
      stop.abort();
    };
  }, [edited]);

  useSignalEffect(() => {
    const isOpen = choices.value.length > 0;
    list.current?.togglePopover(isOpen);
  });

  const take = (event: KeyboardEvent | null, choice = choices.value[chosen.value] ?? null): void =>
    onCommit(input.current?.value ?? "", choice, event);

  const press = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.isComposing) return;
    const { key } = event;
    if (key === "Escape") onCancel();
    else if (key === "Tab" || (key === "Enter" && !event.altKey)) take(event);
    else if ((key === "ArrowDown" || key === "ArrowUp") && choices.value.length > 0) {
      const step = key === "ArrowDown" ? 1 : -1;
      chosen.value =
        (chosen.value + step + choices.value.length + (chosen.value < 0 && step < 0 ? 1 : 0)) %
        choices.value.length;
      list.current?.children[chosen.value]?.scrollIntoView({ block: "nearest" });
    } else return;
    event.preventDefault();
  };

  const isCombo = column !== undefined && (hasOptions(column) || choices.value.length > 0);
  const label = edited === null ? "" : text.place(edited.number, edited.column.label);
  return (
    <div class="grid-editor" hidden={edited === null}>
      <textarea
        ref={input}
        rows={1}
        tabIndex={-1}
        spellcheck={false}
        aria-label={label}
        aria-controls={isCombo ? `${id}-choices` : undefined}
        aria-autocomplete={isCombo ? "list" : undefined}
        aria-activedescendant={chosen.value >= 0 ? `${id}-choice-${chosen.value}` : undefined}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          if (column !== undefined && hasOptions(column)) {
            choices.value = optionsFor(column, typed.value);
            chosen.value = typed.value === "" || choices.value.length === 0 ? -1 : 0;
          }
        }}
        onKeyDown={press}
        onPaste={(event) => event.stopPropagation()}
        onCopy={(event) => event.stopPropagation()}
        onCut={(event) => event.stopPropagation()}
        onBlur={(event) => onCommit(event.currentTarget.value, null, null)}
      />
      <div
        ref={list}
        id={`${id}-choices`}
        class="grid-choices"
        role="listbox"
        aria-label={column === undefined ? undefined : text.choices(column.label)}
        popover="manual"
      >
        {choices.value.map((choice, index) => (
          <div
            key={choice.label}
            id={`${id}-choice-${index}`}
            role="option"
            aria-selected={index === chosen.value}
            onMouseDown={(event) => {
              event.preventDefault();
              take(null, choice);
            }}
          >
            {choice.label}
            {choice.detail !== undefined && <span class="muted">{choice.detail}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}
