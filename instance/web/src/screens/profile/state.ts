import { api, given } from "../../api/client";
import type { components } from "../../api/schema";

export type Profile = components["schemas"]["instance.profile"]["profile"];
export type ProfileChange = components["schemas"]["instance.requests.profile"];
type Department = components["schemas"]["instance.department-choices"]["departments"][number];

export interface ProfilePage {
  profile: Profile;
  departments: readonly Department[];
}

export async function readProfile(signal: AbortSignal): Promise<ProfilePage> {
  const [own, choices] = await Promise.all([
    given(api.GET("/api/user/profile", { signal })),
    given(api.GET("/api/departments", { signal })),
  ]);
  return { profile: own.profile, departments: choices.departments };
}

export async function saveProfile(change: ProfileChange): Promise<Profile> {
  return (await given(api.PUT("/api/user/profile", { body: change }))).profile;
}
