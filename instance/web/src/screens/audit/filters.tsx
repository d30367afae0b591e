import type { ComponentChildren } from "preact";
import { type ActiveFilter, ActiveFilters } from "../../parts/active-filters";
import { DayRangeFilter, rangeInWords } from "../../parts/day-range";
import { FilterMenu } from "../../parts/filter-menu";
import { SearchField } from "../../parts/search-field";
import { auditText as text } from "../../text/en/audit";
import { ACTIONS } from "./actions";
import type { Person, Query } from "./state";

interface Props {
  query: Query;
  people: readonly Person[];
  onChange: (changes: Record<string, string | null>) => void;
  onClear: () => void;
  /** What is done with the list. */
  children: ComponentChildren;
}

const lastNameFirst = ({ lastName, firstName }: Person): string => `${lastName}, ${firstName}`;

/** What narrows the trail; all of it is part of the address. */
export function Filters({ query, people, onChange, onClear, children }: Props) {
  return (
    <search class="stack-tight">
      <div class="line list-bar">
        <SearchField
          name="object"
          label={text.search}
          placeholder={text.searchHint}
          words={query.objectId ?? ""}
          onSearch={(object) => onChange({ object })}
        />
        <FilterMenu
          label={text.action}
          any={text.anyAction}
          value={query.action}
          choices={ACTIONS.map((value) => ({ value, label: text.actionOf(value) }))}
          onChoose={(action) => onChange({ action })}
        />
        <FilterMenu
          label={text.person}
          any={text.anybody}
          value={query.actor}
          choices={people
            .map((person) => ({ value: person.id, label: lastNameFirst(person) }))
            .toSorted((one, other) => one.label.localeCompare(other.label))}
          onChoose={(actor) => onChange({ actor })}
        />
        <DayRangeFilter
          label={text.when}
          range={query}
          onChange={({ from, to }) => onChange({ from: from ?? null, to: to ?? null })}
        />
        <div class="list-tools">{children}</div>
      </div>
      <ActiveFilters filters={active(query, people, onChange)} onClear={onClear} />
    </search>
  );
}

function active(query: Query, people: readonly Person[], onChange: Props["onChange"]): ActiveFilter[] {
  const { action, actor } = query;
  const person = people.find(({ id }) => id === actor);
  const said: [id: string, label: string, value: string | null | undefined][] = [
    ["action", text.action, action && text.actionOf(action)],
    ["actor", text.person, actor && (person ? lastNameFirst(person) : text.onePerson)],
    ["days", text.when, rangeInWords(query)],
  ];
  return said.flatMap(([id, label, value]) =>
    value
      ? [
          {
            id,
            words: text.isSetTo(label, value),
            onRemove: () => onChange(id === "days" ? { from: null, to: null } : { [id]: null }),
          },
        ]
      : [],
  );
}
