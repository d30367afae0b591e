/** The names that browsers and programs give themselves, the more special one first: most claim to be several. */
const BROWSERS = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
] as const;

const SYSTEMS = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\b(?:Macintosh|Mac OS X)\b/, "Mac"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
] as const;

type Names = readonly (readonly [RegExp, string])[];

const firstOf = (names: Names, userAgent: string): string | null =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;

export interface Device {
  /** A browser or the name of a program; null where it says neither. */
  readonly program: string | null;
  readonly system: string | null;
}

/** Tell a browser and its system, or another program, from what it says of itself. */
export function deviceOf(userAgent: string): Device {
  const browser = firstOf(BROWSERS, userAgent);
  const system = firstOf(SYSTEMS, userAgent);
  // A program's own name is the word before the first slash: `curl/8.5.0`.
  const program = /^([A-Za-z][\w.+-]{0,40})\//.exec(userAgent)?.[1] ?? null;
  return { program: browser ?? (program === "Mozilla" ? null : program), system };
}
