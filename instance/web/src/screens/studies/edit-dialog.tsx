import { useRef, useState } from "preact/hooks";
import { asProblem } from "../../api/resource";
import { Button } from "../../parts/button";
import { FormDialog, STAYS_OPEN } from "../../parts/form-dialog";
import { FormChanged } from "../../questions/form-changed";
import { text } from "../../text/en/studies";
import { useCurrentForm } from "./current-form";
import { DetailFields, type Details, detailsOf, labelsOf } from "./details";
import type { DialogProps } from "./head";
import { changesOf, conflictsOf, mergeDetails, readAnswer, withAnswer } from "./merge";
import { metadataOf } from "./questions";
import { readStudy, type Study, saveStudy } from "./state";

/** What a study says of itself. What somebody else changed meanwhile is taken over, or shown beside one's own. */
export function EditDialog({ study, form, checklists, of, onOtherForm, onClose }: DialogProps) {
  const [base, setBase] = useState(study);
  const [details, setDetails] = useState(() => detailsOf(study));
  const newest = useRef(details);
  newest.current = details;
  const asked = useCurrentForm(form, study.id);
  const [theirs, setTheirs] = useState<readonly string[]>([]);
  async function store(from: Study, wanted: Details): Promise<unknown> {
    // Somebody looks at what is asked now before it is saved.
    if (await asked.hasChanged(() => newest.current.metadata)) {
      setDetails((now) => ({ ...now, metadata: asked.fitting(now.metadata) }));
      onOtherForm();
      return STAYS_OPEN;
    }
    try {
      const metadata = metadataOf(asked.form.value, wanted.metadata);
      return of.put(await saveStudy(from, { ...wanted, metadata }));
    } catch (error) {
      if (asProblem(error).status !== 409) throw error;
      const now = await readStudy(from.id);
      if (now.updatedAt === from.updatedAt) throw error;
      const merged = mergeDetails(detailsOf(from), wanted, detailsOf(now));
      const both = conflictsOf(detailsOf(from), wanted, detailsOf(now));
      if (both.length === 0) return store(now, merged);
      setBase(now);
      setDetails(merged);
      setTheirs(both);
      throw error;
    }
  }
  const labels = labelsOf(asked.form.value);
  const stored = detailsOf(base);
  const open = theirs.filter((path) => readAnswer(details, path) !== readAnswer(stored, path));
  return (
    <FormDialog
      title={text.editTitle}
      verb={text.save}
      labels={labels}
      isWide
      losesSomething={changesOf(details, stored).length > 0 || asked.setAside.value.length > 0}
      onSubmit={() => store(base, details)}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <FormChanged news={asked.news.value} setAside={asked.setAside.value} onRead={asked.read} />
          {open.length > 0 && (
            <div class="notice">
              <p>{text.staleHelp}</p>
              <ul class="stack-tight">
                {open.map((path) => {
                  const label = labels[path] ?? path;
                  return (
                    <li key={path} class="line">
                      <span>{text.theirs(label, readAnswer(stored, path))}</span>
                      <Button onClick={() => setDetails(withAnswer(details, stored, path))}>
                        {text.useTheirs(label)}
                      </Button>
                    </li>
                  );
                })}
              </ul>
            </div>
          )}
          <DetailFields
            form={asked.form.value}
            checklists={checklists}
            details={details}
            errors={errors}
            onChange={setDetails}
          />
        </>
      )}
    </FormDialog>
  );
}
