import { api, given } from "../../api/client";
import type { components } from "../../api/schema";

export type Registration = components["schemas"]["instance.requests.registration"];
export type Department = components["schemas"]["instance.department-choices"]["departments"][number];

export async function isInviteValid(code: string, signal: AbortSignal): Promise<boolean> {
  return (await given(api.POST("/api/invites/verify", { body: { code }, signal }))).valid;
}

export async function listDepartments(signal: AbortSignal): Promise<readonly Department[]> {
  return (await given(api.GET("/api/departments", { signal }))).departments;
}

/** Make an account; answers whether it waits for somebody's approval. */
export async function register(registration: Registration): Promise<boolean> {
  return (await given(api.POST("/api/register", { body: registration }))).pendingApproval ?? false;
}
