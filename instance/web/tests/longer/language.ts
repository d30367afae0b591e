/** A made-up language: each sentence 40 % longer, between brackets by which a test knows it. */

const LONGER_BY = 0.4;
const BRACKETS = 2;
const WORD = 9;

/** What is no sentence: a part of an address. */
const NOT_READ = "id";

export function longer(value: unknown): unknown {
  if (typeof value === "string") return sentence(value);
  if (typeof value === "function") return (...given: unknown[]) => longer(Reflect.apply(value, null, given));
  if (Array.isArray(value)) return value.map(longer);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === NOT_READ ? one : longer(one)]),
  );
}

/** A word grows, a sentence gets more words. */
function sentence(text: string): string {
  if (text === "" || text.startsWith("⟦")) return text;
  const more = "ö".repeat(Math.max(0, Math.ceil(text.length * LONGER_BY) - BRACKETS));
  const words = text.includes(" ") ? more.replace(new RegExp(`.{${WORD}}(?=.)`, "g"), "$& ") : more;
  return text.includes(" ") && words !== "" ? `⟦${text} ${words}⟧` : `⟦${text}${words}⟧`;
}
