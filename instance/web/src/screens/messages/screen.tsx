import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { useLive } from "../../api/live";
import { useList } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Button, LinkButton } from "../../parts/button";
import { Chip, FilterChip } from "../../parts/chip";
import { useColumns } from "../../parts/column-choice";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { type SavedColumn, SaveList } from "../../parts/saved-list";
import { SearchField } from "../../parts/search-field";
import { Table } from "../../parts/table";
import { Time } from "../../parts/time";
import { isAdmin } from "../../session";
import { text as common } from "../../text/en/common";
import { messages as words } from "../../text/en/messages";
import { listTickets, STATUSES, type Ticket } from "./state";
import { TONES } from "./tones";

const PAGE = 50;

export function Screen() {
  const { path, query, route } = useLocation();
  const [limit, setLimit] = useState(PAGE);
  const { q = "" } = query;
  const status = STATUSES.find((each) => each === query.state);
  const list = useList((signal) => listTickets({ status, q, limit }, signal), [status, q, limit]);
  useLive(["messages"], () => void list.reload());
  const change = (changes: Record<string, string | null>): void => {
    setLimit(PAGE);
    route(addressWith(path, query, changes), true);
  };
  const columns = useColumns("messages", columnsFor(isAdmin.value));
  return (
    <>
      <PageHead
        title={words.title}
        actions={
          <>
            <SaveList file="messages.csv" columns={columns.shown} rows={list.data.value?.tickets ?? []} />
            <LinkButton href="/messages/new" look="main" icon="edit">
              {words.newMessage}
            </LinkButton>
          </>
        }
      />
      <search class="line list-bar">
        <SearchField
          name="q"
          label={words.search}
          placeholder={words.subject}
          words={q}
          onSearch={(found) => change({ q: found })}
        />
        <FilterChip isOn={status === undefined} onToggle={() => change({ state: null })}>
          {words.all}
        </FilterChip>
        {STATUSES.map((each) => (
          <FilterChip key={each} isOn={status === each} onToggle={() => change({ state: each })}>
            {words.states[each]}
          </FilterChip>
        ))}
        <div class="list-tools">{columns.menu}</div>
      </search>
      <Loaded of={list}>
        {({ tickets, total }) =>
          tickets.length === 0 ? (
            <Nothing
              isFiltered={status !== undefined || q !== ""}
              onClear={() => change({ state: null, q: null })}
            />
          ) : (
            <>
              <Table label={words.title} columns={columns.shown} rows={tickets} rowId={({ id }) => id} />
              {total > tickets.length && (
                <div>
                  <Button onClick={() => setLimit(limit + PAGE)}>{words.showMore}</Button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  if (isFiltered) {
    return <Empty title={words.noneFound} action={<Button onClick={onClear}>{common.clearAll}</Button>} />;
  }
  if (isAdmin.value) return <Empty title={words.none}>{words.noneAdmin}</Empty>;
  return (
    <Empty title={words.none} action={<LinkButton href="/messages/new">{words.newMessage}</LinkButton>}>
      {words.noneWhy}
    </Empty>
  );
}

/** The columns of the list; whose message it is matters to admins only. */
function columnsFor(admin: boolean): SavedColumn<Ticket>[] {
  const nameOf = ({ user }: Ticket): string => `${user.firstName} ${user.lastName}`;
  const from: SavedColumn<Ticket> = {
    id: "from",
    label: words.from,
    cell: nameOf,
    isMinor: true,
    saved: nameOf,
  };
  return [
    {
      id: "subject",
      label: words.subject,
      cell: ({ id, subject, unreadCount }) => (
        <>
          <a href={`/messages/${id}`}>{unreadCount > 0 ? <strong>{subject}</strong> : subject}</a>{" "}
          {unreadCount > 0 && <Chip tone="run">{words.unread(unreadCount)}</Chip>}
        </>
      ),
      saved: ({ subject }) => subject,
    },
    ...(admin ? [from] : []),
    {
      id: "state",
      label: words.state,
      cell: ({ status }) => <Chip tone={TONES[status]}>{words.states[status]}</Chip>,
      saved: ({ status }) => words.states[status],
    },
    {
      id: "last",
      label: words.last,
      cell: ({ lastMessageAt }) => <Time at={lastMessageAt} />,
      isMinor: true,
      saved: ({ lastMessageAt }) => lastMessageAt,
    },
  ];
}
