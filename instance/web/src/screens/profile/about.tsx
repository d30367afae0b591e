import { useResource } from "../../api/resource";
import { Loaded } from "../../parts/loading";
import { user } from "../../session";
import { accountFields, account as words } from "../../text/en/account";
import { PasswordForm } from "./password-form";
import { ProfileForm } from "./profile-form";
import { readProfile } from "./state";

/** What only the facility changes. */
export function Facts() {
  const person = user.value;
  if (person === null) return null;
  return (
    <>
      <dl class="facts">
        <dt>{accountFields.email}</dt>
        <dd>{person.email}</dd>
        <dt>{words.role}</dt>
        <dd>{words.accountRoles[person.role]}</dd>
      </dl>
      <p class="muted">{words.unchangeable}</p>
    </>
  );
}

export function AboutTab() {
  const page = useResource(readProfile, []);
  return (
    <Loaded of={page}>
      {({ profile, departments }) => (
        <div class="stack narrow">
          <Facts />
          <section class="card stack" aria-labelledby="about">
            <h2 id="about">{words.yourData}</h2>
            <ProfileForm
              profile={profile}
              departments={departments}
              onSaved={(saved) => page.put({ profile: saved, departments })}
            />
          </section>
          <section class="card stack" aria-labelledby="password">
            <h2 id="password">{words.changePassword}</h2>
            <PasswordForm />
          </section>
        </div>
      )}
    </Loaded>
  );
}
