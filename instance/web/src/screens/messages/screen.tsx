import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { useLive } from "../../api/live";
import { useResource } from "../../api/resource";
import { Button, LinkButton } from "../../parts/button";
import { Chip, FilterChip } from "../../parts/chip";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { PageHead } from "../../parts/page-head";
import { type Column, Table } from "../../parts/table";
import { Time } from "../../parts/time";
import { isAdmin } from "../../session";
import { messages as words } from "../../text/en/messages";
import { listTickets, STATUSES, type Ticket } from "./state";
import { TONES } from "./tones";

const PAGE = 50;

export function Screen() {
  const { query, route } = useLocation();
  const limit = useSignal(PAGE);
  const status = STATUSES.find((each) => each === query.state);
  const tickets = useResource((signal) => listTickets(status, limit.value, signal), [status, limit.value]);
  useLive(["messages"], () => void tickets.reload());
  return (
    <>
      <PageHead
        title={words.title}
        actions={
          <LinkButton href="/messages/new" look="main" icon="edit">
            {words.newMessage}
          </LinkButton>
        }
      />
      <div class="line">
        <FilterChip isOn={status === undefined} onToggle={() => route("/messages")}>
          {words.all}
        </FilterChip>
        {STATUSES.map((each) => (
          <FilterChip key={each} isOn={status === each} onToggle={() => route(`/messages?state=${each}`)}>
            {words.states[each]}
          </FilterChip>
        ))}
      </div>
      <Loaded of={tickets}>
        {({ tickets: found, total }) =>
          found.length === 0 ? (
            <Nothing isFiltered={status !== undefined} />
          ) : (
            <>
              <Table label={words.title} columns={columns()} rows={found} rowId={({ id }) => id} />
              {total > found.length && (
                <div>
                  <Button onClick={() => (limit.value += PAGE)}>{words.showMore}</Button>
                </div>
              )}
            </>
          )
        }
      </Loaded>
    </>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <Empty title={words.noneOfState} />;
  if (isAdmin.value) return <Empty title={words.none}>{words.noneAdmin}</Empty>;
  return (
    <Empty title={words.none} action={<LinkButton href="/messages/new">{words.newMessage}</LinkButton>}>
      {words.noneWhy}
    </Empty>
  );
}

function columns(): Column<Ticket>[] {
  const from: Column<Ticket> = {
    id: "from",
    label: words.from,
    cell: ({ user }) => `${user.firstName} ${user.lastName}`,
    isMinor: true,
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
    },
    ...(isAdmin.value ? [from] : []),
    {
      id: "state",
      label: words.state,
      cell: ({ status }) => <Chip tone={TONES[status]}>{words.states[status]}</Chip>,
    },
    {
      id: "last",
      label: words.last,
      cell: ({ lastMessageAt }) => <Time at={lastMessageAt} />,
      isMinor: true,
    },
  ];
}
