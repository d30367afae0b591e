import { KeptByTab } from "../../api/kept-by-tab";
import { readTechnologies, type Technology } from "../../questions/platforms";
import type { Order } from "./answers";
import { Draft } from "./draft";
import { fitted, isKeptDraft, type KeptDraft, recordOf } from "./kept-draft";
import * as requests from "./requests";
import type { Form } from "./samples";

export interface Opened {
  readonly form: Form;
  readonly technologies: readonly Technology[];
  readonly order: Order | null;
  readonly stored: requests.StoredSamples;
  /** What was kept of it, the newest first. */
  readonly kept: readonly KeptDraft[];
  readonly store: KeptByTab<KeptDraft>;
  readonly person: string;
  readonly onNumber: (orderNumber: string) => void;
  /** The form has changed: the draft goes on as another one, by the new form. */
  readonly onForm: (draft: Draft) => void;
}

/** The draft that was left last: what it saves after is not begun a second time. */
let left: Promise<void> = Promise.resolve();

export function leaveDraft(draft: Draft): void {
  left = draft.close();
}

/** Open a draft: a new one, or that of an address, which names its number or its id. */
export async function openDraft(
  address: string | null,
  person: string,
  { onNumber, onForm }: Pick<Opened, "onNumber" | "onForm">,
  stop: AbortSignal,
): Promise<Draft> {
  await left;
  const readStored = async (): Promise<Pick<Opened, "order" | "stored" | "kept" | "store">> => {
    const order = address === null ? null : await requests.readOrder(address, stop);
    const store = new KeptByTab(person, recordOf(order), isKeptDraft);
    // Two orders that were begun and never stored are two orders: one of them is gone on with.
    const kept = await store.takeOver(order === null ? 1 : Number.POSITIVE_INFINITY);
    const stored =
      order === null ? { samples: [], checklists: [] } : await requests.readSamples(order.id, stop);
    return { order, stored, kept, store };
  };
  const [form, technologies, read] = await Promise.all([
    requests.readForm(stop),
    readTechnologies(stop),
    readStored(),
  ]);
  const kept = read.kept.map((one) => fitted(one, form));
  return new Draft({ form, technologies, ...read, kept, person, onNumber, onForm });
}
