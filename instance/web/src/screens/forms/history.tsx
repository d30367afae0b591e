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
import { VERSIONS_A_PAGE, type Version } from "./state";

/** The form before the first save, which no save is listed of; versions are counted from it on. */
const FIRST_VERSION = 1;

/** Every save of a form: who, when, and what changed. */
export function History({ builder }: { builder: Builder }) {
  const { path, query, route } = useLocation();
  const page = Math.max(1, Number(query.page) || 1);
  const { source, saved } = builder;
  const versions = useList((signal) => source.versions(page, signal), [page, saved.value.tag]);
  const addressOf = (changes: Record<string, string | null>): string => addressWith(path, query, changes);
  const opened = Number(query.version);
  return (
    <Loaded of={versions}>
      {({ total, versions: rows }) => {
        const current = FIRST_VERSION + total;
        return total === 0 ? (
          <Empty title={text.noHistory}>{text.noHistoryWhy}</Empty>
        ) : (
          <>
            <Table
              label={text.versions}
              columns={columnsOf(current, (one) => addressOf({ version: String(one) }))}
              rows={rows}
              rowId={(one) => String(one.version)}
            />
            <Pager
              page={page}
              pageSize={VERSIONS_A_PAGE}
              total={total}
              onPage={(next) => route(addressOf({ page: next === 1 ? null : String(next) }))}
            />
            {opened > FIRST_VERSION && (
              <Compared
                key={opened}
                builder={builder}
                version={opened}
                current={current}
                against={query.against === "now" ? "now" : "before"}
                choose={(against) => route(addressOf({ against: against === "now" ? "now" : null }), true)}
                onClose={() => route(addressOf({ version: null, against: null }), true)}
              />
            )}
          </>
        );
      }}
    </Loaded>
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
  /** The version in force. */
  current: number;
  against: "before" | "now";
  choose: (against: string) => void;
  onClose: () => void;
}

/** A version beside the one before it, or beside the one in force. */
function Compared({ builder, version, current, against, choose, onClose }: ComparedProps) {
  const { source } = builder;
  const other = against === "now" ? current : version - 1;
  const both = useResource(
    (signal) => Promise.all([source.version(version, signal), source.version(other, signal)]),
    [version, other],
  );
  const { path, route } = useLocation();
  const take = (): void => {
    const form = both.data.value?.[0];
    if (form === undefined) return;
    const { fields, groups, enabledMixsChecklists } = form;
    builder.change({ fields, groups, enabledMixsChecklists });
    route(`${path}${source.search}`);
  };
  return (
    <Dialog
      title={text.compare(version)}
      isDrawer
      onClose={onClose}
      isWaiting={both.data.value === null}
      actions={version !== current && <Button onClick={take}>{text.takeVersion}</Button>}
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
