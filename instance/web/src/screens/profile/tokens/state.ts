import { api, given } from "../../../api/client";
import type { components } from "../../../api/schema";
import type { TokenInfo } from "../../../tokens/token-table";

type Wanted = components["schemas"]["instance.requests.new-token"];
export type MadeToken = components["schemas"]["instance.new-token"];

export const readTokens = async (signal: AbortSignal): Promise<readonly TokenInfo[]> =>
  (await given(api.GET("/api/user/tokens", { signal }))).tokens;

export const makeToken = (body: Wanted): Promise<MadeToken> => given(api.POST("/api/user/tokens", { body }));

export async function revokeToken(id: string): Promise<void> {
  await given(api.DELETE("/api/user/tokens/{token_id}", { params: { path: { token_id: id } } }));
}
