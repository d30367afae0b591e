import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { useLive } from "../../../api/live";
import { useAction, useResource } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { DemoNote } from "../../../parts/demo-note";
import { LiveStamp } from "../../../parts/live-stamp";
import { Loaded } from "../../../parts/loading";
import { ProblemNotice } from "../../../parts/problem";
import { demoRefusal } from "../../../session";
import { liveText as text } from "../../../text/en/live";
import type { Order } from "../state";
import { Barcodes } from "./barcodes";
import { Collected, Progress } from "./collected";
import { Events } from "./events";
import { Figures } from "./figures";
import { Hints, StateChip } from "./hints";
import { Numbers } from "./numbers";
import { readEvents, readMetrics, readPlan, type Stream, stopStream } from "./state";

interface Props {
  order: Order;
  stream: Stream;
  /** The button that starts another one. */
  start: ComponentChildren;
  onChange: () => Promise<void>;
}

interface Snapshot<T> {
  value: T;
  at: string;
}

/** What is shown while the view stands still: what was there when it was paused. */
function useSnapshot<T>(value: T, isPaused: boolean): Snapshot<T> {
  const kept = useRef<Snapshot<T>>({ value, at: new Date().toISOString() });
  if (!isPaused) kept.current = { value, at: new Date().toISOString() };
  return kept.current;
}

export function StreamView({ order, stream, start, onChange }: Props) {
  const metrics = useResource((signal) => readMetrics(stream, signal), [stream.id]);
  const events = useResource((signal) => readEvents(stream, signal), [stream.id]);
  const plan = useResource((signal) => readPlan(stream, signal), [stream.id]);
  const [isPaused, setPaused] = useState(false);
  const again = (): Promise<unknown> =>
    Promise.all([onChange(), metrics.reload(), events.reload(), plan.reload()]);
  useLive(
    [`stream:${stream.id}`],
    () => void again(),
    () => stream.status !== "STOPPED",
  );
  const stop = useAction(async () => {
    await stopStream(stream);
    await again();
  });
  const shown = useSnapshot({ stream, metrics: metrics.data.value, events: events.data.value }, isPaused);
  const isActive = stream.status === "ACTIVE";
  const problem = stop.problem.value;
  const refusal = isActive ? demoRefusal.value : (demoRefusal.value ?? text.alreadyStopping);
  return (
    <div class="stack">
      <div class="spread">
        <span class="line">
          <StateChip stream={stream} metrics={metrics.data.value} />
          <LiveStamp of={[metrics, events]} />
        </span>
        <span class="line">
          <Button isPressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {text.pause}
          </Button>
          {stream.status === "STOPPED" ? (
            start
          ) : (
            <Button isBusy={stop.isRunning.value} refusal={refusal} onClick={() => void stop.run()}>
              {text.stop}
            </Button>
          )}
          <Collected stream={stream} plan={plan} onChange={again} />
        </span>
      </div>
      <DemoNote />
      <Progress samples={plan.data.value ?? []} />
      {problem && <ProblemNotice problem={problem} />}
      {isPaused && (
        <p class="notice notice-wait" role="status">
          {text.paused(shown.at)}
        </p>
      )}
      <Loaded of={metrics}>
        {(newest) => {
          const seen = shown.value.metrics ?? newest;
          return (
            <>
              <Hints stream={shown.value.stream} metrics={seen} />
              <Numbers stream={shown.value.stream} metrics={seen} />
              <Figures metrics={seen} />
              <Barcodes order={order} stream={stream} metrics={seen} onChange={again} />
            </>
          );
        }}
      </Loaded>
      <Loaded of={events}>{(newest) => <Events events={shown.value.events ?? newest} />}</Loaded>
    </div>
  );
}
