import { rebased } from "../../parts/rebased";
import {
  fieldsOf,
  isChanged,
  presetOf,
  readValue,
  type SchemaField,
  type Typed,
  written,
} from "../../parts/schema-form/schema";
import type { Installed } from "./state";

/** What a facility sets for all runs of a pipeline, and what becomes of it when somebody else saves meanwhile. */

type Settings = Pick<Installed, "configSchema" | "config" | "packageConfig" | "version">;

export function typedOf({ configSchema, config }: Settings): Typed {
  const stored = fieldsOf(configSchema).filter(({ key }) => Object.hasOwn(config, key));
  return Object.fromEntries(stored.map(({ key, kind }) => [key, written(kind, config[key])]));
}

/** The value that a field has by what was typed, or its default. */
export const valueIn = (field: SchemaField, { packageConfig }: Settings, typed: Typed): unknown =>
  readValue(field, typed[field.key] ?? "") ?? presetOf(field, packageConfig);

export interface Merged {
  readonly typed: Typed;
  /** The fields that both changed, and not to the same. */
  readonly disputed: readonly SchemaField[];
}

/** What was typed over `base` as it stands over `now`. Fields that the version of now has not are left out. */
export function merged(base: Settings, now: Settings, typed: Typed): Merged {
  const fields = fieldsOf(now.configSchema);
  const textsOf = ({ packageConfig }: Settings, texts: Typed): Typed =>
    Object.fromEntries(
      fields.map((field) => [
        field.key,
        isChanged(field, packageConfig, texts) ? (texts[field.key] ?? "") : "",
      ]),
    );
  const found = rebased(textsOf(base, typed), textsOf(base, typedOf(base)), textsOf(now, typedOf(now)));
  return {
    typed: Object.fromEntries(Object.entries(found.typed).filter(([, text]) => text !== "")),
    disputed: fields.filter(({ key }) => found.disputed.includes(key)),
  };
}
