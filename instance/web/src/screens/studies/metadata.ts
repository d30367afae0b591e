import { batch, computed, effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { KeptByTab } from "../../api/kept-by-tab";
import type { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import { saveBeforeLeaving } from "../../api/unsaved";
import { GridModel } from "../../grid/model";
import type { Column } from "../../grid/table";
import { type FormNews, newsOf, type SetAside, withMore } from "../../questions/set-aside";
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
  readonly fields: Signal<readonly Field[]>;
  readonly levels: Signal<ReadonlySet<Level>>;
  readonly grid: Signal<GridModel>;
  readonly impact: Signal<state.Impact | null>;
  readonly saving: Signal<Saving> = signal("untouched");
  readonly savedAt: Signal<Date | null> = signal(null);
  readonly problem: Signal<Problem | null> = signal(null);
  readonly disputes: Signal<readonly Dispute[]> = signal([]);
  /** How many values are not saved before somebody has done something. */
  readonly notSaved: Signal<number> = signal(0);
  /** What a change of the form brought while the sheet was open; null when there was none. */
  readonly news: Signal<FormNews | null> = signal(null);
  /** What was written in columns that are no longer asked. */
  readonly setAside: Signal<readonly SetAside[]> = signal([]);
  #study: state.Study;
  #form: state.StudyForm;
  readonly #onSaved: () => void;
  readonly #onOtherForm: () => void;
  readonly #answers: Answers;
  readonly #names: ReadonlyMap<string, string>;
  readonly #fieldOf: ReadonlySignal<ReadonlyMap<string, Field>>;
  readonly #store: KeptByTab<KeptSheet>;
  #work: Promise<void> = Promise.resolve();
  #saveTimer = 0;
  #keepTimer = 0;
  #isLeaving = false;
  #unsubscribe: () => void = () => {};
  readonly #stop = new AbortController();
  readonly #noLongerSaves: () => void;

  constructor({ study, form, fields, impact, store, kept, onSaved, onOtherForm }: Opened) {
    this.#study = study;
    this.#form = form;
    this.#onSaved = onSaved;
    this.#onOtherForm = onOtherForm;
    this.fields = signal(fields);
    this.#fieldOf = computed(() => new Map(this.fields.value.map((field) => [field.column.key, field])));
    this.#names = new Map(study.samples.map((sample) => [sample.id, sampleName(sample)]));
    this.impact = signal(impact);
    this.levels = signal(new Set(LEVELS));
    this.#store = store;
    this.#answers = new Answers(study.samples, fields);
    for (const one of kept.toReversed()) {
      this.#answers.restore(one);
      const gone = Object.entries(one.labels).filter(([key]) => !this.#fieldOf.value.has(key));
      this.#putAside([
        ...one.setAside,
        ...gone.flatMap(([key, label]) => this.#linesOf(label, (id) => one.texts[id]?.[key] ?? "")),
      ]);
    }
    this.grid = signal(this.#makeGrid());
    this.#judge();
    this.#follow();
    if (kept.length > 0) this.#keep();
    if (this.#answers.hasToSend) this.#touched();
    else if (this.notSaved.value > 0) this.saving.value = "partly";
    this.#noLongerSaves = saveBeforeLeaving(() => this.flush());
    const { signal: stop } = this.#stop;
    const leave = (isLeaving: boolean): void => {
      this.#isLeaving = isLeaving;
      this.#keep();
    };
    addEventListener("pagehide", () => leave(true), { signal: stop });
    addEventListener("pageshow", () => leave(false), { signal: stop });
  }

  get shown(): readonly Field[] {
    return this.fields.value.filter(({ level }) => this.levels.value.has(level));
  }

  /** The units of a column: more than one where samples differ. */
  unitsOf({ column }: Field): readonly string[] {
    return this.#answers.units.inUse(column.key);
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? "";
  }

  fieldAt(column: number): Field | undefined {
    return this.#fieldOf.value.get(this.grid.value.columns.value[column]?.key ?? "");
  }

  /** Show or hide the columns of a level; what was typed in them stays. */
  toggle(level: Level): void {
    const next = new Set(this.levels.value);
    if (!next.delete(level)) next.add(level);
    this.levels.value = next;
    this.#remake();
  }

  chooseUnit({ column }: Field, unit: string): void {
    this.#answers.units.choose(column.key, unit);
    this.#refreshColumns();
    this.#touched();
  }

  /** Show what somebody else has stored meanwhile; what was typed here stays. */
  takeStored(study: state.Study): void {
    const { samples } = study;
    this.#study = study;
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

  /**
   * Go on by a form; what stands in columns that it does not ask is kept beside the sheet. False when it can't yet.
   * Decision: G1120.
   */
  takeForm(form: state.StudyForm): boolean {
    if (JSON.stringify(form.perSampleFields) === JSON.stringify(this.#form.perSampleFields)) return true;
    // What stands in an open cell belongs to no row yet.
    if (document.querySelector(".grid-editor :focus") !== null) return false;
    const terms = this.fields.value.filter(({ term }) => term !== null);
    const [before, now] = [columnsOfForm(this.#form), columnsOfForm(form)];
    const { selection } = this.grid.value;
    batch(() => {
      const gone = [...before.values()].filter(({ key }) => !now.has(key));
      this.#putAside(
        gone.flatMap(({ key, label }) => this.#linesOf(label, (id) => this.#answers.text(id, key))),
      );
      this.news.value = newsOf(before, now, this.news.value);
      this.#form = form;
      this.fields.value = [...terms, ...fieldsOf(null, form)];
      this.#answers.ask(this.fields.value, this.#study.samples);
      this.#remake();
      this.grid.value.select(selection.value);
    });
    this.#touched();
    return true;
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

  #remake(): void {
    this.#unsubscribe();
    this.grid.value = this.#makeGrid();
    this.#judge();
    this.#follow();
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
    if (isDemo.value || this.#stop.signal.aborted) return;
    this.saving.value = "waiting";
    this.problem.value = null;
    clearTimeout(this.#saveTimer);
    this.#saveTimer = window.setTimeout(() => void this.flush(), SAVE_AFTER_MS);
    // WHY: what an open cell gives when the page goes away has no later moment.
    if (this.#isLeaving) this.#keep();
    this.#keepTimer ||= window.setTimeout(() => this.#keep(), KEEP_AFTER_MS);
  }

  async #save(): Promise<void> {
    if (isDemo.value) return;
    if (this.#answers.hasToSend) {
      try {
        if (!(await this.#lookAtForm())) return this.#touched();
        this.saving.value = "saving";
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

  /** Go on by the form in force, and say so where it is another one. */
  async #lookAtForm(): Promise<boolean> {
    const [before, form] = [this.#form, await state.readForm(this.#study.id)];
    const isTaken = this.takeForm(form);
    if (this.#form !== before) this.#onOtherForm();
    return isTaken;
  }

  get #labels(): Record<string, string> {
    return Object.fromEntries(this.fields.value.map(({ column: { key, label } }) => [key, label]));
  }

  #putAside(more: readonly SetAside[]): void {
    this.setAside.value = withMore(this.setAside.value, more);
  }

  /** What stands in a column: a line for each sample that has something there. */
  #linesOf(label: string, textOf: (id: string) => string): SetAside[] {
    const filled = [...this.#names].filter(([id]) => textOf(id) !== "");
    const lines = filled.map(([id, name]) => `${name}\t${textOf(id)}`);
    return lines.length === 0 ? [] : [{ label, text: lines.join("\n") }];
  }

  /** Somebody has read what is new; these texts of columns that are no longer asked are still kept. */
  readNews(left: readonly SetAside[]): void {
    this.news.value = null;
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
      this.#fieldOf.value,
    );
  }

  #keep(): void {
    clearTimeout(this.#keepTimer);
    this.#keepTimer = 0;
    const [unsaved, setAside] = [this.#answers.kept(), this.setAside.value];
    if (isDemo.value || (unsaved === null && setAside.length === 0)) this.#store.forget();
    else
      this.#store.write({
        ...(unsaved ?? { texts: {}, bases: {}, units: {} }),
        labels: this.#labels,
        setAside,
      });
  }
}

function columnsOfForm(form: state.StudyForm): ReadonlyMap<string, Column> {
  return new Map(fieldsOf(null, form).map(({ column }) => [column.key, column]));
}
