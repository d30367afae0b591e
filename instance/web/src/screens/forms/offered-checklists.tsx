import { useResource } from "../../api/resource";
import { CheckField } from "../../parts/choice-fields";
import { Loaded } from "../../parts/loading";
import { readChecklists } from "../../questions/checklist-field";
import { text } from "../../text/en/forms";
import type { Builder } from "./builder";

/** The metadata checklists that researchers choose from. */
export function OfferedChecklists({ builder }: { builder: Builder }) {
  const checklists = useResource(readChecklists, []);
  const offered = builder.form.value.enabledMixsChecklists;
  const offer = (accession: string, isOn: boolean): void => {
    const rest = offered.filter((one) => one !== accession);
    builder.change({
      ...builder.form.value,
      enabledMixsChecklists: isOn ? [...rest, accession] : rest,
    });
  };
  return (
    <section class="card stack-tight" aria-label={text.checklists}>
      <details>
        <summary>{text.offeredChecklists(offered.length)}</summary>
        <p class="field-help">{text.checklistsHelp}</p>
        <Loaded of={checklists}>
          {(found) =>
            found.map(({ accession, name }) => (
              <CheckField
                key={accession}
                name={`checklists.${accession}`}
                label={`${name} (${accession})`}
                isChecked={offered.includes(accession)}
                onChange={(isOn) => offer(accession, isOn)}
              />
            ))
          }
        </Loaded>
      </details>
    </section>
  );
}
