import { useState } from "preact/hooks";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { Copy } from "../../parts/copy";
import { TextField } from "../../parts/field";
import { FormDialog } from "../../parts/form-dialog";
import { demoRefusal } from "../../session";
import { catalogText as text } from "../../text/en/catalog";
import { text as common } from "../../text/en/common";
import { COLLECTIONS } from "./items";
import { type Catalog, reset, saveSource } from "./state";

interface Props {
  catalog: Catalog;
  onChange: (words: string) => Promise<void>;
}

/** Where changes are looked for, and the way back to what the release brings. */
export function Source({ catalog, onChange }: Props) {
  const [isChanging, setChanging] = useState(false);
  return (
    <section class="card stack-tight" aria-labelledby="catalog-source">
      <h2 id="catalog-source">{text.source}</h2>
      <p class="muted">{text.sourceWhy}</p>
      <p class="line">
        <span>{catalog.config.syncUrl === null ? text.isRegistry : text.isElsewhere}</span>
        <Copy value={catalog.source} label={text.sourceAddress} />
      </p>
      <div class="line">
        <Button refusal={demoRefusal.value} onClick={() => setChanging(true)}>
          {text.changeSource}
        </Button>
        {catalog.isStored && <ResetButton verb={text.reset} catalog={catalog} onChange={onChange} />}
      </div>
      {isChanging && (
        <SourceDialog catalog={catalog} onChange={onChange} onClose={() => setChanging(false)} />
      )}
    </section>
  );
}

function SourceDialog({ catalog, onChange, onClose }: Props & { onClose: () => void }) {
  const [address, type] = useState(catalog.config.syncUrl ?? "");
  return (
    <FormDialog
      title={text.changeSource}
      verb={common.save}
      labels={{ syncUrl: text.sourceField }}
      onSubmit={async () => {
        await saveSource(address.trim() || null);
        await onChange("");
      }}
      onClose={onClose}
    >
      {(errors) => (
        <TextField
          name="syncUrl"
          label={text.sourceField}
          help={text.sourceHelp}
          value={address}
          onInput={type}
          error={errors.get("syncUrl")}
        />
      )}
    </FormDialog>
  );
}

interface ResetProps {
  verb: string;
  /** What would be lost; null when nothing is stored. */
  catalog: Catalog | null;
  onChange: (words: string) => Promise<void>;
}

export function ResetButton({ verb, catalog, onChange }: ResetProps) {
  const [isAsking, ask] = useState(false);
  return (
    <>
      <Button refusal={demoRefusal.value} onClick={() => ask(true)}>
        {verb}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={text.resetTitle}
          verb={verb}
          typedName={catalog ? text.resetName : undefined}
          isDanger={catalog !== null}
          onConfirm={async () => {
            await reset();
            await onChange(text.resetDone);
          }}
          onClose={() => ask(false)}
        >
          {catalog ? text.resetWhat(from(catalog, "changed"), from(catalog, "own")) : text.notStoredWhy}
        </ConfirmDialog>
      )}
    </>
  );
}

const from = ({ items, standingOf }: Catalog, origin: "changed" | "own"): number =>
  COLLECTIONS.flatMap((collection) => items[collection].map(({ id }) => standingOf(collection, id))).filter(
    (standing) => standing?.origin === origin,
  ).length;
