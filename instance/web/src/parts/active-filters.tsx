import { useEffect, useRef } from "preact/hooks";
import { text } from "../text/en/common";
import { Button } from "./button";
import { Icon } from "./icon";

export interface ActiveFilter {
  id: string;
  /** `Stage: Delivered`. */
  words: string;
  onRemove: () => void;
}

interface Props {
  filters: readonly ActiveFilter[];
  onClear: () => void;
}

/** The filters that are on, each with a way to take it off. They stand within the `search` that sets them. */
export function ActiveFilters({ filters, onClear }: Props) {
  const box = useRef<HTMLUListElement>(null);
  const end = useRef<HTMLSpanElement>(null);
  const removed = useRef<number | null>(null);
  useEffect(() => {
    const place = removed.current;
    removed.current = null;
    if (place === null) return;
    const chips = box.current?.querySelectorAll<HTMLElement>(".filter-chip") ?? [];
    const next = chips[Math.min(place, chips.length - 1)];
    (next ?? end.current?.closest("search")?.querySelector("input"))?.focus();
  }, [filters.length]);
  const leave = (place: number, act: () => void): void => {
    removed.current = place;
    act();
  };
  return (
    <>
      {filters.length > 0 && (
        <ul class="line active-filters" aria-label={text.filters} ref={box}>
          {filters.map(({ id, words, onRemove }, place) => (
            <li key={id}>
              <button
                type="button"
                class="filter-chip filter-on"
                aria-label={text.removeFilter(words)}
                title={text.removeFilter(words)}
                onClick={() => leave(place, onRemove)}
              >
                {words}
                <Icon name="close" />
              </button>
            </li>
          ))}
          <li>
            <Button look="quiet" onClick={() => leave(0, onClear)}>
              {text.clearAll}
            </Button>
          </li>
        </ul>
      )}
      <span ref={end} hidden />
    </>
  );
}

/** A filter: its parameters of the address, its label, and the value that it is set to, in words. */
export type Filter = readonly [
  parameters: readonly string[],
  label: string,
  value: string | null | undefined,
];

/** The filters of a list that are on; taking one off takes its parameters out of the address. */
export function activeOf(
  filters: readonly Filter[],
  onChange: (changes: Record<string, null>) => void,
): ActiveFilter[] {
  return filters.flatMap(([parameters, label, value]) =>
    value
      ? [
          {
            id: parameters.join(),
            words: text.isSetTo(label, value),
            onRemove: () => onChange(Object.fromEntries(parameters.map((name) => [name, null]))),
          },
        ]
      : [],
  );
}
