import { effect, type Signal, signal } from "@preact/signals";
import { kept } from "../../api/kept";
import type { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import { saveBeforeLeaving } from "../../api/unsaved";
import { valueFor } from "../../grid/form-columns";
import { GridModel, type Verdict } from "../../grid/model";
import type { Row } from "../../grid/table";
import {
  columnsOf,
  type Field,
  LEVELS,
  type Level,
  nameOfField,
  SAMPLE,
  sampleName,
  storedText,
} from "./columns";
import * as state from "./state";

const SAVE_AFTER_MS = 1200;
const KEEP_AFTER_MS = 250;
/** A rule longer than this helps nobody who reads it in a cell. */
const LONGEST_REASON = 90;

export type Saving = "untouched" | "waiting" | "saving" | "saved" | "failed";

/** Texts by the id of a sample, then by the key of a column. */
type Texts = Record<string, Record<string, string>>;

/** The metadata of a study's samples as a grid that saves itself. */
export class MetadataSheet {
  readonly fields: readonly Field[];
  readonly levels: Signal<ReadonlySet<Level>>;
  readonly grid: Signal<GridModel>;
  readonly impact: Signal<state.Impact | null>;
  readonly saving: Signal<Saving> = signal("untouched");
  readonly savedAt: Signal<Date | null> = signal(null);
  readonly problem: Signal<Problem | null> = signal(null);
  readonly units: Signal<ReadonlyMap<string, string>>;
  readonly #study: state.Study;
  readonly #onSaved: () => void;
  readonly #names: ReadonlyMap<string, string>;
  readonly #fieldOf: ReadonlyMap<string, Field>;
  /** What is stored, and what stands in the grid or stood there before its columns were hidden. */
  readonly #stored: Texts = {};
  readonly #now: Texts = {};
  /** What the service refused, with the text it refused. */
  readonly #refused = new Map<string, { text: string; reason: string }>();
  readonly #changedUnits = new Set<string>();
  readonly #kept;
  #work: Promise<void> = Promise.resolve();
  #saveTimer = 0;
  #keepTimer = 0;
  #unsubscribe: () => void = () => {};
  readonly #stop = new AbortController();
  readonly #noLongerSaves: () => void;

  constructor(
    study: state.Study,
    fields: readonly Field[],
    impact: state.Impact,
    person: string,
    onSaved: () => void,
  ) {
    this.#study = study;
    this.#onSaved = onSaved;
    this.fields = fields;
    this.#fieldOf = new Map(fields.map((field) => [field.column.key, field]));
    this.#names = new Map(study.samples.map((sample) => [sample.id, sampleName(sample)]));
    this.impact = signal(impact);
    this.levels = signal(new Set(LEVELS));
    this.units = signal(unitsOf(study, fields));
    this.#kept = kept(person, `study:${study.id}`, isTexts);
    for (const sample of study.samples) this.#store(sample);
    for (const [id, texts] of Object.entries(this.#stored)) this.#now[id] = { ...texts };
    this.#restore();
    this.grid = signal(this.#makeGrid());
    this.#judge();
    this.#follow();
    if (this.#dirty().length > 0) this.#touched();
    this.#noLongerSaves = saveBeforeLeaving(() => this.flush());
    addEventListener("pagehide", () => this.#keep(), { signal: this.#stop.signal });
  }

  get shown(): readonly Field[] {
    return this.fields.filter(({ level }) => this.levels.value.has(level));
  }

  fieldAt(column: number): Field | undefined {
    return this.#fieldOf.get(this.grid.value.columns.value[column]?.key ?? "");
  }

  /** Show or hide the columns of a level; what was typed in them stays. */
  toggle(level: Level): void {
    const next = new Set(this.levels.value);
    if (!next.delete(level)) next.add(level);
    this.levels.value = next;
    this.#unsubscribe();
    this.grid.value = this.#makeGrid();
    this.#judge();
    this.#follow();
  }

  chooseUnit({ column }: Field, unit: string): void {
    this.units.value = new Map([...this.units.value, [column.key, unit]]);
    this.#changedUnits.add(column.key);
    this.#refreshColumns();
    this.#touched();
  }

  /** Save now, and wait until it is done. */
  async flush(): Promise<void> {
    clearTimeout(this.#saveTimer);
    this.#work = this.#work.then(() => this.#save());
    await this.#work;
  }

  close(): void {
    this.#stop.abort();
    this.#noLongerSaves();
    this.#unsubscribe();
    this.#keep();
    void this.flush();
  }

  #store(sample: state.Sample): void {
    this.#stored[sample.id] = Object.fromEntries(
      this.fields.map((field) => [field.column.key, storedText(sample, field)]),
    );
  }

  #columns() {
    const units = this.units.value;
    const shown = this.shown.map((field) => {
      const unit = units.get(field.column.key) ?? field.column.unit;
      return unit === field.column.unit ? field : { ...field, column: { ...field.column, unit } };
    });
    return columnsOf(shown, this.impact.value, this.#study.checklistType !== null);
  }

  #makeGrid(): GridModel {
    const columns = this.#columns();
    const rows = this.#study.samples.map(({ id }) => ({
      id,
      cells: columns.map(({ key }) =>
        key === SAMPLE ? (this.#names.get(id) ?? "") : (this.#now[id]?.[key] ?? ""),
      ),
    }));
    return new GridModel(columns, rows, navigator.language);
  }

  /** Listen to the grid: each change of a cell is on its way to the service. */
  #follow(): void {
    const grid = this.grid.value;
    let isFirst = true;
    this.#unsubscribe = effect(() => {
      for (const row of grid.rows.value) this.#take(grid, row);
      if (!isFirst && this.#dirty().length > 0) this.#touched();
      isFirst = false;
    });
  }

  #take(grid: GridModel, row: Row): void {
    const now = this.#now[row.id];
    if (now === undefined) return;
    for (const [index, { key }] of grid.columns.peek().entries()) {
      if (this.#fieldOf.has(key)) now[key] = row.cells[index] ?? "";
    }
  }

  #touched(): void {
    this.saving.value = "waiting";
    this.problem.value = null;
    clearTimeout(this.#saveTimer);
    this.#saveTimer = window.setTimeout(() => void this.flush(), SAVE_AFTER_MS);
    this.#keepTimer ||= window.setTimeout(() => this.#keep(), KEEP_AFTER_MS);
  }

  /** Samples with what of them is not stored; a text that was refused is not sent again. */
  #dirty(): { id: string; keys: string[] }[] {
    return Object.entries(this.#now).flatMap(([id, texts]) => {
      const keys = Object.keys(texts).filter(
        (key) =>
          texts[key] !== this.#stored[id]?.[key] && this.#refused.get(`${id} ${key}`)?.text !== texts[key],
      );
      return keys.length === 0 ? [] : [{ id, keys }];
    });
  }

  async #save(): Promise<void> {
    const units = [...this.#changedUnits];
    const dirty = this.#dirty();
    if (dirty.length === 0 && units.length === 0) return;
    this.saving.value = "saving";
    try {
      const sent = dirty.map(({ id, keys }) => ({
        id,
        texts: keys.map((key) => [key, this.#text(id, key)] as const),
      }));
      await this.#send(dirty);
      for (const { id, texts } of sent) {
        for (const [key, text] of texts) {
          const stored = this.#stored[id];
          if (stored !== undefined && !this.#refused.has(`${id} ${key}`)) stored[key] = text;
        }
      }
      for (const key of units) this.#changedUnits.delete(key);
      if (this.#study.checklistType !== null)
        this.impact.value = await state.readImpact(this.#study.id, null);
      this.savedAt.value = new Date();
      this.saving.value = this.#dirty().length > 0 ? "waiting" : "saved";
      this.#keep();
      this.#refreshColumns();
      this.#judge();
      this.#onSaved();
    } catch (problem) {
      this.problem.value = asProblem(problem);
      this.saving.value = "failed";
      this.#keep();
    }
  }

  /** Send what changed; what is refused is left out the second time, and told in its cells. */
  async #send(dirty: readonly { id: string; keys: readonly string[] }[]): Promise<void> {
    const byId = new Map(dirty.map(({ id, keys }) => [id, keys]));
    const withUnits = this.#changedUnits.size > 0 ? Object.keys(this.#now) : [];
    const bodies = [...new Set([...byId.keys(), ...withUnits])]
      .map((id) => this.#body(id, byId.get(id) ?? []))
      .filter((body) => body !== null);
    if (bodies.length === 0) return;
    try {
      await state.saveSamples(this.#study.id, bodies);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status !== 400 || !this.#takeRefusal(problem, bodies)) throw problem;
      await this.#send(dirty);
    }
  }

  #body(id: string, keys: readonly string[]): state.SampleBody | null {
    const checklistData: Record<string, unknown> = {};
    const checklistUnits: Record<string, unknown> = {};
    const customFields: Record<string, unknown> = {};
    for (const key of keys) {
      const field = this.#fieldOf.get(key);
      const text = this.#text(id, key);
      if (field === undefined || this.#refused.get(`${id} ${key}`)?.text === text) continue;
      if (field.term === null) customFields[nameOfField(field)] = valueFor(field.column.kind, text);
      else checklistData[key] = text === "" ? null : text;
    }
    for (const [key, unit] of this.units.value) {
      if (!keys.includes(key) && !this.#changedUnits.has(key)) continue;
      const text = this.#text(id, key);
      const isTerm = this.#fieldOf.get(key)?.column.terms?.includes(text) === true;
      checklistUnits[key] = text === "" || isTerm ? null : unit;
    }
    const parts = Object.entries({ checklistData, checklistUnits, customFields }).filter(
      ([, part]) => Object.keys(part).length > 0,
    );
    return parts.length === 0 ? null : { id, ...Object.fromEntries(parts) };
  }

  #text(id: string, key: string): string {
    return this.#now[id]?.[key] ?? "";
  }

  #takeRefusal({ details }: Problem, bodies: readonly state.SampleBody[]): boolean {
    let isFound = false;
    for (const { path, reason } of details) {
      const match = /^samples\[(\d+)\]\.(checklistData|customFields)\.(.+)$/.exec(path ?? "");
      const id = bodies[Number(match?.[1])]?.id;
      const field = this.fields.find(
        (one) => nameOfField(one) === match?.[3] && (one.term === null) === (match[2] === "customFields"),
      );
      if (id === undefined || field === undefined) continue;
      const { key } = field.column;
      this.#refused.set(`${id} ${key}`, { text: this.#text(id, key), reason });
      isFound = true;
    }
    return isFound;
  }

  #refreshColumns(): void {
    this.grid.value.columns.value = this.#columns();
  }

  /** Put what the service says into the cells. */
  #judge(): void {
    const grid = this.grid.value;
    const wrong = new Map(this.impact.value?.samples.map((sample) => [sample.id, sample.wrong]) ?? []);
    const dirty = new Set(this.#dirty().map(({ id }) => id));
    const verdicts = grid.rows.value.flatMap((row): [string, Verdict][] => {
      const said = wrong.get(row.id);
      if (said === undefined || dirty.has(row.id)) return [];
      const problems = new Map(said.map(({ field, reason }) => [field, this.#inWords(field, reason)]));
      for (const { key } of grid.columns.value) {
        const refused = this.#refused.get(`${row.id} ${key}`);
        if (refused?.text === this.#text(row.id, key)) problems.set(key, refused.reason);
      }
      return [[row.id, { row, problems }]];
    });
    grid.verdicts.value = new Map(verdicts);
  }

  /** The service quotes the whole rule; a long one is no sentence, and what the term asks says it better. */
  #inWords(key: string, reason: string): string {
    const { patternMessage, help } = this.#fieldOf.get(key)?.column ?? {};
    return reason.length <= LONGEST_REASON ? reason : [`${patternMessage}.`, help].filter(Boolean).join(" ");
  }

  #keep(): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = 0;
    const dirty = this.#dirty();
    if (dirty.length === 0) this.#kept.forget();
    else {
      this.#kept.write(
        Object.fromEntries(
          dirty.map(({ id, keys }) => [
            id,
            Object.fromEntries(keys.map((key) => [key, this.#text(id, key)])),
          ]),
        ),
      );
    }
  }

  #restore(): void {
    for (const [id, texts] of Object.entries(this.#kept.read()?.value ?? {})) {
      const now = this.#now[id];
      if (now === undefined) continue;
      for (const [key, text] of Object.entries(texts)) if (this.#fieldOf.has(key)) now[key] = text;
    }
  }
}

function isTexts(value: unknown): value is Texts {
  const isMap = (one: unknown): one is object =>
    typeof one === "object" && one !== null && !Array.isArray(one);
  return (
    isMap(value) &&
    Object.values(value).every(
      (texts) => isMap(texts) && Object.values(texts).every((text) => typeof text === "string"),
    )
  );
}

/** The unit of each column that has one: what the samples say, else the first that the term offers. */
function unitsOf(study: state.Study, fields: readonly Field[]): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap(({ column, units }) => {
      const said = study.samples.map(({ checklistUnits }) => checklistUnits[column.key]);
      const unit = said.find((one) => typeof one === "string") ?? units[0];
      return unit === undefined ? [] : [[column.key, String(unit)]];
    }),
  );
}
