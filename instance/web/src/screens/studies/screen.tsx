import "../../style/screens/studies.css";
import { useLocation } from "preact-iso";
import { useLive } from "../../api/live";
import { useResource } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Button, LinkButton } from "../../parts/button";
import { useColumns } from "../../parts/column-choice";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { MoreRows } from "../../parts/more-rows";
import { PageHead } from "../../parts/page-head";
import { type SavedColumn, SaveList } from "../../parts/saved-list";
import { SearchField } from "../../parts/search-field";
import { Table } from "../../parts/table";
import { Time } from "../../parts/time";
import { isAdmin } from "../../session";
import { text } from "../../text/en/studies";
import { count } from "../../text/format";
import { type Checklists, type ListedStudy, nameOf, readChecklists, useStudies } from "./state";
import { StateChip, stateOf } from "./state-chip";

export function Screen() {
  const { path, query, route } = useLocation();
  const words = query.q ?? "";
  const pages = useStudies(words);
  const { list } = pages;
  const checklists = useResource(readChecklists, []);
  useLive(["studies"], () => void list.reload());
  const search = (q: string): void => route(addressWith(path, query, { q }), true);
  const columns = useColumns("studies", columnsOf(checklists.data.value));
  const newStudy = (
    <LinkButton look="main" icon="add" href="/studies/new">
      {text.newStudy}
    </LinkButton>
  );
  return (
    <div class="stack">
      <PageHead
        title={text.studies}
        actions={
          <>
            <SaveList file="studies.csv" columns={columns.shown} rows={pages.rows} all={pages} />
            {newStudy}
          </>
        }
        help="metadata"
      />
      <search class="line list-bar">
        <SearchField name="q" label={text.search} words={words} onSearch={search} />
        <div class="list-tools">{columns.menu}</div>
      </search>
      <Loaded of={list}>
        {({ rows }) =>
          rows.length === 0 ? (
            <NoStudies isSearch={words !== ""} action={newStudy} onClear={() => search("")} />
          ) : (
            <div class="stack-tight">
              <Table label={text.studies} columns={columns.shown} rows={rows} rowId={({ id }) => id} />
              <MoreRows of={pages} words={text.more} />
            </div>
          )
        }
      </Loaded>
    </div>
  );
}

interface NoStudiesProps {
  isSearch: boolean;
  action: preact.ComponentChildren;
  onClear: () => void;
}

function NoStudies({ isSearch, action, onClear }: NoStudiesProps) {
  if (isSearch) {
    return <Empty title={text.noneFound} action={<Button onClick={onClear}>{text.showAll}</Button>} />;
  }
  return (
    <Empty title={text.none} action={action}>
      {text.noneWhy}
    </Empty>
  );
}

function columnsOf(checklists: Checklists | null): SavedColumn<ListedStudy>[] {
  const ownerOf = ({ user }: ListedStudy): string => `${user.firstName} ${user.lastName}`;
  const columns: (SavedColumn<ListedStudy> | false)[] = [
    {
      id: "title",
      label: text.title,
      cell: ({ id, title }) => <a href={`/studies/${id}`}>{title}</a>,
      saved: ({ title }) => title,
    },
    isAdmin.value && {
      id: "owner",
      label: text.owner,
      cell: ownerOf,
      isMinor: true,
      saved: ownerOf,
    },
    {
      id: "checklist",
      label: text.checklist,
      cell: ({ checklistType }) =>
        checklistType === null ? (
          <span class="muted">{text.noChecklist}</span>
        ) : (
          nameOf(checklists, checklistType)
        ),
      isMinor: true,
      saved: ({ checklistType }) => (checklistType === null ? "" : nameOf(checklists, checklistType)),
    },
    {
      id: "version",
      label: text.version,
      cell: ({ mixsVersion }) => count(mixsVersion),
      isNumber: true,
      isMinor: true,
      saved: ({ mixsVersion }) => mixsVersion,
    },
    {
      id: "samples",
      label: text.samples,
      cell: ({ counts }) => count(counts.samples),
      isNumber: true,
      saved: ({ counts }) => counts.samples,
    },
    {
      id: "state",
      label: text.ready,
      cell: (study) => <StateChip study={study} />,
      isMinor: true,
      saved: stateOf,
    },
    {
      id: "changed",
      label: text.changed,
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
      isMinor: true,
      saved: ({ updatedAt }) => updatedAt,
    },
  ];
  return columns.filter((column) => column !== false);
}
