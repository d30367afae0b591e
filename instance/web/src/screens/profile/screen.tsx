import { useResource } from "../../api/resource";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { isDemo } from "../../session";
import { accountFields, account as words } from "../../text/en/account";
import { PasswordForm } from "./password-form";
import { ProfileForm } from "./profile-form";
import { readProfile } from "./state";

export function Screen() {
  const page = useResource(readProfile, []);
  return (
    <>
      <PageHead title={words.profileTitle} />
      <Loaded of={page}>
        {({ profile, departments }) => (
          <div class="stack narrow">
            <dl class="facts">
              <dt>{accountFields.email}</dt>
              <dd>{profile.email}</dd>
              <dt>{words.role}</dt>
              <dd>{words.accountRoles[profile.role]}</dd>
            </dl>
            <p class="muted">{words.unchangeable}</p>
            {isDemo.value ? (
              <Empty title={words.demoProfile} />
            ) : (
              <>
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
              </>
            )}
          </div>
        )}
      </Loaded>
    </>
  );
}
