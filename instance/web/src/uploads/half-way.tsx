import { api, given } from "../api/client";
import { useResource } from "../api/resource";
import { chooseText as text } from "../text/en/uploads";
import { halfWay } from "./plan/items";
import { uploads } from "./state";

interface Props {
  orderId: string;
  /** Read again when it changes. */
  openUploads: number;
}

/** How far uploads are that somebody began, here or elsewhere: the service is the memory. */
export function HalfWayNotice({ orderId, openUploads }: Props) {
  const sessions = useResource(
    async (signal) => {
      const params = { path: { order_id: orderId } };
      const call = api.GET("/api/orders/{order_id}/sequencing/uploads", { params, signal });
      return (await given(call)).uploads;
    },
    [orderId, openUploads],
  );
  const found = sessions.data.value && halfWay(sessions.data.value);
  const isOurs = uploads.value.some(({ id, state }) => state.is !== "filed" && id.startsWith(`${orderId}/`));
  // The dock tells of what this page has.
  if (!found || isOurs) return null;
  return (
    <div class="notice notice-wait">
      <p class="notice-title">{text.halfWay(found.filed, found.all, found.open)}</p>
      <p>{text.halfWayWhy}</p>
    </div>
  );
}
