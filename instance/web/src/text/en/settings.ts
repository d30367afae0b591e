import { count, counted } from "../format";

/** The settings of the facility; what each of them means is the server's to say. */
export const settingsText = {
  title: "Settings",
  tablist: "Settings",
  modules: "Modules",
  changedHere: (settings: number): string =>
    settings === 0
      ? "Nothing is changed"
      : `${counted(settings, "setting is", "settings are")} changed and not saved`,
  save: "Save",
  saved: "Saved. It applies from the next request.",
  drop: "Undo changes",
  nothingToSave: "Nothing is changed here.",
  changed: "Changed",
  preset: (value: string): string => `Default: ${value}`,
  useDefault: "Use the default",
  useDefaultOf: (setting: string): string => `Use the default: ${setting}`,
  unsaved: "Not saved yet",
  range: (least: number | null, most: number | null): string =>
    least === null || most === null
      ? [least !== null && `From ${count(least)}.`, most !== null && `Up to ${count(most)}.`]
          .filter(Boolean)
          .join(" ")
      : `${count(least)} to ${count(most)}.`,
  empty: (without: string): string => `Empty: ${without}.`,
  on: "on",
  off: "off",
  nothing: "nothing",
  emptyOne: "empty",

  secretIsSet: "Set. It is never shown.",
  secretIsNot: "Not set.",
  replace: "Replace",
  replaceOf: (secret: string): string => `Replace: ${secret}`,
  set: "Set",
  setOf: (secret: string): string => `Set: ${secret}`,
  remove: "Remove",
  removeOf: (what: string): string => `Remove: ${what}`,
  keep: "Leave it",
  keepOf: (secret: string): string => `Leave it: ${secret}`,
  willBeRemoved: "It is removed when you save.",
  newSecret: (secret: string): string => `New: ${secret}`,

  record: (of: string, number: number): string => `${of}, entry ${count(number)}`,
  add: (of: string): string => `Add to ${of}`,
  addNamed: "Add",
  idOf: (of: string): string => `Id for ${of}`,
  nameFirst: "Type the id first.",
  isThere: "It is there already.",

  typedHere: "what you typed",
  nobodySees: "perhaps another one; it is never shown",

  modulesWhy: "A module adds fields or pages. Changes apply to everyone from the next request.",
  allOff: "All modules are switched off, whatever is set below.",
  switchAllOff: "Switch all off",
  switchAllOn: "Let them work again",
  whenOff: (what: string): string => `Off: ${what}`,
  byDefault: (isOn: boolean): string => `By default ${isOn ? "on" : "off"}.`,
  switchOn: "Switch on",
  switchOff: "Switch off",
  switchOnOf: (module: string): string => `Switch on: ${module}`,
  switchOffOf: (module: string): string => `Switch off: ${module}`,
  isOn: "On",
  isOff: "Off",
} as const;
