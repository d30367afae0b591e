import { useLocation } from "preact-iso";
import { useList, useResource } from "../../api/resource";
import { addressWith } from "../../parts/address";
import { Button } from "../../parts/button";
import { Chip } from "../../parts/chip";
import { Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { SelectField } from "../../parts/field";
import { Loaded } from "../../parts/loading";
import { Pager } from "../../parts/pager";
import { type Column, Table } from "../../parts/table";
import { Time } from "../../parts/time";
import { text } from "../../text/en/forms";
import type { Builder } from "./builder";
import { differences } from "./compare";
import { Differences } from "./differences";
import { readVersion, readVersions, VERSIONS_A_PAGE, type Version } from "./state";

/** Every form that was saved: who, when, and what changed. */
export function History({ builder }: { builder: Builder }) {
  const { path, query, route } = useLocation();
  const page = Math.max(1, Number(query.page) || 1);
  const { version } = builder.saved.value;
  const versions = useList((signal) => readVersions(page, signal), [page, version]);
  const addressOf = (changes: Record<string, string | null>): string => addressWith(path, query, changes);
  const opened = Number(query.version);
  return (
    <>
      <Loaded of={versions}>
        {(found) =>
          found.total === 0 ? (
            <Empty title={text.noHistory}>{text.noHistoryWhy}</Empty>
          ) : (
            <>
              <Table
                label={text.versions}
                columns={columnsOf(version ?? 0, (one) => addressOf({ version: String(one) }))}
                rows={found.versions}
                rowId={(one) => String(one.version)}
              />
              <Pager
                page={page}
                pageSize={VERSIONS_A_PAGE}
                total={found.total}
                onPage={(next) => route(addressOf({ page: next === 1 ? null : String(next) }))}
              />
            </>
          )
        }
      </Loaded>
      {opened > 1 && (
        <Compared
          key={opened}
          builder={builder}
          version={opened}
          against={query.against === "now" ? "now" : "before"}
          choose={(against) => route(addressOf({ against: against === "now" ? "now" : null }), true)}
          onClose={() => route(addressOf({ version: null, against: null }), true)}
        />
      )}
    </>
  );
}

function columnsOf(current: number, addressOf: (version: number) => string): Column<Version>[] {
  return [
    {
      id: "version",
      label: text.aVersion,
      cell: ({ version }) => (
        <a href={addressOf(version)} aria-haspopup="dialog">
          {text.version(version)}
        </a>
      ),
    },
    { id: "saved", label: text.savedAt, cell: ({ savedAt }) => <Time at={savedAt} /> },
    {
      id: "by",
      label: text.by,
      cell: ({ savedBy }) =>
        savedBy && <span class="person">{`${savedBy.firstName} ${savedBy.lastName}`}</span>,
    },
    {
      id: "current",
      label: text.current,
      cell: ({ version }) => version === current && <Chip tone="ok">{text.current}</Chip>,
    },
  ];
}

interface ComparedProps {
  builder: Builder;
  version: number;
  against: "before" | "now";
  choose: (against: string) => void;
  onClose: () => void;
}

/** A version beside the one before it, or beside the one in force. */
function Compared({ builder, version, against, choose, onClose }: ComparedProps) {
  const now = builder.saved.value.version ?? 0;
  const other = against === "now" ? now : version - 1;
  const both = useResource(
    (signal) => Promise.all([readVersion(version, signal), readVersion(other, signal)]),
    [version, other],
  );
  const { path, route } = useLocation();
  const take = (): void => {
    const form = both.data.value?.[0];
    if (form === undefined) return;
    const { fields, groups, enabledMixsChecklists } = form;
    builder.change({ fields, groups, enabledMixsChecklists });
    route(path);
  };
  return (
    <Dialog
      title={text.compare(version)}
      isDrawer
      onClose={onClose}
      isWaiting={both.data.value === null}
      actions={version !== now && <Button onClick={take}>{text.takeVersion}</Button>}
    >
      <div class="stack">
        <SelectField
          name="against"
          label={text.compareWith}
          value={against}
          onInput={choose}
          choices={[
            { value: "before", label: text.before },
            { value: "now", label: text.now },
          ]}
        />
        <Loaded of={both}>
          {([own, beside]) => {
            const [from, to] = against === "now" ? [own, beside] : [beside, own];
            return <Differences of={differences(from, to)} from={from} to={to} />;
          }}
        </Loaded>
      </div>
    </Dialog>
  );
}
