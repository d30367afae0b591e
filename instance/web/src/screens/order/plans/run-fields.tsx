import { useResource } from "../../../api/resource";
import { SelectField, SuggestField, TextArea, TextField } from "../../../parts/field";
import { runText as text } from "../../../text/en/plans";
import { PARAMETERS, pathOf, type RunValues, SET } from "./run-values";
import { type Format, readBarcodeSets, readInstruments } from "./state";

interface Props {
  values: RunValues;
  errors: ReadonlyMap<string, string>;
  /** The sample sheet that this run most likely needs: its parameters are open. */
  format: Format;
  onChange: (path: string, value: string) => void;
}

const FORMATS = ["minknow", "illumina"] as const;

export function RunFields({ values, errors, format, onChange }: Props) {
  const sets = useResource(readBarcodeSets, []).data.value ?? [];
  const instruments = useResource(readInstruments, []).data.value ?? [];
  const field = (path: string) => ({
    name: path,
    label: text.labels[path] ?? path,
    help: text.help[path],
    error: errors.get(path),
    value: values[path] ?? "",
    onInput: (value: string) => onChange(path, value),
  });
  return (
    <>
      <div class="plan-fields">
        <TextField {...field("runId")} required isCode maxLength={255} />
        <TextField {...field("runName")} maxLength={255} />
        <SuggestField {...field("instrument")} suggestions={instruments} />
        <TextField {...field("runDate")} type="date" />
      </div>
      <SelectField
        {...field(SET)}
        none={text.ofKit}
        choices={sets
          .filter(({ barcodes }) => barcodes.length > 0)
          .map(({ id, name, scheme }) => ({ value: id, label: `${name} (${scheme})` }))}
      />
      {FORMATS.map((each) => (
        <details key={each} open={each === format || hasAny(each, values)}>
          <summary>{text.sheets[each]}</summary>
          <div class="plan-fields">
            {PARAMETERS[each].map((name) => {
              const shared = field(pathOf(name));
              if (name === "kit") {
                const kits = [...new Set(sets.flatMap(({ kits: codes }) => codes))];
                return <SuggestField key={name} {...shared} suggestions={kits} />;
              }
              if (name === "IndexOrientation") {
                const choices = Object.entries(text.orientations).map(([value, label]) => ({ value, label }));
                return <SelectField key={name} {...shared} none={text.asWritten} choices={choices} />;
              }
              return <TextField key={name} {...shared} isCode maxLength={255} />;
            })}
          </div>
        </details>
      ))}
      <details>
        <summary>{text.details}</summary>
        <div class="stack">
          <TextField {...field("platform")} maxLength={255} />
          <TextField {...field("folderPath")} isCode />
          <TextArea {...field("notes")} rows={3} />
        </div>
      </details>
    </>
  );
}

const hasAny = (format: Format, values: RunValues): boolean =>
  PARAMETERS[format].some((name) => (values[pathOf(name)] ?? "") !== "");
