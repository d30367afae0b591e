import { useState } from "preact/hooks";
import { Button } from "../../../parts/button";
import { ConfirmDialog } from "../../../parts/confirm-dialog";
import { type Column, Table } from "../../../parts/table";
import { Time } from "../../../parts/time";
import { clusterText as text } from "../../../text/en/delivery";
import { exactTime } from "../../../text/format";
import type { Order } from "../state";
import { type DeliveryLink, revokeLink } from "./state";

interface Props {
  order: Order;
  links: readonly DeliveryLink[];
  onRevoke: (linkId: string) => Promise<void>;
}

/** The addresses of a delivery that were made, and whether they still work. */
export function LinkList({ order, links, onRevoke }: Props) {
  const [asked, setAsked] = useState<DeliveryLink | null>(null);
  const columns: Column<DeliveryLink>[] = [
    { id: "made", label: text.created, cell: (link) => <Time at={link.createdAt} /> },
    {
      id: "by",
      label: text.by,
      cell: ({ createdBy }) => `${createdBy.firstName} ${createdBy.lastName}`,
      isMinor: true,
    },
    {
      id: "used",
      label: text.used,
      cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : text.never),
    },
    { id: "ends", label: text.expires, cell: (link) => <Ending link={link} /> },
    {
      id: "revoke",
      label: text.revoke,
      cell: (link) =>
        isOpen(link) && (
          <Button look="quiet" label={nameOf(link)} onClick={() => setAsked(link)}>
            {text.revoke}
          </Button>
        ),
    },
  ];
  return (
    <>
      <Table label={text.links} columns={columns} rows={links} rowId={(link) => link.id} />
      {asked && (
        <ConfirmDialog
          title={nameOf(asked)}
          verb={text.revoke}
          isDanger
          onConfirm={async () => {
            await revokeLink(order.id, asked.id);
            await onRevoke(asked.id);
          }}
          onClose={() => setAsked(null)}
        >
          {text.revokeWhat}
        </ConfirmDialog>
      )}
    </>
  );
}

const nameOf = ({ createdAt }: DeliveryLink): string => text.revokeOf(exactTime(new Date(createdAt)));

function Ending({ link }: { link: DeliveryLink }) {
  if (link.revokedAt) return <span class="muted">{text.revoked}</span>;
  return isOpen(link) ? <Time at={link.expiresAt} /> : <span class="muted">{text.ended}</span>;
}

function isOpen({ revokedAt, expiresAt }: DeliveryLink): boolean {
  return revokedAt === null && new Date(expiresAt) > new Date();
}
