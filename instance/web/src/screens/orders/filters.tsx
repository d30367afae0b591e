import type { ComponentChildren } from "preact";
import { useList } from "../../api/resource";
import type { Filter } from "../../parts/active-filters";
import { FilterChip } from "../../parts/chip";
import { DayRangeFilter, rangeInWords } from "../../parts/day-range";
import { FilterMenu } from "../../parts/filter-menu";
import { ListFilters } from "../../parts/list-filters";
import { PickMenu } from "../../parts/pick-menu";
import { choicesOf, lastNameFirst, type Person, readPeople } from "../../people/choices";
import { isAdmin } from "../../session";
import { listText as text } from "../../text/en/order-list";
import { orderText } from "../../text/en/orders";
import { type Query, STAGES } from "./state";

const PLATFORMS = ["ILLUMINA", "OXFORD_NANOPORE", "PACBIO"];

interface Props {
  query: Query;
  onChange: (changes: Record<string, string | null>) => void;
  onClear: () => void;
  /** What is done with the list. */
  children: ComponentChildren;
}

/** What narrows the list: how it may be narrowed, and the filters that are on. All of it is part of the address. */
export function Filters({ query, onChange, onClear, children }: Props) {
  const owners = useList(async (signal) => (isAdmin.value ? await readPeople(signal, "RESEARCHER") : []), []);
  const people = owners.data.value ?? [];
  const platforms =
    query.platform && !PLATFORMS.includes(query.platform) ? [...PLATFORMS, query.platform] : PLATFORMS;
  return (
    <ListFilters
      search={{
        name: "q",
        label: orderText.search,
        placeholder: orderText.searchHint,
        words: query.q ?? "",
        onSearch: (q) => onChange({ q }),
      }}
      filters={filtersOf(query, people)}
      onChange={onChange}
      onClear={onClear}
      tools={children}
    >
      <FilterMenu
        label={text.stage}
        any={text.allStages}
        value={query.stage}
        choices={STAGES.map((stage) => ({ value: stage, label: orderText.stage[stage] }))}
        onChoose={(stage) => onChange({ stage })}
      />
      <FilterMenu
        label={text.platform}
        any={text.allPlatforms}
        value={query.platform}
        choices={platforms.map((code) => ({ value: code, label: orderText.platform(code) }))}
        onChoose={(platform) => onChange({ platform })}
      />
      {isAdmin.value && (
        <PickMenu
          label={text.owner}
          any={text.allOwners}
          find={text.findOwner}
          value={query.owner}
          groups={choicesOf(people)}
          onChoose={(owner) => onChange({ owner })}
        />
      )}
      <DayRangeFilter
        label={text.begun}
        range={query}
        onChange={({ from, to }) => onChange({ from: from ?? null, to: to ?? null })}
      />
      <FilterChip isOn={query.needs === "me"} onToggle={() => onChange({ needs: query.needs ? null : "me" })}>
        {text.needsMe}
      </FilterChip>
    </ListFilters>
  );
}

/** What is on, in words; `Needs me` shows so itself. */
function filtersOf(query: Query, people: readonly Person[]): Filter[] {
  const { stage, platform, owner } = query;
  const found = people.find(({ id }) => id === owner);
  return [
    [["stage"], text.stage, stage && orderText.stage[stage]],
    [["platform"], text.platform, platform && orderText.platform(platform)],
    [["owner"], text.owner, owner && (found ? lastNameFirst(found) : text.onePerson)],
    [["from", "to"], text.begun, rangeInWords(query)],
  ];
}
