import "../../style/screens/checklists.css";
import { useLocation } from "preact-iso";
import { addressWith } from "../../parts/address";
import { Chip, FilterChip } from "../../parts/chip";
import { Empty } from "../../parts/empty";
import { SearchField } from "../../parts/search-field";
import { checklistText as text } from "../../text/en/checklists";
import { isFieldFound, sections } from "./rules";
import { type Checklist, type Field, LEVELS } from "./state";

/** What a checklist asks for, by section; narrowed by words and by how much it insists. */
export function Fields({ of: { fields } }: { of: Checklist }) {
  const { path, query, route } = useLocation();
  const words = query.q ?? "";
  const level = LEVELS.find((one) => one === query.level);
  const show = (changes: Record<string, string | null>): void =>
    route(addressWith(path, query, changes), true);
  const found = fields.filter(
    (field) => isFieldFound(field, words) && (level === undefined || field.level === level),
  );
  return (
    <div class="stack">
      <search class="stack-tight">
        <SearchField
          name="q"
          label={text.searchFields}
          placeholder={text.searchFieldsHint}
          words={words}
          onSearch={(q) => show({ q })}
        />
        <div class="line">
          {LEVELS.map((one) => (
            <FilterChip
              key={one}
              isOn={level === one}
              onToggle={() => show({ level: level === one ? null : one })}
            >
              {text.levels[one]}
            </FilterChip>
          ))}
          <span class="muted" role="status">
            {text.shownFields(found.length, fields.length)}
          </span>
        </div>
      </search>
      {found.length === 0 && <Empty title={text.noFields} />}
      {sections(found).map((section) => (
        <section key={section.name} class="stack-tight" aria-label={section.name}>
          <h2>{section.name}</h2>
          <ul class="checklist-fields">
            {section.fields.map((field) => (
              <FieldCard key={field.name} of={field} />
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function FieldCard({ of: field }: { of: Field }) {
  const { name, label, type, level, units, options, pattern, helpText, example } = field;
  return (
    <li class="stack-tight">
      <div class="spread">
        <h3>
          {label} <code class="muted">{name}</code>
        </h3>
        <Chip tone={level === "mandatory" ? "wait" : "calm"}>{text.levels[level]}</Chip>
      </div>
      {helpText && <p>{helpText}</p>}
      <dl class="facts">
        <dt>{text.type}</dt>
        <dd>{text.types[type]}</dd>
        {units.length > 0 && (
          <>
            <dt>{text.units}</dt>
            <dd>{units.join(", ")}</dd>
          </>
        )}
        {pattern !== null && (
          <>
            <dt>{text.pattern}</dt>
            <dd class="breaks">
              <code>{pattern}</code>
            </dd>
          </>
        )}
        {example !== null && (
          <>
            <dt>{text.example}</dt>
            <dd class="breaks">{example}</dd>
          </>
        )}
      </dl>
      {options.length > 0 && (
        <details>
          <summary>{text.options(options.length)}</summary>
          <p>{options.join(" · ")}</p>
        </details>
      )}
    </li>
  );
}
