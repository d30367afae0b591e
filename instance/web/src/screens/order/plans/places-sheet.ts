import { effect, type Signal, signal } from "@preact/signals";
import { type Kept, kept } from "../../../api/kept";
import type { Problem } from "../../../api/problem";
import { asProblem } from "../../../api/resource";
import { GridModel } from "../../../grid/model";
import type { Row } from "../../../grid/table";
import { isDemo, user } from "../../../session";
import type { Sample } from "../state";
import { Checking } from "./checking";
import * as places from "./places";
import { type BarcodeSet, type Format, type Places, type Run, readPlaces, savePlaces } from "./state";
import { whoChanged } from "./who";

/** What was changed and not saved, with the version of the run that it was typed over. */
interface KeptChanges {
  readonly base: string;
  readonly changes: readonly places.CellChange[];
}

const isKept = (value: unknown): value is KeptChanges =>
  typeof value === "object" &&
  value !== null &&
  "base" in value &&
  "changes" in value &&
  Array.isArray(value.changes);

/** The places of samples in a run as a grid that is saved by a button, all or nothing. */
export class PlacesSheet {
  readonly grid: GridModel;
  readonly checking: Checking;
  readonly set: BarcodeSet | null;
  readonly changes: Signal<readonly places.CellChange[]> = signal([]);
  readonly disputes: Signal<readonly places.Dispute[]> = signal([]);
  /** Who changed the run meanwhile, and when. */
  readonly told: Signal<string> = signal("");
  readonly problem: Signal<Problem | null> = signal(null);
  readonly isSaving: Signal<boolean> = signal(false);
  readonly isSaved: Signal<boolean> = signal(false);
  readonly stored: Signal<Places>;
  readonly #run: Run;
  readonly #names: ReadonlyMap<string, string>;
  readonly #store: Kept<KeptChanges>;
  readonly #unsubscribe: () => void;

  constructor(run: Run, samples: readonly Sample[], stored: Places, set: BarcodeSet | null, format: Format) {
    this.#run = run;
    this.set = set;
    this.stored = signal(stored);
    this.#names = new Map(samples.map((sample) => [sample.id, places.sampleName(sample)]));
    this.#store = kept(user.value?.id ?? "", `plan:${run.id}`, isKept);
    const columns = places.columnsOf(format, stored.assignments, (row) => this.checking.wordsOf(row.id));
    const mine = this.#store.read()?.value;
    const cells = places.cellsOf(stored);
    // What was kept lies over what is stored now: a save tells of nothing that was read before.
    const begun = mine === undefined ? cells : places.withChanges(cells, mine.changes);
    this.grid = new GridModel(columns, places.rowsOf(samples, columns, begun), navigator.language);
    this.checking = new Checking(run, this.grid);
    this.#unsubscribe = effect(() => this.#follow());
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? "";
  }

  labelOf(key: string): string {
    return this.grid.columns.value.find((column) => column.key === key)?.label ?? key;
  }

  /** Take what is stored by now, unless something here is not saved: then the save tells of it. */
  async refresh(): Promise<void> {
    if (this.changes.value.length > 0 || this.isSaving.value) return;
    const now = await readPlaces(this.#run);
    if (this.changes.value.length === 0 && now.updatedAt !== this.stored.value.updatedAt) this.#take(now, []);
  }

  async save(): Promise<boolean> {
    if (this.isSaving.value) return false;
    this.isSaving.value = true;
    this.problem.value = null;
    try {
      await this.#send();
      return this.disputes.value.length === 0;
    } catch (problem) {
      this.problem.value = asProblem(problem);
      return false;
    } finally {
      this.isSaving.value = false;
    }
  }

  discard(): void {
    this.disputes.value = [];
    this.#take(this.stored.value, []);
  }

  decide(dispute: places.Dispute, isMine: boolean): void {
    if (!isMine) this.#write([{ ...dispute, mine: dispute.theirs }]);
    this.disputes.value = this.disputes.value.filter((one) => one !== dispute);
  }

  close(): void {
    this.#unsubscribe();
    this.checking.stop();
  }

  async #send(): Promise<void> {
    const base = this.stored.value;
    const columns = this.grid.columns.value;
    const before = new Map(base.assignments.map((place) => [place.sampleId, place]));
    const bodies = this.grid.rows.value
      .filter((row) => places.isPlaced(places.textsOf(row, columns)))
      .map((row) => places.bodyOf(row, columns, before.get(row.id)));
    try {
      this.#take(await savePlaces(this.#run, bodies, base.updatedAt), []);
      this.isSaved.value = true;
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status !== 409) throw error;
      const now = await readPlaces(this.#run);
      if (now.updatedAt === base.updatedAt) throw error;
      const mine = this.changes.value;
      const disputes = places.disputesOf(mine, places.cellsOf(base), places.cellsOf(now));
      this.#take(now, mine);
      if (disputes.length === 0) return this.#send();
      this.told.value = whoChanged(problem);
      this.disputes.value = disputes;
    }
  }

  /** Show what is stored, with changes of this page on top. */
  #take(now: Places, changes: readonly places.CellChange[]): void {
    this.stored.value = now;
    const cells = places.withChanges(places.cellsOf(now), changes);
    const columns = this.grid.columns.value;
    const after = new Map(this.grid.rows.value.map(({ id }) => [id, this.#rowOf(id, cells)]));
    this.grid.load(this.grid.rows.value.map((row) => after.get(row.id) ?? row));
    this.changes.value = places.changesOf(this.grid.rows.value, columns, places.cellsOf(now));
  }

  #rowOf(id: string, cells: places.Cells): Row {
    const texts = cells.get(id);
    return {
      id,
      cells: this.grid.columns.value.map(({ key }) =>
        key === places.SAMPLE ? this.nameOf(id) : (texts?.get(key) ?? ""),
      ),
    };
  }

  #write(changes: readonly places.CellChange[]): void {
    const keys = this.grid.columns.value.map(({ key }) => key);
    const ids = this.grid.rows.value.map(({ id }) => id);
    this.grid.take(
      changes.map(({ id, key, mine }) => ({ row: ids.indexOf(id), column: keys.indexOf(key), text: mine })),
    );
  }

  #follow(): void {
    const rows = this.grid.rows.value;
    const placed = places.markedPlaced(rows, this.grid.columns.peek());
    if (placed !== rows) {
      const amended = new Map(placed.map((row) => [row.id, row]));
      // What is said of a place puts its sample in the run: the same step of the history shows it.
      this.grid.amend((all) => (all === rows ? [...amended.values()] : all));
      return;
    }
    const stored = this.stored.value;
    const changes = places.changesOf(rows, this.grid.columns.peek(), places.cellsOf(stored));
    this.changes.value = changes;
    if (changes.length > 0) this.isSaved.value = false;
    if (changes.length === 0 || isDemo.peek()) this.#store.forget();
    else this.#store.write({ base: stored.updatedAt, changes });
    this.checking.ask();
  }
}
