import { useSignal } from "@preact/signals";
import { api, given } from "../../../api/client";
import { fieldErrors } from "../../../api/problem";
import { useAction, useResource } from "../../../api/resource";
import type { components } from "../../../api/schema";
import { Button } from "../../../parts/button";
import { ErrorSummary } from "../../../parts/error-summary";
import { SelectField } from "../../../parts/field";
import { Loaded } from "../../../parts/loading";
import { user } from "../../../session";
import { type MailEvent, type MailWhen, mailText as words } from "../../../text/en/mail";

type Preferences = components["schemas"]["instance.mail-preferences"]["preferences"];

const WHEN: readonly MailWhen[] = ["at-once", "daily", "never"];
const isWhen = (word: string): word is MailWhen => WHEN.some((each) => each === word);

const readPreferences = async (signal: AbortSignal): Promise<Preferences> =>
  (await given(api.GET("/api/user/mail-preferences", { signal }))).preferences;

/** What somebody is written to about, and how often. */
export function Tab() {
  const preferences = useResource(readPreferences, []);
  return (
    <div class="stack narrow">
      <p class="muted">
        {words.why} {words.address(user.value?.email ?? "")}
      </p>
      <Loaded of={preferences}>{(known) => <Choices preferences={known} />}</Loaded>
    </div>
  );
}

function Choices({ preferences }: { preferences: Preferences }) {
  const chosen = useSignal(preferences);
  const isSaved = useSignal(false);
  const saving = useAction(async () => {
    const answer = await given(
      api.PUT("/api/user/mail-preferences", { body: { preferences: chosen.value } }),
    );
    chosen.value = answer.preferences;
    isSaved.value = true;
  });
  const choose = (event: MailEvent, when: string): void => {
    if (!isWhen(when)) return;
    chosen.value = chosen.value.map((each) => (each.event === event ? { event, when } : each));
    isSaved.value = false;
  };
  const errors = fieldErrors(saving.problem.value);
  return (
    <form
      class="card stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void saving.run();
      }}
    >
      <ErrorSummary problem={saving.problem.value} labels={{}} />
      {chosen.value.map(({ event, when }, place) => (
        <SelectField
          key={event}
          name={event}
          label={words.events[event]}
          choices={WHEN.map((value) => ({ value, label: words.when[value] }))}
          error={errors.get(`preferences[${place}].when`)}
          value={when}
          onInput={(value) => choose(event, value)}
        />
      ))}
      <div class="line">
        <Button look="main" type="submit" isBusy={saving.isRunning.value}>
          {words.save}
        </Button>
        <span role="status">{isSaved.value ? words.saved : ""}</span>
      </div>
    </form>
  );
}
