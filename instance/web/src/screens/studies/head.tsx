import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { StartButton } from "../../analyses/start-button";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { DemoNote } from "../../parts/demo-note";
import { Menu } from "../../parts/menu";
import { PageHead } from "../../parts/page-head";
import { ProblemNotice } from "../../parts/problem";
import { demoRefusal, hasModule, isAdmin } from "../../session";
import { text } from "../../text/en/studies";
import { EditDialog } from "./edit-dialog";
import { deleteStudy, nameOf, readStudy, saveStudy } from "./state";
import { StateChip } from "./state-chip";
import type { StudyProps } from "./study";

export function StudyHead(props: StudyProps) {
  const { study, checklists, of } = props;
  const [asked, setAsked] = useState<"edit" | "delete" | null>(null);
  const mark = useAction(async () => {
    const now = await readStudy(study.id);
    of.put(await saveStudy(now, { readyForSubmission: !now.readyForSubmission }));
  });
  const problem = mark.problem.value;
  const facts = [
    isAdmin.value && `${study.user.firstName} ${study.user.lastName}`,
    study.checklistType === null
      ? text.noChecklist
      : `${nameOf(checklists, study.checklistType)}, ${text.checklistVersion(study.mixsVersion)}`,
    text.countSamples(study.counts.samples),
    study.studyAccessionId && text.accession(study.studyAccessionId),
  ].filter(Boolean);
  const { route } = useLocation();
  const items = [
    ...(isAdmin.value
      ? [
          {
            label: text.ownForm,
            onChoose: () => route(`/facility/forms?study=${study.id}`),
            refusal: hasModule("dynamic-studies") ? null : text.ownFormOff,
          },
        ]
      : []),
    {
      label: study.readyForSubmission ? text.markOpen : text.markReady,
      onChoose: () => void mark.run(),
      refusal: demoRefusal.value ?? (study.submitted ? text.submitted : null),
    },
    {
      label: text.remove,
      icon: "trash" as const,
      onChoose: () => setAsked("delete"),
      refusal: demoRefusal.value,
    },
  ];
  return (
    <>
      <PageHead
        title={study.title}
        help="metadata"
        crumbs={[{ label: text.studies, href: "/studies" }]}
        here={study.alias ?? undefined}
        aside={<StateChip study={study} />}
        facts={facts}
        actions={
          <>
            {isAdmin.value && study.counts.samples > 0 && (
              <StartButton look="plain" target={{ kind: "study", id: study.id, name: study.title }} />
            )}
            <Button icon="edit" refusal={demoRefusal.value} onClick={() => setAsked("edit")}>
              {text.edit}
            </Button>
            <Menu label={text.menu} icon="more" align="end" groups={[{ items }]} />
          </>
        }
      />
      {study.description && <p class="reading">{study.description}</p>}
      <DemoNote />
      {problem && <ProblemNotice problem={problem} />}
      {asked === "edit" && <EditDialog {...props} onClose={() => setAsked(null)} />}
      {asked === "delete" && <DeleteDialog {...props} onClose={() => setAsked(null)} />}
    </>
  );
}

export type DialogProps = StudyProps & { onClose: () => void };

function DeleteDialog({ study, onClose }: DialogProps) {
  const { route } = useLocation();
  return (
    <ConfirmDialog
      title={text.removeTitle(study.title)}
      verb={text.remove}
      typedName={study.alias ?? study.title}
      isDanger
      onConfirm={async () => {
        await deleteStudy(study.id);
        route("/studies");
      }}
      onClose={onClose}
    >
      {text.removeWhat}
    </ConfirmDialog>
  );
}
