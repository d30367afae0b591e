import { useState } from "preact/hooks";
import { kept } from "./api/kept";
import { user } from "./session";

const isText = (value: unknown): value is string => typeof value === "string";

/** A text that is kept for its record while it is not sent; an empty one is forgotten. */
export function useKeptText(record: string): [words: string, type: (words: string) => void] {
  const [store] = useState(() => kept(user.value?.id ?? "", record, isText));
  const [words, setWords] = useState(() => store.read()?.value ?? "");
  const type = (next: string): void => {
    setWords(next);
    if (next === "") store.forget();
    else store.write(next);
  };
  return [words, type];
}
