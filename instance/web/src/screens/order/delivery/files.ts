import type { components } from "../../../api/schema";
import { previewOf } from "../../../parts/report";

export type Delivery = components["schemas"]["instance.delivery"]["delivery"];

/** A file of a delivery, whatever it is. */
export interface DeliveredFile {
  id: string;
  name: string;
  /** What tells it from the others of its sample: `R1`, a kind of report. */
  role: string;
  size: number | null;
  md5: string | null;
  download: string;
  /** Where the page can show it, when it can. */
  preview: string | null;
  doubts: Delivery["warnings"][number]["reason"][];
}

export interface SampleFiles {
  code: string;
  alias: string | null;
  files: DeliveredFile[];
}

export interface DeliveredFiles {
  reports: DeliveredFile[];
  samples: SampleFiles[];
  others: DeliveredFile[];
}

const REPORTS = new Set(["qc_report", "multiqc_report", "delivery_report"]);

/** The checksum on record, unless the service's own says otherwise. */
function md5Of(file: { checksum: string | null; checksumComputed: string | null }): string | null {
  return file.checksumComputed ?? file.checksum;
}

/** Put the files of a delivery in the order in which people look for them: reports, samples, the rest. */
export function arrange(delivery: Delivery): DeliveredFiles {
  const doubts = Map.groupBy(delivery.warnings, (warning) => warning.path);
  const common = (file: Delivery["artifactFiles" | "readFiles" | "reportFiles"][number]) => ({
    name: file.name,
    size: file.size,
    md5: md5Of(file),
    doubts: (doubts.get(file.path) ?? []).map((warning) => warning.reason),
  });
  const reports: DeliveredFile[] = delivery.reportFiles.map((file) => ({
    ...common(file),
    id: file.id,
    role: file.label ?? file.runNumber,
    download: `/api/orders/${delivery.orderId}/sequencing/delivery/reports/${file.id}`,
    preview: previewOf(file.path),
  }));
  const others: DeliveredFile[] = [];
  const samples = new Map<string, SampleFiles>();
  const ofSample = (code: string, alias: string | null) => {
    const known = samples.get(code) ?? { code, alias, files: [] };
    samples.set(code, known);
    return known.files;
  };
  for (const file of delivery.readFiles)
    ofSample(file.sampleCode, file.sampleAlias).push({
      ...common(file),
      id: `${file.readId}-${file.role}`,
      role: file.role,
      download: downloadOf(file.path),
      preview: null,
    });
  for (const file of delivery.artifactFiles) {
    const place =
      file.sampleCode !== null
        ? ofSample(file.sampleCode, file.sampleAlias)
        : REPORTS.has(file.artifactType)
          ? reports
          : others;
    place.push({
      ...common(file),
      id: file.id,
      role: file.artifactType,
      download: downloadOf(file.path),
      preview: previewOf(file.path),
    });
  }
  return { reports, samples: [...samples.values()], others };
}

function downloadOf(path: string): string {
  return `/api/files/download?path=${encodeURIComponent(path)}`;
}

export function allOf(files: DeliveredFiles): DeliveredFile[] {
  return [...files.reports, ...files.samples.flatMap((sample) => sample.files), ...files.others];
}

export function totalBytes(files: readonly DeliveredFile[]): number {
  return files.reduce((sum, file) => sum + (file.size ?? 0), 0);
}
