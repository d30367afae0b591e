import { signal } from "@preact/signals";
import { storeText } from "./api/storage";

/** How somebody wants to see the page, on this computer. */
export type Theme = "system" | "light" | "dark";
export type Density = "compact" | "normal" | "comfortable";

const THEMES: readonly Theme[] = ["system", "light", "dark"];
const DENSITIES: readonly Density[] = ["compact", "normal", "comfortable"];

const stored = <T extends string>(key: string, allowed: readonly T[], usual: T): T =>
  allowed.find((each) => each === localStorage.getItem(`seqfacility:${key}`)) ?? usual;

export const theme = signal(stored("theme", THEMES, "system"));
export const density = signal(stored("density", DENSITIES, "normal"));

export function choose(choice: { theme?: Theme; density?: Density }): void {
  if (choice.theme) {
    theme.value = choice.theme;
    storeText(localStorage, "seqfacility:theme", choice.theme);
  }
  if (choice.density) {
    density.value = choice.density;
    storeText(localStorage, "seqfacility:density", choice.density);
  }
  applyLook();
}

export function applyLook(): void {
  const { dataset } = document.documentElement;
  if (theme.value === "system") delete dataset.theme;
  else dataset.theme = theme.value;
  if (density.value === "normal") delete dataset.density;
  else dataset.density = density.value;
}
