import "../../../style/screens/reads.css";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useLive } from "../../../api/live";
import { useList, useResource } from "../../../api/resource";
import { addressWith } from "../../../parts/address";
import { Empty } from "../../../parts/empty";
import { PLATE_STATES, TILES_SHOWN } from "../../../parts/plate-tiles";
import { demoRefusal } from "../../../session";
import { readsText as text } from "../../../text/en/reads";
import { AddReads } from "../../../uploads/add-reads";
import { readSamples } from "../state";
import type { TabProps } from "../tabs";
import { type Deed, DeedDialog } from "./actions";
import { Artifacts } from "./artifacts";
import { ReadsBar } from "./bar";
import { SampleDrawer } from "./drawer";
import { LinkDialog } from "./link-dialog";
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
  deed: Deed;
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
  const [said, say] = useState({ words: "", acts: 0 });
  /** Grows with everything that was done here: what else shows files is read again. */
  const [deeds, setDeeds] = useState(0);
  useLive([`order:${order.id}`], () => {
    void list.reload();
    if (hasTiles) void tiles.reload();
    setDeeds((before) => before + 1);
  });
  const change = (changes: Record<string, string | null>): void =>
    route(addressWith(path, query, { page: null, ...changes }), true);
  const done = (words: string): void => {
    say(({ acts }) => ({ words, acts: acts + 1 }));
    setDeeds((before) => before + 1);
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
    >
      <ReadsBar page={found} refusal={refusal} onLink={() => setLinking(true)} />
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
        said={said.words}
        acts={said.acts}
        onChange={change}
        onDeed={(deed, subjects) => setAsked({ deed, subjects })}
      />
      <Artifacts order={order} deeds={deeds} onDone={done} />
      {query.sample && (
        <SampleDrawer
          order={order}
          sample={query.sample}
          deeds={deeds}
          onDeed={(deed, subjects) => setAsked({ deed, subjects })}
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
        <DeedDialog
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
