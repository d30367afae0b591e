import { refusalText } from "../../text/en/sign-in";

/** Why a provider's sign-in ended here, from the word in the address. It takes no words of others. */
export function Refusal({ word }: { word: string }) {
  const known: Readonly<Record<string, string>> = refusalText.why;
  const why = Object.hasOwn(known, word) ? known[word] : refusalText.other;
  return (
    <div class="notice notice-bad" role="alert">
      <p class="notice-title">{refusalText.title}</p>
      <p>{why}</p>
    </div>
  );
}
