import "../../style/parts/schema-form.css";
import "../../style/screens/settings.css";
import { useMemo } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useResource } from "../../api/resource";
import { DemoNote } from "../../parts/demo-note";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { Tabs } from "../../parts/tabs";
import { user } from "../../session";
import { settingsText as text } from "../../text/en/settings";
import { ModulesTab } from "./modules-tab";
import { SectionTab } from "./section-tab";
import { settingsDraft } from "./settings-draft";
import { readSettings } from "./state";

const MODULES = "modules";

/** Every setting of the facility with its meaning and its default, and the modules. */
export function Screen() {
  const { path, query } = useLocation();
  const stored = useResource(readSettings, []);
  const draft = useMemo(() => settingsDraft(user.value?.id ?? "", stored), [stored]);
  return (
    <div class="stack">
      <PageHead title={text.title} />
      <DemoNote />
      <Loaded of={stored}>
        {(settings) => {
          const { sections, modules } = settings;
          const section =
            query.section === MODULES
              ? null
              : (sections.find(({ name }) => name === query.section) ?? sections[0]);
          const tabs = sections.map(({ name, label }) => {
            const edited = Object.keys(draft.editsOf(name)).length;
            return {
              id: name as string,
              label,
              href: `${path}?section=${name}`,
              ...(edited > 0 && { count: edited }),
            };
          });
          tabs.push({ id: MODULES, label: text.modules, href: `${path}?section=${MODULES}` });
          return (
            <Tabs label={text.tablist} tabs={tabs} current={section?.name ?? MODULES}>
              {section ? (
                <SectionTab
                  key={section.name}
                  draft={draft}
                  section={section}
                  values={settings.valuesOf(section.name)}
                />
              ) : (
                <ModulesTab modules={modules} />
              )}
            </Tabs>
          );
        }}
      </Loaded>
    </div>
  );
}
