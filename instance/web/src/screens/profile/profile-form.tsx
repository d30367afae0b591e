import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { kept } from "../../api/kept";
import { fieldErrors } from "../../api/problem";
import { useAction } from "../../api/resource";
import { Button } from "../../parts/button";
import { ErrorSummary } from "../../parts/error-summary";
import { SelectField, TextField } from "../../parts/field";
import { readBoot, user } from "../../session";
import { accountFields, account as words } from "../../text/en/account";
import { type Profile, type ProfilePage, saveProfile } from "./state";

const POSITIONS = ["PI", "POSTDOC", "PHD_STUDENT", "MASTER_STUDENT", "TECHNICIAN", "OTHER"] as const;

const typedOf = (profile: Profile) => ({
  firstName: profile.firstName,
  lastName: profile.lastName,
  researcherRole: profile.researcherRole ?? "",
  institution: profile.institution ?? "",
  departmentId: profile.department?.id ?? "",
});

const NAMES = ["firstName", "lastName", "researcherRole", "institution", "departmentId"];

function isTyped(value: unknown): value is ReturnType<typeof typedOf> {
  return (
    typeof value === "object" &&
    value !== null &&
    NAMES.every((name) => typeof Reflect.get(value, name) === "string")
  );
}

interface Props extends ProfilePage {
  onSaved: (profile: Profile) => void;
}

export function ProfileForm({ profile, departments, onSaved }: Props) {
  const store = useMemo(() => kept(user.value?.id ?? "", "profile", isTyped), []);
  const typed = useSignal(store.read()?.value ?? typedOf(profile));
  const isSaved = useSignal(false);
  const saving = useAction(async () => {
    const { researcherRole, ...rest } = typed.value;
    const position = POSITIONS.find((each) => each === researcherRole);
    onSaved(await saveProfile({ ...rest, researcherRole: position ?? null }));
    store.forget();
    isSaved.value = true;
    await readBoot();
  });
  const errors = fieldErrors(saving.problem.value);
  const field = (name: keyof typeof typed.value) => ({
    name,
    label: accountFields[name],
    error: errors.get(name),
    value: typed.value[name],
    onInput: (value: string) => {
      typed.value = { ...typed.value, [name]: value };
      store.write(typed.value);
      isSaved.value = false;
    },
  });
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void saving.run();
      }}
    >
      <ErrorSummary problem={saving.problem.value} labels={accountFields} />
      <TextField {...field("firstName")} autocomplete="given-name" required />
      <TextField {...field("lastName")} autocomplete="family-name" required />
      <SelectField
        {...field("researcherRole")}
        choices={POSITIONS.map((value) => ({ value, label: words.roles[value] }))}
        none={profile.researcherRole === null ? words.noChoice : undefined}
      />
      <TextField {...field("institution")} autocomplete="organization" />
      <SelectField
        {...field("departmentId")}
        choices={departments.map(({ id, name }) => ({ value: id, label: name }))}
        none={words.noChoice}
      />
      <div class="line">
        <Button look="main" type="submit" isBusy={saving.isRunning.value}>
          {words.save}
        </Button>
        <span role="status">{isSaved.value ? words.saved : ""}</span>
      </div>
    </form>
  );
}
