import { useState } from "preact/hooks";
import { type LastSave, readLastSave } from "../../api/last-save";
import { Problem } from "../../api/problem";
import { asProblem } from "../../api/resource";
import { Disputes } from "../../parts/disputes";
import { FormDialog } from "../../parts/form-dialog";
import { rebased } from "../../parts/rebased";
import { demoRefusal } from "../../session";
import { catalogText as text } from "../../text/en/catalog";
import { text as common } from "../../text/en/common";
import { disputeText } from "../../text/en/disputes";
import { EntryFields } from "./entry-fields";
import { FIELDS, itemWith, REST, readRest, type Typed, typedOf } from "./entry-form";
import { columnsOf, gapsIn, pathOf, rowsInWords, rowsOf } from "./entry-rows";
import { type Collection, type Item, nameOf } from "./items";
import { type Catalog, ChangedElsewhere, saveItem } from "./state";

interface Props {
  catalog: Catalog;
  collection: Collection;
  /** Null for a new one. */
  item: Item | null;
  onSaved: (words: string) => Promise<void>;
  onClose: () => void;
}

interface Disputed {
  readonly keys: readonly string[];
  readonly theirs: Typed;
  readonly by: LastSave | null;
}

/** An entry as a form. What somebody else saved meanwhile is seen before anything is overwritten. */
export function EditDialog({ catalog, collection, item, onSaved, onClose }: Props) {
  const [seen, setSeen] = useState(item);
  const [id, setId] = useState("");
  const [typed, setTyped] = useState<Typed>(() => typedOf(collection, item));
  const [disputed, setDisputed] = useState<Disputed | null>(null);
  const rowKeys = FIELDS[collection].filter(({ kind }) => kind === "rows").map(({ key }) => key);
  const decided = (keys: readonly string[], taken: Typed): void => {
    if (disputed === null) return;
    setDisputed({ ...disputed, keys: disputed.keys.filter((key) => !keys.includes(key)) });
    setTyped({ ...typed, ...taken });
  };
  const submit = async (): Promise<void> => {
    const gaps = rowKeys.flatMap((key) => gapsIn(key, typed[key] ?? ""));
    if (gaps.length > 0) throw refused(gaps, text.needed);
    const rest = readRest(typed[REST] ?? "");
    if (rest === null) throw refused([REST], text.noJson);
    const twice = FIELDS[collection].find(({ key }) => key in rest);
    if (twice) throw refused([REST], text.hasField(text.label(twice.key)));
    const base = seen ?? { id: id.trim(), available: true };
    const next = itemWith(collection, base, typed);
    try {
      await saveItem(collection, seen, next);
    } catch (error) {
      const problem = asProblem(error);
      if (!(problem instanceof ChangedElsewhere)) throw problem;
      if (seen === null) throw refused(["id"], text.theirId);
      if (problem.theirs === null) throw new Problem(text.gone, problem.status);
      const theirs = typedOf(collection, problem.theirs);
      const found = rebased(typed, typedOf(collection, seen), theirs);
      setDisputed({ keys: found.disputed, theirs, by: await readLastSave("catalog-saved") });
      setTyped(found.typed);
      setSeen(problem.theirs);
      throw problem;
    }
    await onSaved(text.saved(nameOf(next)));
  };
  const keys = ["id", ...FIELDS[collection].map(({ key }) => key), REST];
  return (
    <FormDialog
      title={item ? text.editOf(nameOf(item)) : text.addTitle(text.kind[collection])}
      verb={item ? common.save : text.addVerb}
      labels={Object.fromEntries([
        ...keys.map((key) => [key, text.label(key)] as const),
        ...rowKeys.flatMap((key) => cellLabels(key, typed[key] ?? "")),
      ])}
      isWide
      refusal={demoRefusal.value ?? (disputed && disputed.keys.length > 0 ? disputeText.decideFirst : null)}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <p class="muted">{text.keptHelp}</p>
          {disputed && (
            <Disputes
              disputes={disputed.keys.map((key) => ({
                id: key,
                what: text.label(key),
                mine: inWords(key, typed),
                theirs: inWords(key, disputed.theirs),
              }))}
              by={disputed.by}
              keepMine={(keys) => decided(keys, {})}
              takeTheirs={(keys) =>
                decided(keys, Object.fromEntries(keys.map((key) => [key, disputed.theirs[key] ?? ""])))
              }
            />
          )}
          <EntryFields
            catalog={catalog}
            collection={collection}
            id={item ? null : id}
            onId={setId}
            typed={typed}
            onType={(key, value) => setTyped({ ...typed, [key]: value })}
            errors={errors}
          />
        </>
      )}
    </FormDialog>
  );
}

const inWords = (key: string, typed: Typed): string =>
  text.value(columnsOf(key).length > 0 ? rowsInWords(typed[key] ?? "") : typed[key]);

/** What the controls of rows are called. */
const cellLabels = (key: string, typed: string): (readonly [string, string])[] =>
  rowsOf(typed).flatMap((_, place) =>
    columnsOf(key).map((column) => {
      const label = text.cellOf(text.rowOf(key, place + 1), text.cell(key, column));
      return [pathOf(key, place, column), label] as const;
    }),
  );

/** What this page refuses by itself is said where the service would say it. */
const refused = (keys: readonly string[], reason: string): Problem =>
  new Problem(common.fixThese(keys.length), 400, { details: keys.map((key) => `${key}: ${reason}`) });
