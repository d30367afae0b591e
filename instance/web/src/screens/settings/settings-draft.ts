import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { kept } from "../../api/kept";
import { asProblem, type Resource } from "../../api/resource";
import {
  afterMySave,
  afterTheirSave,
  changesOf,
  disputed,
  type Edits,
  isKept,
  keepable,
  keptMine,
  stillOpen,
  takenTheirs,
  withEdit,
} from "./edits";
import {
  type Section,
  type SectionName,
  type Setting,
  type Settings,
  saveSection,
  type Values,
} from "./state";

/** Somebody may save in between more than once; nobody does so for ever. */
const MOST_TRIES = 5;

const NONE: Edits = {};

/** The service takes it for older than everything. */
const UNKNOWN = '"unknown"';

/** The settings as they are stored, and what was changed here; nothing of either is lost to the other. */
export interface SettingsDraft {
  readonly stored: Resource<Settings>;
  readonly edits: ReadonlySignal<Readonly<Record<string, Edits>>>;
  editsOf(section: SectionName): Edits;
  disputesOf(section: Section): Setting[];
  change(section: Section, setting: Setting, mine: unknown): void;
  keepMine(section: Section, settings: readonly Setting[]): void;
  takeTheirs(section: Section, settings: readonly Setting[]): void;
  drop(section: Section): void;
  /** Answers whether it is saved; if not, there are disputes to decide first. Raises `Problem` for a refusal. */
  save(section: Section): Promise<boolean>;
}

export function settingsDraft(person: string, stored: Resource<Settings>): SettingsDraft {
  const store = kept(person, "settings", isKept);
  const all = signal<Readonly<Record<string, Edits>>>(store.read()?.value ?? {});

  // What somebody else has stored meanwhile, word for word, is no change any more.
  const edits = computed(() => {
    const settings = stored.data.value;
    if (settings === null) return all.value;
    const open = settings.sections.map(({ name, settings: of }) => [
      name,
      stillOpen(of, settings.valuesOf(name), all.value[name] ?? NONE),
    ]);
    return Object.fromEntries(open) as Record<string, Edits>;
  });

  const editsOf = (section: SectionName): Edits => edits.value[section] ?? NONE;
  const valuesOf = (section: SectionName) => stored.data.value?.valuesOf(section) ?? {};

  function put({ name }: Section, next: Edits): void {
    all.value = { ...edits.value, [name]: next };
    const sections = stored.data.value?.sections ?? [];
    const safe = sections.map(
      (one) => [one.name, keepable(one.settings, all.value[one.name] ?? NONE)] as const,
    );
    const left = safe.filter(([, of]) => Object.keys(of).length > 0);
    if (left.length === 0) store.forget();
    else store.write(Object.fromEntries(left));
  }

  const disputesOf = (section: Section): Setting[] =>
    disputed(section.settings, valuesOf(section.name), editsOf(section.name));

  /** Show what is stored now; which state that is, another read says. Decision: G1081. */
  function take(section: Section, saved: Values, sent: Edits): void {
    const before = stored.data.value;
    batch(() => {
      if (before !== null) {
        const valuesOf = (name: SectionName) => (name === section.name ? saved : before.valuesOf(name));
        stored.put({ ...before, valuesOf });
      }
      put(section, afterMySave(section.settings, saved, sent, editsOf(section.name)));
    });
  }

  async function save(section: Section): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      if (disputesOf(section).length > 0) return false;
      const sent = editsOf(section.name);
      const body = changesOf(section.settings, valuesOf(section.name), sent);
      let saved: Values;
      try {
        saved = await saveSection(section.name, body, stored.data.value?.state || UNKNOWN);
      } catch (error) {
        const problem = asProblem(error);
        if (problem.status !== 409 || tries === MOST_TRIES) throw problem;
        await stored.reload();
        put(section, afterTheirSave(section.settings, editsOf(section.name)));
        continue;
      }
      take(section, saved, sent);
      await stored.reload();
      return true;
    }
  }

  return {
    stored,
    edits,
    editsOf,
    disputesOf,
    change: (section, setting, mine) =>
      put(section, withEdit(setting, valuesOf(section.name), editsOf(section.name), mine)),
    keepMine: (section, settings) =>
      put(section, keptMine(settings, valuesOf(section.name), editsOf(section.name))),
    takeTheirs: (section, settings) => put(section, takenTheirs(settings, editsOf(section.name))),
    drop: (section) => put(section, NONE),
    save,
  };
}
