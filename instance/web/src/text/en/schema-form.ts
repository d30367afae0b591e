/** Settings that are asked for by a schema. */
export const schemaText = {
  range: (least: number | null, most: number | null): string | null => {
    if (least !== null && most !== null) return `From ${least} to ${most}.`;
    if (least !== null) return `At least ${least}.`;
    return most === null ? null : `At most ${most}.`;
  },
  changed: (preset: string): string => `Changed. The default is ${preset}.`,
  emptyUses: (preset: string): string => `Empty, so the default ${preset} is used.`,
  useDefault: "Use the default",
  useDefaultOf: (label: string): string => `Use the default of ${label}`,
  none: "No value",
  nothing: "nothing",
  yes: "yes",
  no: "no",
} as const;
