import type { Resource } from "../../../api/resource";
import { Plate } from "../../../parts/plate";
import type { PlateState } from "../../../parts/plate-tiles";
import { orderText } from "../../../text/en/orders";
import type { Order, Sample } from "../state";

interface Props {
  order: Order;
  /** The samples of the tiles; null where there are too many for tiles. */
  tiles: Resource<Sample[] | null>;
  state: PlateState | undefined;
  onState: (state: PlateState | null) => void;
  onOpen: (sampleCode: string) => void;
}

/** The plate of the order: its legend narrows the table, a tile opens its sample. */
export function PlateCard({ order, tiles, state, onState, onOpen }: Props) {
  const samples = tiles.data.value;
  return (
    <div class="card">
      <Plate
        tiles={samples?.map(asTile) ?? null}
        counts={order.plate}
        labels={orderText.plate}
        filter={new Set(state && [state])}
        onFilter={(states) => onState([...states].find((each) => each !== state) ?? null)}
        onOpen={({ id }) => onOpen(id)}
      />
    </div>
  );
}

const asTile = ({ sampleId, sampleAlias, plateState }: Sample) => ({
  id: sampleId,
  label: sampleAlias ?? sampleId,
  state: plateState,
});
