import { useState } from "preact/hooks";
import { type Resource, useList } from "./resource";

/** Rows of a list, and how many there are in all. */
export interface Rows<R> {
  rows: R[];
  total: number;
}

/** Read so many rows from a place on. */
export type ReadRows<R> = (
  range: { limit: number; offset: number },
  signal: AbortSignal,
) => Promise<{ rows: R[]; total: number }>;

export interface Pages<R> {
  list: Resource<Rows<R>>;
  /** Those that are shown. */
  rows: readonly R[];
  total: number;
  /** How many come with the next page; 0 when all are shown. */
  next: number;
  more(): void;
  /** Every row that fits, also those that are not shown. */
  readAll(): Promise<R[]>;
}

/** The most that the service gives at a time. */
const MOST = 500;

/** A list that grows by pages. Other filters begin at its first page; what was shown stays until they are answered. */
export function usePages<R extends { id: string }>(read: ReadRows<R>, query: object, size: number): Pages<R> {
  const key = JSON.stringify(query);
  const [grown, grow] = useState({ key, pages: 1 });
  const pages = grown.key === key ? grown.pages : 1;
  const list = useList((signal) => readPages(read, size, pages, signal), [key, pages]);
  const { rows, total } = list.data.value ?? { rows: [], total: 0 };
  return {
    list,
    rows,
    total,
    next: Math.min(size, total - rows.length),
    more: () => grow({ key, pages: pages + 1 }),
    readAll: async () => {
      const all = await readPages(read, MOST, Math.ceil(total / MOST), new AbortController().signal);
      return all.rows;
    },
  };
}

/** Rows that moved between two pages meanwhile are there once. */
async function readPages<R extends { id: string }>(
  read: ReadRows<R>,
  size: number,
  pages: number,
  signal: AbortSignal,
): Promise<Rows<R>> {
  const answers = await Promise.all(
    Array.from({ length: pages }, (_, page) => read({ limit: size, offset: page * size }, signal)),
  );
  const byId = new Map(answers.flatMap(({ rows }) => rows.map((row) => [row.id, row])));
  return { rows: [...byId.values()], total: answers[0]?.total ?? 0 };
}
