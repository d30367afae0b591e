import { useLocation } from "preact-iso";
import { useLive } from "../../api/live";
import { useList } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { Pager } from "../../parts/pager";
import { PLATE_STATES } from "../../parts/plate-tiles";
import { text } from "../../text/en/order";
import { SampleTable } from "./sample-table";
import { type Order, readSamples, type SampleQuery } from "./state";

/** As many as scroll well, and as the facility answers at once. */
const PAGE_SIZE = 200;

/** What an address asks of the samples; a word that is none is left out. */
export function useSampleQuery(): SampleQuery & { page: number } {
  const { query } = useLocation();
  const state = PLATE_STATES.find((known) => known === query.state);
  const page = Number(query.page);
  return {
    ...(query.q && { q: query.q }),
    ...(state && { state }),
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

interface Props {
  order: Order;
  isWhole?: boolean;
}

/** One page of the samples that the address asks for. Only that page is read, also when something changes. */
export function SamplePages({ order, isWhole }: Props) {
  const { path, query, route } = useLocation();
  const wanted = useSampleQuery();
  const { page, q, state } = wanted;
  const list = useList(
    (signal) => readSamples(order.id, { ...wanted, pageSize: PAGE_SIZE }, signal),
    [order.id, page, q, state],
  );
  useLive([`order:${order.id}`], () => void list.reload());
  return (
    <Loaded of={list}>
      {({ samples, total }) =>
        samples.length === 0 ? (
          <Empty title={text.noneShown} />
        ) : (
          <div class="stack-tight">
            <SampleTable key={page} samples={samples} isWhole={isWhole} />
            <Pager
              page={page}
              pageSize={PAGE_SIZE}
              total={total}
              onPage={(next) => route(addressWith(path, query, { page: next === 1 ? null : String(next) }))}
            />
          </div>
        )
      }
    </Loaded>
  );
}
