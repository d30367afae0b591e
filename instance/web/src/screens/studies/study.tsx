import "../../style/screens/studies.css";
import { useLocation, useRoute } from "preact-iso";
import { useLive } from "../../api/live";
import { type Resource, useResource } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { LinkButton } from "../../parts/button";
import { Loaded } from "../../parts/loading";
import { Tabs } from "../../parts/tabs";
import { text } from "../../text/en/studies";
import { StudyHead } from "./head";
import { MetadataTab } from "./metadata-tab";
import { SamplesTab } from "./samples-tab";
import {
  type Checklists,
  type Impact,
  readChecklists,
  readForm,
  readImpact,
  readStudy,
  type Study,
  type StudyForm,
} from "./state";
import { isBehind, isOut } from "./version-impact";
import { VersionTab } from "./version-tab";

export function Screen() {
  const id = useRoute().params.id ?? "";
  const study = useResource((signal) => readStudy(id, signal), [id]);
  const asked = useResource(
    async (signal) => {
      const [form, checklists] = await Promise.all([readForm(id, signal), readChecklists(signal)]);
      return { form, checklists };
    },
    [id],
  );
  useLive([`study:${id}`], () => void study.reload());
  // Both were asked for at once, and are again.
  const both = { ...study, reload: async () => void (await Promise.all([study.reload(), asked.reload()])) };
  return (
    <Loaded of={both} pageTitle={text.study}>
      {(found) => (
        <Loaded of={asked} pageTitle={found.title}>
          {({ form, checklists }) => (
            <StudyPage
              key={found.id}
              study={found}
              form={form}
              checklists={checklists}
              of={study}
              onOtherForm={() => void asked.reload()}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

export interface StudyProps {
  study: Study;
  form: StudyForm;
  checklists: Checklists;
  of: Resource<Study>;
  /** Another form is in force than the one that is here: it is to be read again. */
  onOtherForm: () => void;
}

function StudyPage(props: StudyProps) {
  const { study, checklists } = props;
  const { path, query } = useLocation();
  const mayMove = isBehind(study, checklists);
  const impact = useResource<Impact | null>(
    async (signal) => (mayMove ? await readImpact(study.id, checklists.version, signal) : null),
    [mayMove, study.mixsVersion, study.checklistType, study.updatedAt],
  );
  const addressOf = (tab: string): string => addressWith(path, {}, { tab: tab === "samples" ? null : tab });
  const views = {
    samples: () => <SamplesTab {...props} />,
    metadata: () => <MetadataTab {...props} onSaved={() => void impact.reload()} />,
    version: () => <VersionTab {...props} impact={impact} />,
  };
  const isView = (id: string): id is keyof typeof views => Object.hasOwn(views, id);
  const current = query.tab && isView(query.tab) ? query.tab : "samples";
  const tabs = Object.keys(views)
    .filter(isView)
    .map((id) => ({
      id,
      label: text.tabs[id],
      href: addressOf(id),
      count: id === "samples" ? study.counts.samples : undefined,
    }));
  const coming = impact.data.value;
  return (
    <div class="stack study">
      <StudyHead {...props} />
      {coming !== null && current !== "version" && (
        <div class="notice line spread">
          <p>{isOut(coming)}</p>
          <LinkButton href={addressOf("version")}>{text.see}</LinkButton>
        </div>
      )}
      <Tabs label={text.tablist} tabs={tabs} current={current}>
        {views[current]()}
      </Tabs>
    </div>
  );
}
