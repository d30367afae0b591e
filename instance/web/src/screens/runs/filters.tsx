import type { ComponentChildren } from "preact";
import { useList } from "../../api/resource";
import type { Filter } from "../../parts/active-filters";
import { FilterMenu } from "../../parts/filter-menu";
import { ListFilters } from "../../parts/list-filters";
import { isAdmin } from "../../session";
import { runText, listText as text } from "../../text/en/runs";
import { type Query, readPipelines, STATUSES } from "./state";

interface Props {
  query: Query;
  /** The order that the list is narrowed to, as its runs name it. */
  orderName: string | undefined;
  onChange: (changes: Record<string, string | null>) => void;
  onClear: () => void;
  /** What is done with the list. */
  children: ComponentChildren;
}

/** What narrows the list of runs. All of it is part of the address. */
export function Filters({ query, orderName, onChange, onClear, children }: Props) {
  const pipelines = useList(async (signal) => (isAdmin.value ? await readPipelines(signal) : []), []);
  const names = new Map((pipelines.data.value ?? []).map(({ id, name }) => [id, name]));
  const { status, pipelineId, pipelineVersion, orderId } = query;
  // A version is one of its pipeline.
  const ofPipeline = (pipeline: string | null): void =>
    onChange({ pipelineId: pipeline, pipelineVersion: null });
  const filters: Filter[] = [
    [["status"], text.state, status && runText.state[status as keyof typeof runText.state]],
    [["pipelineId", "pipelineVersion"], text.pipeline, pipelineId && (names.get(pipelineId) ?? pipelineId)],
    [["pipelineVersion"], text.version, pipelineVersion],
    [["order"], text.order, orderId && (orderName ?? text.oneOrder)],
  ];
  return (
    <ListFilters
      search={{
        name: "q",
        label: text.search,
        placeholder: text.searchHint,
        words: query.q ?? "",
        onSearch: (q) => onChange({ q }),
      }}
      filters={filters}
      onChange={onChange}
      onClear={onClear}
      tools={children}
    >
      <FilterMenu
        label={text.state}
        any={text.anyState}
        value={status}
        choices={STATUSES.map((one) => ({ value: one, label: runText.state[one] }))}
        onChoose={(chosen) => onChange({ status: chosen })}
      />
      {isAdmin.value && (
        <FilterMenu
          label={text.pipeline}
          any={text.anyPipeline}
          value={pipelineId}
          choices={[...names].map(([value, label]) => ({ value, label }))}
          onChoose={ofPipeline}
        />
      )}
    </ListFilters>
  );
}
