import { api, given } from "../../api/client";
import type { components } from "../../api/schema";

export type RunningStream = components["schemas"]["instance.running-streams"]["streams"][number];

export async function readRunning(signal: AbortSignal): Promise<RunningStream[]> {
  return (await given(api.GET("/api/streams", { signal }))).streams;
}
