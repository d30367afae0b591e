import { useComputed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { api, given } from "../../api/client";
import { useResource } from "../../api/resource";
import type { Suggest } from "../../grid/choices";
import { Sheet } from "../../grid/sheet";
import { Button } from "../../parts/button";
import { FilterChip } from "../../parts/chip";
import { saveText, toCsv } from "../../parts/csv";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { Menu } from "../../parts/menu";
import { ProblemNotice } from "../../parts/problem";
import { FormChanged } from "../../questions/form-changed";
import { demoRefusal } from "../../session";
import { text } from "../../text/en/studies";
import { ColumnHelp } from "./column-help";
import { LEVELS } from "./columns";
import { Completeness } from "./completeness";
import { Disputes } from "./disputes";
import { EditDialog } from "./edit-dialog";
import type { MetadataSheet } from "./metadata";
import { leaveSheet, type Opening, openSheet } from "./open";
import type { Study, StudyForm } from "./state";

export function MetadataTab(props: Opening) {
  const { study, form } = props;
  const [isChoosing, setChoosing] = useState(false);
  const asks = study.checklistType !== null || form.perSampleFields.some(({ visible }) => visible);
  if (study.samples.length === 0) return <Empty title={text.noSamples}>{text.nothingToFill}</Empty>;
  return (
    <div class="stack">
      {study.checklistType === null && (
        <Empty
          title={text.noChecklistTitle}
          action={
            <Button look="main" refusal={demoRefusal.value} onClick={() => setChoosing(true)}>
              {text.chooseChecklist}
            </Button>
          }
        >
          {text.noChecklistWhy}
        </Empty>
      )}
      {isChoosing && <EditDialog {...props} onClose={() => setChoosing(false)} />}
      {asks && <Opened {...props} />}
    </div>
  );
}

function Opened(props: Opening) {
  const { study, form } = props;
  const { id, checklistType, mixsVersion, samples } = study;
  const rows = samples.map((sample) => sample.id).join();
  const sheet = useResource((signal) => openSheet(props, signal), [id, checklistType, mixsVersion, rows]);
  return <Loaded of={sheet}>{(opened) => <MetadataGrid sheet={opened} study={study} form={form} />}</Loaded>;
}

function MetadataGrid({ sheet, study, form }: { sheet: MetadataSheet; study: Study; form: StudyForm }) {
  useEffect(() => () => leaveSheet(sheet), [sheet]);
  useEffect(() => sheet.takeStored(study), [sheet, study]);
  useEffect(() => void sheet.takeForm(form), [sheet, form]);
  const grid = sheet.grid.value;
  const incomplete = useComputed(() => {
    const open = sheet.impact.value?.samples.filter(
      ({ missing, wrong }) => missing.length + wrong.length > 0,
    );
    return new Set(open?.map(({ id }) => id));
  }).value;
  const terms = sheet.fieldAt(grid.selection.value.focus.column)?.column.terms ?? [];
  const download = (): void => {
    const columns = grid.columns.value.filter(({ shows }) => shows === undefined);
    const places = columns.map((column) => grid.columns.value.indexOf(column));
    const rows = grid.rows.value.map(({ cells }) => places.map((place) => cells[place] ?? ""));
    saveText("metadata.csv", toCsv([columns.map(({ label }) => label), ...rows]), "text/csv");
  };
  const problem = sheet.problem.value;
  return (
    <div class="stack">
      <Completeness sheet={sheet} />
      <FormChanged
        news={sheet.news.value}
        setAside={sheet.setAside.value}
        onRead={(left) => sheet.readNews(left)}
      />
      <Disputes sheet={sheet} />
      {problem && <ProblemNotice problem={problem} onTryAgain={() => void sheet.flush()} />}
      <fieldset class="line study-levels">
        <legend class="unseen">{text.shownColumns}</legend>
        {LEVELS.map((level) => {
          const columns = sheet.fields.value.filter((field) => field.level === level).length;
          return (
            columns > 0 && (
              <FilterChip
                key={level}
                isOn={sheet.levels.value.has(level)}
                onToggle={() => sheet.toggle(level)}
              >
                {text.level(text.levels[level], columns)}
              </FilterChip>
            )
          );
        })}
      </fieldset>
      <Sheet
        label={text.tabs.metadata}
        model={grid}
        suggest={suggest}
        unfinished={{ label: text.incomplete(incomplete.size), rows: incomplete }}
      >
        <Menu
          label={text.noValue}
          groups={[
            {
              label: text.noValueTitle,
              items:
                terms.length === 0
                  ? [{ label: text.takesNoTerm, refusal: text.takesNoTerm }]
                  : terms.map((term) => ({
                      label: term,
                      onChoose: () => grid.fillWith(term, (column) => column.terms?.includes(term) === true),
                    })),
            },
          ]}
        >
          {text.noValue}
        </Menu>
        <Button look="quiet" icon="download" onClick={download}>
          {text.download}
        </Button>
      </Sheet>
      <ColumnHelp sheet={sheet} />
    </div>
  );
}

/** Terms that a column takes instead of a value, and organisms. */
const suggest: Suggest = async (column, typed, signal) => {
  const wanted = typed.trim().toLowerCase();
  const terms = (column.terms ?? [])
    .filter((term) => term.startsWith(wanted) && term !== wanted)
    .map((label) => ({ label, texts: new Map([[column.key, label]]) }));
  if (!column.isTaxon || wanted.length < 2) return terms;
  const { taxa } = await given(api.GET("/api/taxa", { params: { query: { q: typed.trim() } }, signal }));
  const names = taxa.map(({ taxId, scientificName }) => ({
    label: scientificName,
    detail: taxId,
    texts: new Map([[column.key, scientificName]]),
  }));
  return [...names, ...terms];
};
