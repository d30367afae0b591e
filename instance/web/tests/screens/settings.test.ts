import { expect, test } from "vitest";
import {
  afterMySave,
  afterTheirSave,
  changesOf,
  disputed,
  type Edits,
  keepable,
  keptMine,
  shownOf,
  stillOpen,
  takenTheirs,
  withEdit,
} from "../../src/screens/settings/edits";
import type { Setting } from "../../src/screens/settings/state";
import { presetOf, readText, writtenText } from "../../src/screens/settings/words";

const setting = (key: string, kind: Setting["kind"] = "text", more: Partial<Setting> = {}): Setting => ({
  key,
  label: key,
  meaning: key,
  kind,
  unit: null,
  minimum: null,
  maximum: null,
  choices: [],
  mayBeNull: false,
  without: null,
  default: null,
  fields: [],
  ...more,
});

const NAME = setting("siteName");
const HOURS = setting("sessionIdleHours", "whole");
const PASSWORD = setting("password", "secret");
const ALL = [NAME, HOURS, PASSWORD];
const VALUES = { siteName: "Lab", sessionIdleHours: 12, passwordIsSet: true };

const keys = (settings: readonly Setting[]): string[] => settings.map(({ key }) => key);

test("what is typed back to what is stored is no change", () => {
  const typed = withEdit(NAME, VALUES, {}, "Core");

  expect(changesOf(ALL, VALUES, typed)).toEqual({ siteName: "Core" });
  expect(withEdit(NAME, VALUES, typed, "Lab")).toEqual({});
});

test("only a setting that both have changed is asked about", () => {
  const edits = withEdit(HOURS, VALUES, withEdit(NAME, VALUES, {}, "Core"), 24);
  const theirs = { ...VALUES, siteName: "Institute", sessionIdleHours: 12 };

  expect(keys(disputed(ALL, VALUES, edits))).toEqual([]);
  expect(keys(disputed(ALL, theirs, edits))).toEqual(["siteName"]);
});

test("mine goes on against what they saved, theirs takes mine away", () => {
  const edits = withEdit(NAME, VALUES, {}, "Core");
  const theirs = { ...VALUES, siteName: "Institute" };

  const kept = keptMine([NAME], theirs, edits);
  expect(disputed(ALL, theirs, kept)).toEqual([]);
  expect(changesOf(ALL, theirs, kept)).toEqual({ siteName: "Core" });
  expect(takenTheirs([NAME], edits)).toEqual({});
});

test("what was typed while it was saved stays to be saved over what was stored then", () => {
  const sent = withEdit(HOURS, VALUES, withEdit(NAME, VALUES, {}, " Core "), 24);
  const typedOn = withEdit(NAME, VALUES, sent, "Core facility");
  const saved = { ...VALUES, siteName: "Core", sessionIdleHours: 24 };

  const left = afterMySave(ALL, saved, sent, typedOn);
  expect(left).toEqual({ siteName: { mine: "Core facility", seen: "Core" } });
  expect(disputed(ALL, saved, left)).toEqual([]);
});

test("what somebody else saved right after mine is asked about, not overwritten", () => {
  const sent = withEdit(NAME, VALUES, {}, "Core");
  const typedOn = withEdit(HOURS, VALUES, withEdit(NAME, VALUES, sent, "Core facility"), 24);
  const left = afterMySave(ALL, { ...VALUES, siteName: "Core" }, sent, typedOn);

  const theirs = { ...VALUES, siteName: "Institute", sessionIdleHours: 6 };
  expect(keys(disputed(ALL, theirs, left))).toEqual(["siteName", "sessionIdleHours"]);
});

test("what they saved word for word needs nobody", () => {
  const edits = withEdit(NAME, VALUES, {}, "Core");

  expect(stillOpen(ALL, { ...VALUES, siteName: "Core" }, edits)).toEqual({});
});

test("a secret that both may have replaced is always asked about, and never kept in the browser", () => {
  const edits = withEdit(PASSWORD, VALUES, {}, "hush-hush");

  expect(shownOf(PASSWORD, VALUES, {})).toBeUndefined();
  expect(keys(disputed(ALL, VALUES, edits))).toEqual([]);
  expect(keys(disputed(ALL, VALUES, afterTheirSave(ALL, edits)))).toEqual(["password"]);
  expect(keepable(ALL, edits)).toEqual({});
});

test("a record with a secret typed into it is treated as a secret", () => {
  const providers = setting("oidcProviders", "records", { fields: [setting("clientSecret", "secret")] });
  const values = { oidcProviders: [{ id: "lakes", clientSecretIsSet: true }] };
  const edits: Edits = { oidcProviders: { mine: [{ id: "lakes", clientSecret: "x" }], seen: [] } };

  expect(keepable([providers], edits)).toEqual({});
  expect(keys(disputed([providers], values, afterTheirSave([providers], edits)))).toEqual(["oidcProviders"]);
});

test("a named record that is gone is sent as null", () => {
  const overrides = setting("pipelineOverrides", "named-records");
  const values = { pipelineOverrides: { "reads-qc": { mode: "slurm" }, mag: { mode: "local" } } };
  const edits = withEdit(overrides, values, {}, { mag: { mode: "slurm" } });

  expect(changesOf([overrides], values, edits)).toEqual({
    pipelineOverrides: { "reads-qc": null, mag: { mode: "slurm" } },
  });
});

test.each([
  [HOURS, "1,5", 1.5],
  [HOURS, "soon", "soon"],
  [HOURS, "", null],
  [setting("contact", "text", { mayBeNull: true }), " ", null],
  [NAME, "", ""],
  [setting("endings", "lines"), " .fq \n\n.fastq\n", [".fq", ".fastq"]],
  [setting("scopes", "lines", { mayBeNull: true }), "\n", null],
])("%# what is typed is read as it is saved", (of, typed, saved) => {
  expect(readText(of, typed)).toEqual(saved);
});

test("a list is written a line each", () => {
  expect(writtenText(setting("endings", "lines"), [".fq", ".fastq"])).toBe(".fq\n.fastq");
});

test("each setting says what holds by default, a secret alone says nothing", () => {
  expect(presetOf(setting("hours", "whole", { default: 12, unit: "hours" }))).toBe("Default: 12 hours");
  expect(presetOf(setting("on", "switch", { default: false }))).toBe("Default: off");
  expect(presetOf(setting("host", "text", { without: "no mail is sent" }))).toBe("Default: empty");
  expect(presetOf(setting("domains", "lines", { default: [] }))).toBe("Default: empty");
  expect(presetOf(setting("queue", "choice", { without: "the usual one" }))).toBe("Default: the usual one");
  expect(presetOf(PASSWORD)).toBeNull();
});
