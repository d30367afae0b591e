import { useEffect, useRef, useState } from "preact/hooks";
import { TextField } from "./field";

/** Long enough for a word, short enough to feel immediate. */
const TYPING_MS = 250;

export interface SearchProps {
  name: string;
  label: string;
  placeholder?: string | undefined;
  /** What is searched for now; it may change from elsewhere, by Back for example. */
  words: string;
  onSearch: (words: string) => void;
}

/** A search that begins by itself when the typing pauses. */
export function SearchField({ name, label, placeholder, words, onSearch }: SearchProps) {
  const [typed, setTyped] = useState(words);
  const seen = useRef(words);
  const asked = useRef(words);
  if (words !== seen.current) {
    seen.current = words;
    if (words !== asked.current) {
      asked.current = words;
      setTyped(words);
    }
  }
  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === asked.current) return;
    const timer = setTimeout(() => {
      asked.current = wanted;
      onSearch(wanted);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <TextField
      name={name}
      type="search"
      label={label}
      placeholder={placeholder}
      value={typed}
      onInput={setTyped}
    />
  );
}
