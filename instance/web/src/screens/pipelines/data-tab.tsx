import { useState } from "preact/hooks";
import { DatabaseChip, sizeOf } from "../../analyses/readiness";
import { usePolling } from "../../api/polling";
import { useAction, useList } from "../../api/resource";
import { Button } from "../../parts/button";
import { ConfirmDialog } from "../../parts/confirm-dialog";
import { Copy } from "../../parts/copy";
import { Empty } from "../../parts/empty";
import { Loaded } from "../../parts/loading";
import { ProblemNotice } from "../../parts/problem";
import { demoRefusal } from "../../session";
import { pipelineText as text } from "../../text/en/pipelines";
import { type Database, fetchDatabase, isUnderWay, readDatabases, removeDatabase } from "./state";

/** The databases that installed pipelines declare: what is here, what is on its way, and what is missing. */
export function DataTab() {
  const databases = useList(readDatabases, []);
  usePolling(databases, databases.data.value?.some(isUnderWay) ?? false);
  const [asked, setAsked] = useState<Database | null>(null);
  return (
    <>
      <Loaded of={databases}>
        {(found) =>
          found.length === 0 ? (
            <Empty title={text.noData}>{text.noDataWhy}</Empty>
          ) : (
            <ul class="stack-tight" aria-label={text.tabs.data}>
              {found.map((database) => (
                <DatabaseCard
                  key={database.key}
                  database={database}
                  onChange={databases.reload}
                  onRemove={() => setAsked(database)}
                />
              ))}
            </ul>
          )
        }
      </Loaded>
      {asked && (
        <ConfirmDialog
          title={isUnderWay(asked) ? text.stopOf(asked.label) : text.removeData(asked.label)}
          verb={isUnderWay(asked) ? text.stop : text.remove}
          isDanger
          onConfirm={async () => {
            await removeDatabase(asked.key);
            await databases.reload();
          }}
          onClose={() => setAsked(null)}
        >
          {isUnderWay(asked) ? text.stopWhat : text.removeDataWhat}
        </ConfirmDialog>
      )}
    </>
  );
}

interface Props {
  database: Database;
  onChange: () => Promise<void>;
  onRemove: () => void;
}

function DatabaseCard({ database, onChange, onRemove }: Props) {
  const { key, label, version, status, error, pipelines, path, checkedAgainst, verifiedBy } = database;
  const fetching = useAction(async () => {
    await fetchDatabase(key);
    await onChange();
  });
  const problem = fetching.problem.value;
  const canFetch = status === "missing" || status === "failed";
  return (
    <li class="card stack-tight" aria-label={label}>
      <div class="spread">
        <h2>
          {label} {version}
        </h2>
        <DatabaseChip of={database} />
      </div>
      <p class="muted">
        {text.neededBy(pipelines)}; {sizeOf(database)},{" "}
        {verifiedBy === null ? text.checked[checkedAgainst] : text.verifiedBy[verifiedBy]}.
      </p>
      {isUnderWay(database) && <Progress of={database} />}
      {error && <p class="breaks">{error}</p>}
      {path ? (
        <p class="line">
          <span class="muted">{text.kept}</span> <Copy value={path} label={text.path} />
        </p>
      ) : (
        <p class="line">
          <span class="muted">{text.from}</span> <Copy value={database.downloadUrl} label={text.address} />
        </p>
      )}
      {problem && <ProblemNotice problem={problem} />}
      <div class="line">
        {canFetch && (
          <Button
            icon="download"
            label={status === "failed" ? text.fetchAgainOf(label) : text.fetchOf(label)}
            refusal={demoRefusal.value}
            isBusy={fetching.isRunning.value}
            onClick={() => void fetching.run()}
          >
            {status === "failed" ? text.fetchAgain : text.fetch}
          </Button>
        )}
        {status !== "missing" && (
          <Button
            label={isUnderWay(database) ? text.stopOf(label) : text.removeData(label)}
            refusal={demoRefusal.value}
            onClick={onRemove}
          >
            {isUnderWay(database) ? text.stop : text.remove}
          </Button>
        )}
      </div>
    </li>
  );
}

/** How far it is; without an end where its size is not known. */
function Progress({ of: { label, receivedBytes, totalBytes } }: { of: Database }) {
  const known = totalBytes ? { max: totalBytes, value: receivedBytes } : {};
  return <progress class="wide" {...known} aria-label={text.progressOf(label)} />;
}
