import { api, given } from "../api/client";
import { textOf } from "../grid/form-columns";
import { RadioCards } from "../parts/choice-fields";
import type { FieldProps } from "../parts/field";
import { text } from "../text/en/new-order";
import { type FormField, isRecord } from "./form";

export type Technology = Readonly<Record<string, unknown>> & { readonly id: string };

export async function readTechnologies(signal: AbortSignal): Promise<readonly Technology[]> {
  return (await given(api.GET("/api/sequencing-tech", { signal }))).technologies;
}

/** Whether the technology is chosen from cards, which fill in the archives' platform. */
export const hasCards = (fields: readonly FormField[], technologies: readonly Technology[]): boolean =>
  technologies.length > 0 && fields.some(({ type }) => type === "sequencing-tech");

export const isArchivePlatform = ({ type, systemKey }: FormField): boolean =>
  type === "select" && systemKey === "platform";

/** What of a card is compared, by the catalog's own words. */
const COMPARED = ["Read length", "Output per run", "Run time"];
const ARCHIVE_PLATFORM = "Archive platform";

interface Props extends FieldProps {
  technologies: readonly Technology[];
  value: unknown;
  /** The options of the archive's platform, where it is asked for. */
  platforms: readonly string[] | undefined;
  /** The choice, and the archive's platform that it stands for. */
  onChoose: (selection: Readonly<Record<string, unknown>>, platform: string | null) => void;
}

/** The sequencers of the catalog as cards that can be compared; the choice fills in the archive's platform. */
export function Platforms({ technologies, value, platforms, onChoose, ...shared }: Props) {
  const choose = (id: string): void => {
    const technology = technologies.find((one) => one.id === id);
    if (technology === undefined) return;
    onChoose(
      selectionOf(technology),
      platforms === undefined ? null : archivePlatform(technology, platforms),
    );
  };
  return (
    <RadioCards
      {...shared}
      label={text.platform}
      help={shared.help ?? text.platformHelp}
      value={isRecord(value) ? textOf(value.technologyId) : ""}
      onInput={choose}
      choices={technologies.map((technology) => ({
        value: technology.id,
        label: textOf(technology.name),
        help: <Comparison technology={technology} />,
      }))}
    />
  );
}

function Comparison({ technology }: { technology: Technology }) {
  const best = Array.isArray(technology.bestFor) ? technology.bestFor.map(textOf) : [];
  return (
    <span class="platform-card">
      <span>{textOf(technology.manufacturer)}</span>
      {specsOf(technology)
        .filter(({ label }) => COMPARED.includes(label))
        .map(({ label, value, unit }) => (
          <span key={label} class="platform-spec">
            <span>{label}</span>
            <span>
              {value} {unit}
            </span>
          </span>
        ))}
      {best.length > 0 && <span>{text.bestFor(best)}</span>}
    </span>
  );
}

interface Spec {
  readonly label: string;
  readonly value: string;
  readonly unit: string;
}

function specsOf({ specs }: Technology): Spec[] {
  return (Array.isArray(specs) ? specs.filter(isRecord) : []).map(({ label, value, unit }) => ({
    label: textOf(label),
    value: textOf(value),
    unit: textOf(unit),
  }));
}

/** What an order stores of its choice, with its names, so that a later catalog does not change it. */
function selectionOf({ id, name, platformFamily, readLengthClass, supportedReadLayouts }: Technology) {
  const layouts = Array.isArray(supportedReadLayouts) ? { supportedReadLayouts } : {};
  const known = Object.entries({ technologyName: name, platformFamily, readLengthClass });
  const texts = Object.fromEntries(known.filter(([, value]) => typeof value === "string"));
  return { technologyId: id, ...texts, ...layouts };
}

/** The option that the catalog names for the archives, else the one that is called as the family. */
function archivePlatform(technology: Technology, options: readonly string[]): string | null {
  const named = specsOf(technology).find(({ label }) => label === ARCHIVE_PLATFORM)?.value;
  const family = textOf(technology.platformFamily).toUpperCase().replaceAll("-", "_");
  return options.find((option) => option === named) ?? options.find((option) => option === family) ?? null;
}
