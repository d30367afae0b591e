import "../../../style/screens/reads.css";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useLive } from "../../../api/live";
import { useList, useResource } from "../../../api/resource";
import { addressWith } from "../../../parts/address";
import { Button } from "../../../parts/button";
import { Empty } from "../../../parts/empty";
import { PLATE_STATES, TILES_SHOWN } from "../../../parts/plate-tiles";
import { demoRefusal } from "../../../session";
import { readsText as text } from "../../../text/en/reads";
import { AddReads } from "../../../uploads/add-reads";
import { readSamples } from "../state";
import type { TabProps } from "../tabs";
import type { ReadAction } from "./actions";
import { Artifacts } from "./artifacts";
import { ReadsBar } from "./bar";
import { ActionDialog, LinkDialog, SampleDrawer } from "./opened";
import { PlateCard } from "./plate-card";
import { ReadsTable } from "./read-table";
import { DATA_CLASSES, MD5_STATES, readPage, type Wanted } from "./state";
import type { Subject } from "./subjects";

/** What an address asks of the reads; a word that is none is left out. */
function useWanted(): { wanted: Wanted; page: number } {
  const { query } = useLocation();
  const state = PLATE_STATES.find((known) => known === query.state);
  const md5 = MD5_STATES.find((known) => known === query.md5);
  const dataClass = DATA_CLASSES.find((known) => known === query.dataClass);
  const page = Number(query.page);
  return {
    wanted: {
      ...(query.q && { q: query.q }),
      ...(state && { state }),
      ...(md5 && { md5 }),
      ...(dataClass && { dataClass }),
    },
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
  };
}

interface Asked {
  action: ReadAction;
  subjects: readonly Subject[];
}

/** The reads of an order by sample, and its other files. */
export function Tab({ order, onChange }: TabProps) {
  const { path, query, route } = useLocation();
  const { wanted, page } = useWanted();
  const hasTiles = order.counts.samples <= TILES_SHOWN;
  const list = useList(
    (signal) => readPage(order.id, { ...wanted, page }, signal),
    [order.id, page, ...Object.entries(wanted).flat()].map(String),
  );
  const tiles = useResource(
    async (signal) =>
      hasTiles ? (await readSamples(order.id, { pageSize: TILES_SHOWN }, signal)).samples : null,
    [order.id, hasTiles],
  );
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isLinking, setLinking] = useState(false);
  const [status, setStatus] = useState({ words: "", count: 0 });
  /** Grows with everything that was done here: what else shows files is read again. */
  const [changes, setChanges] = useState(0);
  useLive([`order:${order.id}`], () => {
    void list.reload();
    if (hasTiles) void tiles.reload();
    setChanges((before) => before + 1);
  });
  const change = (changes: Record<string, string | null>): void =>
    route(addressWith(path, query, { page: null, ...changes }), true);
  const done = (words: string): void => {
    setStatus(({ count }) => ({ words, count: count + 1 }));
    setChanges((before) => before + 1);
    void list.reload();
    void onChange();
  };

  if (order.counts.samples === 0) return <Empty title={text.none}>{text.noneWhy}</Empty>;
  const found = list.data.value;
  const refusal = demoRefusal.value ?? (found && !found.canManage ? text.onlySubmitted : null);
  return (
    <AddReads
      orderId={order.id}
      orderNumber={order.orderNumber}
      refusal={refusal}
      openUploads={found?.summary.openUploads ?? 0}
      beside={
        <Button icon="link" refusal={refusal} onClick={() => setLinking(true)}>
          {text.link}
        </Button>
      }
    >
      <ReadsBar page={found} />
      <PlateCard
        order={order}
        tiles={tiles}
        state={wanted.state}
        onState={(state) => change({ state })}
        onOpen={(sample) => route(addressWith(path, query, { sample }))}
      />
      <ReadsTable
        order={order}
        list={list}
        wanted={wanted}
        page={page}
        status={status.words}
        actionCount={status.count}
        onChange={change}
        onAction={(action, subjects) => setAsked({ action, subjects })}
      />
      <Artifacts order={order} changes={changes} onDone={done} />
      {query.sample && (
        <SampleDrawer
          order={order}
          sample={query.sample}
          changes={changes}
          onAction={(action, subjects) => setAsked({ action, subjects })}
          onClose={() => route(addressWith(path, query, { sample: null }), true)}
        />
      )}
      {isLinking && found && (
        <LinkDialog
          order={order}
          defaultClass={found.uploadRules.defaultDataClass}
          onLinked={(samples) => done(text.linked(samples))}
          onClose={() => setLinking(false)}
        />
      )}
      {asked && (
        <ActionDialog
          {...asked}
          order={order}
          isPublished={found?.isPublished ?? false}
          onDone={done}
          onClose={() => setAsked(null)}
        />
      )}
    </AddReads>
  );
}
