import type { ComponentChildren } from "preact";
import { ActiveFilters, activeOf, type Filter } from "./active-filters";
import { SearchField, type SearchProps } from "./search-field";

interface Props {
  search: SearchProps;
  /** Those with a value are on. */
  filters: readonly Filter[];
  onChange: (changes: Record<string, null>) => void;
  onClear: () => void;
  /** What is done with the list. */
  tools: ComponentChildren;
  /** The menus that set the filters. */
  children: ComponentChildren;
}

/** What narrows a list, all of it part of the address, and beside it what is done with the list. */
export function ListFilters({ search, filters, onChange, onClear, tools, children }: Props) {
  return (
    <search class="stack-tight">
      <div class="line list-bar">
        <SearchField {...search} />
        {children}
        <div class="list-tools">{tools}</div>
      </div>
      <ActiveFilters filters={activeOf(filters, onChange)} onClear={onClear} />
    </search>
  );
}
