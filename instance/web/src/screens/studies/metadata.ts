import { effect, type Signal, signal } from "@preact/signals";
import { kept } from "../../api/kept";
import type { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import { saveBeforeLeaving } from "../../api/unsaved";
import { GridModel, type Verdict } from "../../grid/model";
import { isDemo } from "../../session";
import { Answers, isTexts, type Unsaved } from "./answers";
import { columnsOf, type Field, LEVELS, type Level, SAMPLE, sampleName } from "./columns";
import * as state from "./state";

const SAVE_AFTER_MS = 1200;
const KEEP_AFTER_MS = 250;
/** A rule longer than this helps nobody who reads it in a cell. */
const LONGEST_REASON = 90;

export type Saving = "untouched" | "waiting" | "saving" | "saved" | "failed";

/** The metadata of a study's samples as a grid that saves itself. */
export class MetadataSheet {
  readonly fields: readonly Field[];
  readonly levels: Signal<ReadonlySet<Level>>;
  readonly grid: Signal<GridModel>;
  readonly impact: Signal<state.Impact | null>;
  readonly saving: Signal<Saving> = signal("untouched");
  readonly savedAt: Signal<Date | null> = signal(null);
  readonly problem: Signal<Problem | null> = signal(null);
  readonly #study: state.Study;
  readonly #onSaved: () => void;
  readonly #answers: Answers;
  readonly #names: ReadonlyMap<string, string>;
  readonly #fieldOf: ReadonlyMap<string, Field>;
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
    this.#kept = kept(person, `study:${study.id}`, isTexts);
    this.#answers = new Answers(study.samples, fields);
    this.#answers.restore(this.#kept.read()?.value ?? {});
    this.grid = signal(this.#makeGrid());
    this.#judge();
    this.#follow();
    if (this.#answers.hasUnsaved) this.#touched();
    this.#noLongerSaves = saveBeforeLeaving(() => this.flush());
    addEventListener("pagehide", () => this.#keep(), { signal: this.#stop.signal });
  }

  get shown(): readonly Field[] {
    return this.fields.filter(({ level }) => this.levels.value.has(level));
  }

  get units(): ReadonlyMap<string, string> {
    return this.#answers.units.value;
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
    this.#answers.chooseUnit(column.key, unit);
    this.#refreshColumns();
    this.#touched();
  }

  /** Show what somebody else has stored meanwhile; what was typed here stays. */
  takeStored({ samples }: state.Study): void {
    const changes = this.#answers.takeStored(samples);
    if (changes.length === 0) return;
    const grid = this.grid.value;
    const placeOf = new Map(grid.columns.value.map(({ key }, place) => [key, place]));
    const byId = Map.groupBy(changes, ({ id }) => id);
    grid.amend((rows) =>
      rows.map((row) => {
        const cells = [...row.cells];
        for (const { key, before, now } of byId.get(row.id) ?? []) {
          const place = placeOf.get(key);
          if (place !== undefined && cells[place] === before) cells[place] = now;
        }
        return byId.has(row.id) ? { ...row, cells } : row;
      }),
    );
    void this.#readImpact().catch((error) => {
      this.problem.value = asProblem(error);
    });
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

  #columns() {
    const shown = this.shown.map((field) => {
      const unit = this.units.get(field.column.key) ?? field.column.unit;
      return unit === field.column.unit ? field : { ...field, column: { ...field.column, unit } };
    });
    return columnsOf(shown, this.impact.value, this.#study.checklistType !== null);
  }

  #makeGrid(): GridModel {
    const columns = this.#columns();
    const rows = this.#study.samples.map(({ id }) => ({
      id,
      cells: columns.map(({ key }) =>
        key === SAMPLE ? (this.#names.get(id) ?? "") : this.#answers.text(id, key),
      ),
    }));
    return new GridModel(columns, rows, navigator.language);
  }

  /** Listen to the grid: each change of a cell is on its way to the service. */
  #follow(): void {
    const grid = this.grid.value;
    let isFirst = true;
    this.#unsubscribe = effect(() => {
      for (const row of grid.rows.value) this.#answers.take(row, grid.columns.peek());
      if (!isFirst && this.#answers.unsaved().length > 0) this.#touched();
      isFirst = false;
    });
  }

  #touched(): void {
    if (isDemo.value) return;
    this.saving.value = "waiting";
    this.problem.value = null;
    clearTimeout(this.#saveTimer);
    this.#saveTimer = window.setTimeout(() => void this.flush(), SAVE_AFTER_MS);
    this.#keepTimer ||= window.setTimeout(() => this.#keep(), KEEP_AFTER_MS);
  }

  async #save(): Promise<void> {
    if (isDemo.value || !this.#answers.hasUnsaved) return;
    const unsaved = this.#answers.unsaved();
    this.saving.value = "saving";
    try {
      const [sent, units] = [this.#answers.textsOf(unsaved), this.#answers.changedUnits];
      await this.#send(unsaved);
      this.#answers.settle(sent, units);
      this.savedAt.value = new Date();
      this.saving.value = this.#answers.hasUnsaved ? "waiting" : "saved";
      this.#keep();
      await this.#readImpact();
      this.#onSaved();
    } catch (problem) {
      this.problem.value = asProblem(problem);
      this.saving.value = "failed";
      this.#keep();
    }
  }

  /** Send what changed; what is refused is left out the second time, and told in its cells. */
  async #send(unsaved: readonly Unsaved[]): Promise<void> {
    const bodies = this.#answers.bodies(unsaved);
    if (bodies.length === 0) return;
    try {
      await state.saveSamples(this.#study.id, bodies);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status !== 400 || !this.#answers.takeRefusal(problem, bodies)) throw problem;
      await this.#send(unsaved);
    }
  }

  /** Ask how complete the samples are, and say so in the columns and the cells. */
  async #readImpact(): Promise<void> {
    if (this.#study.checklistType !== null) this.impact.value = await state.readImpact(this.#study.id, null);
    this.#refreshColumns();
    this.#judge();
  }

  #refreshColumns(): void {
    this.grid.value.columns.value = this.#columns();
  }

  /** Put what the service says into the cells. */
  #judge(): void {
    const grid = this.grid.value;
    const wrong = new Map(this.impact.value?.samples.map((sample) => [sample.id, sample.wrong]) ?? []);
    const unsaved = new Set(this.#answers.unsaved().map(({ id }) => id));
    const verdicts = grid.rows.value.flatMap((row): [string, Verdict][] => {
      const said = wrong.get(row.id);
      if (said === undefined || unsaved.has(row.id)) return [];
      const problems = new Map(said.map(({ field, reason }) => [field, this.#inWords(field, reason)]));
      for (const { key } of grid.columns.value) {
        const refusal = this.#answers.refusal(row.id, key);
        if (refusal !== undefined) problems.set(key, refusal);
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
    const unsaved = this.#answers.unsaved();
    if (isDemo.value || unsaved.length === 0) this.#kept.forget();
    else this.#kept.write(this.#answers.textsOf(unsaved));
  }
}
