import { useState } from "preact/hooks";
import { Button, LinkButton } from "../../../parts/button";
import { Time } from "../../../parts/time";
import { demoRefusal, isAdmin } from "../../../session";
import { deliveryText as text } from "../../../text/en/delivery";
import type { Order } from "../state";
import { CheckDialog } from "./check-dialog";
import { ClusterDialog } from "./cluster-dialog";
import { type DeliveredFile, type Delivery, totalBytes } from "./files";
import { deliveryAddress } from "./state";

interface Props {
  order: Order;
  delivery: Delivery;
  files: readonly DeliveredFile[];
}

/** How to get everything: as one file, on a cluster, and checked. */
export function DeliveryActions({ order, delivery, files }: Props) {
  const [asked, setAsked] = useState<"cluster" | "check" | null>(null);
  const close = () => setAsked(null);
  const refusal = demoRefusal.value;
  return (
    <section class="card spread" aria-label={text.fetch}>
      <div>
        <p>
          <strong>{text.filesAndSize(files.length, totalBytes(files))}</strong>
        </p>
        <p class="muted">
          {delivery.publishedAt ? (
            <>
              {text.releasedSince} <Time at={delivery.publishedAt} />
            </>
          ) : (
            text.notReleased
          )}
          {" · "}
          <LinkButton
            look="link"
            href={deliveryAddress(order.id, "checksums.md5")}
            download
            refusal={refusal}
          >
            {text.checksums}
          </LinkButton>
          {" · "}
          <LinkButton look="link" href={deliveryAddress(order.id, "manifest.tsv")} download refusal={refusal}>
            {text.manifest}
          </LinkButton>
        </p>
      </div>
      <div class="line">
        {delivery.archive && (
          <LinkButton
            look={isAdmin.value ? "plain" : "main"}
            icon="download"
            href={delivery.archive}
            download
            refusal={refusal}
          >
            {text.downloadAll}
          </LinkButton>
        )}
        {delivery.isPublished && (
          <Button icon="terminal" refusal={refusal} onClick={() => setAsked("cluster")}>
            {text.onACluster}
          </Button>
        )}
        <Button icon="folder" refusal={refusal} onClick={() => setAsked("check")}>
          {text.checkFolder}
        </Button>
      </div>
      {asked === "cluster" && <ClusterDialog order={order} onClose={close} />}
      {asked === "check" && <CheckDialog order={order} files={files} onClose={close} />}
    </section>
  );
}
