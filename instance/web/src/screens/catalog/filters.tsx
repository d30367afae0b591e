import { ActiveFilters, activeOf } from "../../parts/active-filters";
import { FilterMenu } from "../../parts/filter-menu";
import { SearchField } from "../../parts/search-field";
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
  const active = activeOf(
    [
      [["from"], text.from, origin && text.origins[origin]],
      [["offered"], text.offered, offer && offers[offer]],
    ],
    onChange,
  );
  return (
    <search class="stack-tight">
      <div class="line">
        <SearchField
          name="q"
          label={text.search}
          placeholder={text.searchHint}
          words={query.q ?? ""}
          onSearch={(q) => onChange({ q })}
        />
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
        {children}
      </div>
      <ActiveFilters filters={active} onClear={() => onChange(NOTHING)} />
    </search>
  );
}
