import "../../../style/screens/live.css";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useLive } from "../../../api/live";
import { useResource } from "../../../api/resource";
import { addressWith } from "../../../parts/address";
import { Button } from "../../../parts/button";
import { DemoNote } from "../../../parts/demo-note";
import { Empty } from "../../../parts/empty";
import { SelectField } from "../../../parts/field";
import { Loaded } from "../../../parts/loading";
import { demoRefusal } from "../../../session";
import { liveText as text } from "../../../text/en/live";
import type { TabProps } from "../tabs";
import { StartDialog } from "./start-dialog";
import { lastOf, readStreams } from "./state";
import { StreamView } from "./stream-view";

/** What an instrument writes for this order, as it comes. */
export function Tab({ order }: TabProps) {
  const { path, query, route } = useLocation();
  const streams = useResource((signal) => readStreams(order, signal), [order.id]);
  const [isStarting, setStarting] = useState(false);
  useLive(["streams"], () => void streams.reload());
  const show = (id: string, isNew: boolean): void => route(addressWith(path, query, { stream: id }), !isNew);

  const start = (
    <Button look="main" icon="live" refusal={demoRefusal.value} onClick={() => setStarting(true)}>
      {text.start}
    </Button>
  );
  return (
    <div class="stack">
      <Loaded of={streams}>
        {(found) => {
          const shown = found.find(({ id }) => id === query.stream) ?? found[0];
          if (!shown) {
            return (
              <>
                <Empty title={text.none} action={start}>
                  {text.noneWhy}
                </Empty>
                <DemoNote />
              </>
            );
          }
          return (
            <>
              {found.length > 1 && (
                <SelectField
                  name="stream"
                  label={text.which}
                  value={shown.id}
                  choices={found.map(({ id, outputDir, startedAt }) => ({
                    value: id,
                    label: text.streamOf(lastOf(outputDir), startedAt),
                  }))}
                  onInput={(id) => show(id, false)}
                />
              )}
              <StreamView
                key={shown.id}
                order={order}
                stream={shown}
                start={start}
                onChange={streams.reload}
              />
            </>
          );
        }}
      </Loaded>
      {isStarting && (
        <StartDialog
          order={order}
          onClose={() => setStarting(false)}
          onStarted={async (id) => {
            await streams.reload();
            show(id, true);
          }}
        />
      )}
    </div>
  );
}
