import { effect, type Signal, signal } from "@preact/signals";
import type { KeptByTab } from "../../api/kept-by-tab";
import type { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import { saveBeforeLeaving } from "../../api/unsaved";
import { GridModel } from "../../grid/model";
import type { Column } from "../../grid/table";
import { type SetAside, withMore } from "../../questions/set-aside";
import { isDemo } from "../../session";
import { Answers, type Dispute, withStored } from "./answers";
import { columnsOf, type Field, fieldsOf, LEVELS, type Level, SAMPLE, sampleName } from "./columns";
import type { KeptSheet } from "./kept-texts";
import type { Opened } from "./open";
import { send } from "./send";
import * as state from "./state";
import { withUnits } from "./units";
import { verdictsOf } from "./verdicts";

const SAVE_AFTER_MS = 1200;
const KEEP_AFTER_MS = 250;

export type Saving = "untouched" | "waiting" | "saving" | "saved" | "partly" | "failed";

/** The metadata of a study's samples as a grid that saves itself. */
export class MetadataSheet {
  readonly fields: readonly Field[];
  readonly levels: Signal<ReadonlySet<Level>>;
  readonly grid: Signal<GridModel>;
  readonly impact: Signal<state.Impact | null>;
  readonly saving: Signal<Saving> = signal("untouched");
  readonly savedAt: Signal<Date | null> = signal(null);
  readonly problem: Signal<Problem | null> = signal(null);
  readonly disputes: Signal<readonly Dispute[]> = signal([]);
  /** How many values are not saved before somebody has done something. */
  readonly notSaved: Signal<number> = signal(0);
  /** What was written in columns that are no longer asked. */
  readonly setAside: Signal<readonly SetAside[]> = signal([]);
  readonly #study: state.Study;
  readonly #onSaved: () => void;
  readonly #onOtherForm: () => void;
  readonly #answers: Answers;
  readonly #names: ReadonlyMap<string, string>;
  readonly #fieldOf: ReadonlyMap<string, Field>;
  readonly #store: KeptByTab<KeptSheet>;
  #work: Promise<void> = Promise.resolve();
  #saveTimer = 0;
  #keepTimer = 0;
  #unsubscribe: () => void = () => {};
  readonly #stop = new AbortController();
  readonly #noLongerSaves: () => void;

  constructor({ study, fields, impact, store, kept, onSaved, onOtherForm }: Opened) {
    this.#study = study;
    this.#onSaved = onSaved;
    this.#onOtherForm = onOtherForm;
    this.fields = fields;
    this.#fieldOf = new Map(fields.map((field) => [field.column.key, field]));
    this.#names = new Map(study.samples.map((sample) => [sample.id, sampleName(sample)]));
    this.impact = signal(impact);
    this.levels = signal(new Set(LEVELS));
    this.#store = store;
    this.#answers = new Answers(study.samples, fields);
    for (const one of kept.toReversed()) {
      this.#answers.restore(one);
      this.setAside.value = withMore(this.setAside.value, one.setAside);
    }
    this.grid = signal(this.#makeGrid());
    this.#judge();
    this.#follow();
    if (kept.length > 0) this.#keep();
    if (this.#answers.hasToSend) this.#touched();
    else if (this.notSaved.value > 0) this.saving.value = "partly";
    this.#noLongerSaves = saveBeforeLeaving(() => this.flush());
    addEventListener("pagehide", () => this.#keep(), { signal: this.#stop.signal });
  }

  get shown(): readonly Field[] {
    return this.fields.filter(({ level }) => this.levels.value.has(level));
  }

  /** The units of a column: more than one where samples differ. */
  unitsOf({ column }: Field): readonly string[] {
    return this.#answers.units.inUse(column.key);
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? "";
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
    this.#answers.units.choose(column.key, unit);
    this.#refreshColumns();
    this.#touched();
  }

  /** Show what somebody else has stored meanwhile; what was typed here stays. */
  takeStored({ samples }: state.Study): void {
    const changes = this.#answers.takeStored(samples);
    if (this.#answers.units.takeStored(samples)) this.#refreshColumns();
    this.#count();
    if (changes.length === 0) return;
    const grid = this.grid.value;
    grid.amend((rows) => withStored(rows, grid.columns.value, changes));
    void this.#readImpact().catch((error) => {
      this.problem.value = asProblem(error);
    });
  }

  keepMine(disputes: readonly Dispute[]): void {
    for (const { id, key } of disputes) this.#answers.keepMine(id, key);
    this.#judge();
    this.#touched();
  }

  takeTheirs(disputes: readonly Dispute[]): void {
    const grid = this.grid.value;
    const columns = grid.columns.value.map(({ key }) => key);
    const rows = grid.rows.value.map(({ id }) => id);
    const changes = disputes.map(({ id, key, theirs }) => {
      this.#answers.takeTheirs(id, key);
      return { row: rows.indexOf(id), column: columns.indexOf(key), text: theirs };
    });
    grid.replace(changes.filter(({ column }) => column !== -1));
    this.#judge();
    this.#touched();
  }

  /** Save now, and wait until it is done. */
  async flush(): Promise<void> {
    clearTimeout(this.#saveTimer);
    this.#work = this.#work.then(() => this.#save());
    await this.#work;
  }

  /** Stop, and return when what was typed is saved, or can't be. */
  close(): Promise<void> {
    this.#stop.abort();
    this.#noLongerSaves();
    this.#unsubscribe();
    this.#keep();
    return this.flush();
  }

  #columns(): Column[] {
    const shown = this.shown.map((field) => ({ ...field, column: withUnits(field.column, this.#answers) }));
    return columnsOf(shown, this.impact.value, this.#study.checklistType !== null);
  }

  #makeGrid(): GridModel {
    const columns = this.#columns();
    const rows = this.#study.samples.map(({ id }) => ({
      id,
      cells: columns.map(({ key }) => (key === SAMPLE ? this.nameOf(id) : this.#answers.text(id, key))),
    }));
    return new GridModel(columns, rows, navigator.language);
  }

  /** Listen to the grid: each change of a cell is on its way to the service. */
  #follow(): void {
    const grid = this.grid.value;
    let isFirst = true;
    this.#unsubscribe = effect(() => {
      for (const row of grid.rows.value) this.#answers.take(row, grid.columns.peek());
      if (!isFirst) this.#count();
      const isOpen = this.notSaved.peek() > 0 || ["waiting", "partly"].includes(this.saving.peek());
      if (!isFirst && (isOpen || this.#answers.hasToSend)) this.#touched();
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
    if (isDemo.value) return;
    if (this.#answers.hasToSend) {
      this.saving.value = "saving";
      try {
        if (await send(this.#study.id, this.#answers)) await this.#lookAtForm();
        this.savedAt.value = new Date();
        this.#saved();
        await this.#readImpact();
        this.#onSaved();
      } catch (problem) {
        this.problem.value = asProblem(problem);
        this.saving.value = "failed";
        this.#keep();
      }
    } else if (this.saving.value === "waiting") {
      this.#saved();
      this.#judge();
    }
  }

  /** What stands in columns that are no longer asked is kept beside the sheet, which is then opened anew. */
  async #lookAtForm(): Promise<void> {
    const form = await state.readForm(this.#study.id);
    const asked = new Set(fieldsOf(null, form).map(({ column }) => column.key));
    const gone = this.fields.filter(({ term, column }) => term === null && !asked.has(column.key));
    const texts = gone.map(({ column: { key, label } }) => {
      const filled = this.#study.samples.filter(({ id }) => this.#answers.text(id, key) !== "");
      const lines = filled.map(({ id }) => `${this.nameOf(id)}\t${this.#answers.text(id, key)}`);
      return { label, text: lines.join("\n") };
    });
    this.readNews(
      withMore(
        this.setAside.value,
        texts.filter(({ text }) => text !== ""),
      ),
    );
    if (gone.length > 0) this.#onOtherForm();
  }

  /** These texts of columns that are no longer asked are still kept. */
  readNews(left: readonly SetAside[]): void {
    this.setAside.value = left;
    this.#keep();
  }

  #saved(): void {
    this.#count();
    if (this.#answers.hasToSend) this.saving.value = "waiting";
    else if (this.notSaved.value > 0) this.saving.value = "partly";
    else this.saving.value = this.savedAt.value === null ? "untouched" : "saved";
    this.#keep();
  }

  #count(): void {
    this.disputes.value = this.#answers.disputes();
    this.notSaved.value = this.#answers.waiting;
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
    this.#count();
    this.grid.value.verdicts.value = verdictsOf(
      this.grid.value,
      this.#answers,
      this.impact.value,
      this.#fieldOf,
    );
  }

  #keep(): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = 0;
    const [unsaved, setAside] = [this.#answers.kept(), this.setAside.value];
    if (isDemo.value || (unsaved === null && setAside.length === 0)) this.#store.forget();
    else this.#store.write({ ...(unsaved ?? { texts: {}, bases: {}, units: {} }), setAside });
  }
}
