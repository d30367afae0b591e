import { useEffect, useState } from "preact/hooks";
import { useResource } from "../../../api/resource";
import { Button, LinkButton } from "../../../parts/button";
import { Chip } from "../../../parts/chip";
import { Copy } from "../../../parts/copy";
import { Loaded } from "../../../parts/loading";
import { previewOf } from "../../../parts/report";
import { type SavedColumn, SaveList } from "../../../parts/saved-list";
import { Table } from "../../../parts/table";
import { Time } from "../../../parts/time";
import { demoRefusal } from "../../../session";
import { readsText, artifactText as text } from "../../../text/en/reads";
import { size } from "../../../text/format";
import type { Order } from "../state";
import { ArtifactDialog, DeleteArtifacts } from "./opened";
import { type Artifact, downloadOf, readArtifacts } from "./state";

interface Props {
  order: Order;
  changes: number;
  onDone: (words: string) => void;
}

type Asked = { action: "change" | "delete"; artifact: Artifact };

/** The files of an order that are no reads: reports, sample sheets, attachments. */
export function Artifacts({ order, changes, onDone }: Props) {
  const list = useResource((signal) => readArtifacts(order.id, signal), [order.id]);
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    if (changes > 0) void list.reload();
  }, [changes]);
  const columns = columnsOf(setAsked);
  const rows = list.data.value ?? [];
  const close = (): void => setAsked(null);
  return (
    <div class="stack-tight">
      <div class="spread">
        <h2>{text.title}</h2>
        {rows.length > 0 && (
          <SaveList file={`${order.orderNumber}-files.csv`} columns={columns} rows={rows} />
        )}
      </div>
      <Loaded of={list}>
        {(artifacts) =>
          artifacts.length === 0 ? (
            <p class="muted">{text.none}</p>
          ) : (
            <Table label={text.title} columns={columns} rows={artifacts} rowId={({ id }) => id} />
          )
        }
      </Loaded>
      {asked?.action === "change" && (
        <ArtifactDialog order={order} artifact={asked.artifact} onDone={onDone} onClose={close} />
      )}
      {asked?.action === "delete" && (
        <DeleteArtifacts order={order} artifacts={[asked.artifact]} onDone={onDone} onClose={close} />
      )}
    </div>
  );
}

function columnsOf(onAsk: (asked: Asked) => void): SavedColumn<Artifact>[] {
  return [
    {
      id: "name",
      label: text.file,
      cell: ({ originalName, path }) => (
        <span class="reads-name" title={originalName}>
          <LinkButton look="link" href={downloadOf(path)} download refusal={demoRefusal.value}>
            {originalName}
          </LinkButton>
        </span>
      ),
      saved: ({ originalName }) => originalName,
    },
    {
      id: "kind",
      label: text.kind,
      isMinor: true,
      cell: ({ artifactType }) => text.kinds[artifactType],
      saved: ({ artifactType }) => text.kinds[artifactType],
    },
    {
      id: "sample",
      label: text.whose,
      isMinor: true,
      cell: ({ sampleCode }) => (sampleCode ? <code>{sampleCode}</code> : text.ofOrder),
      saved: ({ sampleCode }) => sampleCode ?? "",
    },
    {
      id: "size",
      label: readsText.size,
      isNumber: true,
      isMinor: true,
      cell: (artifact) => (artifact.size === null ? "–" : size(artifact.size)),
      saved: (artifact) => artifact.size ?? "",
      savedLabel: readsText.bytes,
    },
    {
      id: "visibility",
      label: text.seenBy,
      cell: ({ visibility, isDelivered }) => (
        <span class="line">
          {text.visibilities[visibility]}
          {isDelivered && <Chip tone="run">{readsText.delivered}</Chip>}
        </span>
      ),
      saved: ({ visibility }) => text.visibilities[visibility],
    },
    {
      id: "md5",
      label: readsText.md5,
      isMinor: true,
      cell: ({ checksum, originalName }) =>
        checksum ? <Copy value={checksum} label={text.md5Of(originalName)} /> : <span class="muted">–</span>,
      saved: ({ checksum }) => checksum ?? "",
    },
    {
      id: "added",
      label: text.added,
      isMinor: true,
      cell: ({ createdAt, createdBy }) => (
        <span class="short">
          <Time at={createdAt} />
          {createdBy && text.by(createdBy)}
        </span>
      ),
      saved: ({ createdAt }) => createdAt,
    },
    {
      id: "do",
      label: text.actions,
      cell: (artifact) => <ArtifactActions artifact={artifact} onAsk={onAsk} />,
    },
  ];
}

function ArtifactActions({ artifact, onAsk }: { artifact: Artifact; onAsk: (asked: Asked) => void }) {
  const { originalName, path } = artifact;
  const shown = previewOf(path);
  return (
    <span class="reads-actions">
      {shown && (
        <a href={shown} target="_blank" rel="noopener" aria-label={text.openOf(originalName)}>
          {text.open}
        </a>
      )}
      <Button
        icon="edit"
        look="quiet"
        label={text.changeOf(originalName)}
        refusal={demoRefusal.value}
        onClick={() => onAsk({ action: "change", artifact })}
      />
      <Button
        icon="trash"
        look="quiet"
        label={text.deleteOf(originalName)}
        refusal={demoRefusal.value}
        onClick={() => onAsk({ action: "delete", artifact })}
      />
    </span>
  );
}
