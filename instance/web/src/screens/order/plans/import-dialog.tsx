import { useEffect, useState } from "preact/hooks";
import { useAction } from "../../../api/resource";
import { Button } from "../../../parts/button";
import { Dialog } from "../../../parts/dialog";
import { ProblemNotice } from "../../../parts/problem";
import { toast } from "../../../parts/toast";
import { importText as text } from "../../../text/en/plans";
import type { Order } from "../state";
import { ImportPreview } from "./import-preview";
import { applyPlan, type Check, checkPlan, type Preview, previewPlan } from "./state";

interface Props {
  order: Order;
  /** A file that was dropped; null lets one be chosen. */
  dropped: File | null;
  onClose: () => void;
  onApplied: (runId: string | null) => Promise<void>;
}

interface Seen {
  /** The bytes that were looked at: the same ones are stored, whatever becomes of the file on disk. */
  file: File;
  preview: Preview;
  check: Check;
}

/** A plan in a file: what it says is seen first, with each problem at its row, then stored. */
export function ImportDialog({ order, dropped, onClose, onApplied }: Props) {
  const [seen, setSeen] = useState<Seen | null>(null);
  const look = useAction(async (chosen: File) => {
    setSeen(null);
    const file = new File([await chosen.arrayBuffer()], chosen.name);
    await see(file);
  });
  async function see(file: File): Promise<void> {
    const preview = await previewPlan(order.id, file);
    const rows = preview.rows.map(({ runId, sampleCode, barcode }) => ({
      // Rows without a run are an error already; they are compared among themselves.
      runId: runId ?? "-",
      sampleId: sampleCode,
      barcode,
    }));
    setSeen({ file, preview, check: await checkPlan(order.id, rows, false) });
  }
  const apply = useAction(async ({ file }: Seen) => {
    try {
      const written = await applyPlan(order.id, file);
      onClose();
      toast(text.applied(written.map(({ runId, assignments }) => text.appliedPart(runId, assignments))));
      await onApplied(written[0]?.runId ?? null);
    } catch (problem) {
      // What was ready is no longer, when somebody has changed samples or runs since.
      await see(file).catch(() => undefined);
      throw problem;
    }
  });
  useEffect(() => {
    if (dropped !== null) void look.run(dropped);
  }, [dropped]);
  const problem = look.problem.value ?? apply.problem.value;
  return (
    <Dialog
      title={text.title}
      isWide
      onClose={onClose}
      actions={
        seen?.preview.applyReady && (
          <Button look="main" isBusy={apply.isRunning.value} onClick={() => void apply.run(seen)}>
            {text.apply(seen.preview.rowCount)}
          </Button>
        )
      }
    >
      <div class="stack">
        {seen === null && <p class="muted">{text.help}</p>}
        <label class="file-choice">
          <span>{seen === null ? text.choose : text.chooseAnother}</span>
          <input
            type="file"
            accept=".xlsx"
            onChange={(event) => {
              const chosen = event.currentTarget.files?.[0];
              // WHY: a browser tells nothing when the file that stands there is chosen again.
              event.currentTarget.value = "";
              if (chosen) void look.run(chosen);
            }}
          />
        </label>
        {problem && <ProblemNotice problem={problem} />}
        {seen !== null && <ImportPreview {...seen} />}
      </div>
    </Dialog>
  );
}
