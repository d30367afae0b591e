import { useAction, useList } from "../../api/resource";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { Loaded } from "../../parts/loading";
import { ProblemNotice } from "../../parts/problem";
import { demoRefusal, readBoot } from "../../session";
import { settingsText as text } from "../../text/en/settings";
import { type Module, type Modules, readModules, saveModules } from "./state";

type Change = Parameters<typeof saveModules>[0];

/** What can be switched on and off. A switch names one module, so that nobody's other one is touched. */
export function ModulesTab({ modules }: { modules: readonly Module[] }) {
  const stored = useList(readModules, []);
  const switching = useAction(async (change: Change) => {
    stored.put(await saveModules(change));
    await readBoot();
  });
  const problem = switching.problem.value;
  const put = (change: Change): void => void switching.run(change);
  return (
    <div class="stack">
      <p>{text.modulesWhy}</p>
      {problem && <ProblemNotice problem={problem} />}
      <Loaded of={stored}>
        {(now) => (
          <>
            {now.globalDisabled && <p class="notice notice-wait">{text.allOff}</p>}
            <ul class="stack-tight" aria-label={text.modules}>
              {modules.map((module) => (
                <ModuleCard
                  key={module.id}
                  module={module}
                  now={now}
                  isBusy={switching.isRunning.value}
                  onSwitch={(isOn) => put({ modules: { [module.id]: isOn } })}
                />
              ))}
            </ul>
            <p>
              <Button
                refusal={demoRefusal.value}
                isBusy={switching.isRunning.value}
                onClick={() => put({ globalDisabled: !now.globalDisabled })}
              >
                {now.globalDisabled ? text.switchAllOn : text.switchAllOff}
              </Button>
            </p>
          </>
        )}
      </Loaded>
    </div>
  );
}

interface CardProps {
  module: Module;
  now: Modules;
  isBusy: boolean;
  onSwitch: (isOn: boolean) => void;
}

function ModuleCard({ module, now, isBusy, onSwitch }: CardProps) {
  const { id, label, meaning, whenOff } = module;
  const isOn = now.modules[id];
  const isChanged = isOn !== module.default;
  return (
    <li class="card stack-tight" data-changed={isChanged || undefined}>
      <div class="module-head">
        <div class="line">
          <h2>{label}</h2>
          <Chip tone={isOn && !now.globalDisabled ? "ok" : "calm"}>{isOn ? text.isOn : text.isOff}</Chip>
        </div>
        <Button
          label={isOn ? text.switchOffOf(label) : text.switchOnOf(label)}
          refusal={demoRefusal.value}
          isBusy={isBusy}
          onClick={() => onSwitch(!isOn)}
        >
          {isOn ? text.switchOff : text.switchOn}
        </Button>
      </div>
      <p>{meaning}</p>
      <p class="muted">
        {text.whenOff(whenOff)} {isChanged && text.byDefault(module.default)}
      </p>
    </li>
  );
}
