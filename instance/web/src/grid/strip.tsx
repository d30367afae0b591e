import { useSignal } from "@preact/signals";
import { Button } from "../parts/button";
import { text } from "../text/en/grid";
import type { GridModel } from "./model";
import { type ColumnGuess, matchedCount, namedRows } from "./paste";

/** What became of a paste: which columns were matched by their header, and how to change that. */
export function PasteStrip({ model }: { model: GridModel }) {
  const isOpen = useSignal(false);
  const paste = model.paste.value;
  if (paste === null) return null;
  const { header, cells, mapping } = paste.plan;
  const { guesses } = paste;
  const named = namedRows(paste.before, model.columns.value, paste.plan);
  const nameless = named?.filter((place) => place === null).length ?? 0;
  const leftOut = mapping.length - matchedCount(mapping);
  const headers = header ?? mapping.map((_, place) => text.pastedColumn(place + 1));
  return (
    <div class="grid-strip">
      <span role="status">
        {header === null
          ? text.placed(cells.length, matchedCount(mapping))
          : text.matched(matchedCount(mapping), mapping.length)}
        {leftOut > 0 && header === null && `, ${text.leftOut(leftOut)}`}
        {nameless > 0 && `, ${text.nameless(nameless)}`}
      </span>
      {model.canRemap.value && (
        <Button
          look="quiet"
          isPressed={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {text.change}
        </Button>
      )}
      <Button look="quiet" icon="close" label={text.dismiss} onClick={() => (model.paste.value = null)} />
      {guesses.map((guess) => (
        <GuessNotice key={`${guess.column.key} ${guess.mark}`} model={model} guess={guess} />
      ))}
      {isOpen.value && model.canRemap.value && (
        <div class="grid-mapping">
          {headers.map((name, place) => (
            <label key={name} class="stack-tight">
              <span>{name}</span>
              <select
                class="control"
                value={String(mapping[place] ?? "")}
                onChange={(event) => {
                  const { value } = event.currentTarget;
                  const target = value === "" ? null : Number(value);
                  model.remapPaste(
                    mapping.map((old, at) => (at === place ? target : old === target ? null : old)),
                  );
                }}
              >
                <option value="">{text.notUsed}</option>
                {model.columns.value.map(({ key, label }, column) => (
                  <option key={key} value={String(column)}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
      )}
    </div>
  );
}

/** What was guessed of numbers such as `12.125`, and the other way to read them. */
function GuessNotice({ model, guess }: { model: GridModel; guess: ColumnGuess }) {
  const { column, isThousands, decimal, thousands } = guess;
  const { label } = column;
  return (
    <div class="line grid-guess">
      <span role="status">
        {isThousands === null ? text.couldBe(label, guess) : text.readAs(label, guess, isThousands)}
      </span>
      {model.canRemap.value && isThousands !== false && (
        <Button look="quiet" label={text.readIn(label, decimal)} onClick={() => model.reread(guess, false)}>
          {text.readIt(decimal)}
        </Button>
      )}
      {model.canRemap.value && isThousands !== true && (
        <Button look="quiet" label={text.readIn(label, thousands)} onClick={() => model.reread(guess, true)}>
          {text.readIt(thousands)}
        </Button>
      )}
    </div>
  );
}
