import { api, given } from "../../../api/client";
import { secondFactorWanted } from "../../../api/connection";
import type { components } from "../../../api/schema";

export type Factor = components["schemas"]["instance.second-factor"];
export type Beginning = components["schemas"]["instance.new-second-factor"];

export const readFactor = (signal: AbortSignal): Promise<Factor> =>
  given(api.GET("/api/auth/totp", { signal }));

export const beginFactor = (): Promise<Beginning> => given(api.POST("/api/auth/totp"));

/** Turn it on by the first code of the app; answer the recovery codes. */
export async function confirmFactor(code: string): Promise<readonly string[]> {
  const { recoveryCodes } = await given(api.POST("/api/auth/totp/confirm", { body: { code } }));
  secondFactorWanted.value = false;
  return recoveryCodes;
}

export async function removeFactor(): Promise<void> {
  await given(api.DELETE("/api/auth/totp"));
}
