import type { Filter } from "../../parts/active-filters";
import { FilterMenu } from "../../parts/filter-menu";
import { ListFilters } from "../../parts/list-filters";
import { catalogText as text } from "../../text/en/catalog";
import type { Origin } from "./items";

export type Query = Readonly<Record<string, string>>;
export type OnFilter = (changes: Record<string, string | null>) => void;
export const NOTHING = { q: null, from: null, offered: null };
const ORIGINS = ["registry", "changed", "own"] as const satisfies readonly Origin[];

interface Props {
  query: Query;
  onChange: OnFilter;
  children: preact.ComponentChildren;
}

/** The search and the filters above a list, all of them in the address. */
export function Filters({ query, onChange, children }: Props) {
  const origin = ORIGINS.find((one) => one === query.from);
  const offers = { yes: text.offered, no: text.notOffered };
  const offer = query.offered === "yes" || query.offered === "no" ? query.offered : undefined;
  const filters: Filter[] = [
    [["from"], text.from, origin && text.origins[origin]],
    [["offered"], text.offered, offer && offers[offer]],
  ];
  return (
    <ListFilters
      search={{
        name: "q",
        label: text.search,
        placeholder: text.searchHint,
        words: query.q ?? "",
        onSearch: (q) => onChange({ q }),
      }}
      filters={filters}
      onChange={onChange}
      onClear={() => onChange(NOTHING)}
      tools={children}
    >
      <FilterMenu
        label={text.from}
        any={text.anyFrom}
        value={origin}
        choices={ORIGINS.map((value) => ({ value, label: text.origins[value] }))}
        onChoose={(value) => onChange({ from: value })}
      />
      <FilterMenu
        label={text.offered}
        any={text.anyOffer}
        value={offer}
        choices={Object.entries(offers).map(([value, label]) => ({ value, label }))}
        onChoose={(value) => onChange({ offered: value })}
      />
    </ListFilters>
  );
}
