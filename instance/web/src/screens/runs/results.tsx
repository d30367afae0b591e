import { Empty } from "../../parts/empty";
import { previewOf, type Report } from "../../parts/report";
import { Reports } from "../../parts/reports";
import { resultsText as text } from "../../text/en/runs";
import { isActive, type Run } from "./state";
import type { TabProps } from "./tabs";

/** What a run has made: its reports and tables, and what it made of each sample. */
export function ResultsTab({ run }: TabProps) {
  const reports = reportsOf(run);
  const samples = bySample(run);
  if (reports.length === 0 && samples.length === 0) {
    return (
      <Empty title={isActive(run) ? text.notYet : text.none}>
        {isActive(run) ? text.notYetWhy : text.noneWhy}
      </Empty>
    );
  }
  return (
    <div class="stack">
      {reports.length > 0 && (
        <section class="card stack-tight" aria-labelledby="run-reports">
          <h2 id="run-reports">{text.reports}</h2>
          <Reports reports={reports} />
        </section>
      )}
      {samples.map(({ id, name, files }) => (
        <section key={id} class="card stack-tight" aria-labelledby={`run-of-${id}`}>
          <h3 id={`run-of-${id}`}>{name}</h3>
          <Reports reports={files} />
        </section>
      ))}
    </div>
  );
}

/** The files of the whole run, the main one first. */
function reportsOf({ artifacts, resultFiles, primaryResultFile }: Run): Report[] {
  const listed = resultFiles.map((file) => asReport(file.id, file.name, file.path, file.size));
  const others = artifacts
    .filter(({ id, sampleId }) => sampleId === null && !listed.some((file) => file.id === id))
    .map(({ id, name, path, size: bytes }) => asReport(id, name ?? lastOf(path), path, bytes));
  return [...listed, ...others].toSorted(
    (one, other) => Number(other.id === primaryResultFile?.id) - Number(one.id === primaryResultFile?.id),
  );
}

interface OfSample {
  id: string;
  name: string;
  files: Report[];
}

/** What was made of each sample: files, assemblies and bins. */
function bySample({ samples, artifacts, assemblies, bins }: Run): OfSample[] {
  const found = new Map<string, Report[]>();
  const add = (sampleId: string, report: Report): void => {
    found.set(sampleId, [...(found.get(sampleId) ?? []), report]);
  };
  for (const { id, sampleId, name, path, size: bytes } of artifacts) {
    if (sampleId !== null) add(sampleId, asReport(id, name ?? lastOf(path), path, bytes));
  }
  for (const { id, sampleId, assemblyName, assemblyFile } of assemblies) {
    add(sampleId, { ...asReport(id, assemblyName, assemblyFile, null), kind: text.assembly });
  }
  for (const { id, sampleId, binName, binFile, completeness, contamination } of bins) {
    add(sampleId, {
      ...asReport(id, binName, binFile, null),
      kind: text.bin(completeness, contamination),
    });
  }
  const names = new Map(samples.map(({ id, sampleAlias, sampleId }) => [id, sampleAlias ?? sampleId]));
  return [...found].map(([id, files]) => ({ id, name: names.get(id) ?? text.noSample, files }));
}

const lastOf = (path: string): string => path.split("/").findLast(Boolean) ?? path;

const asReport = (id: string, name: string, path: string, bytes: number | null): Report => ({
  id,
  name,
  kind: "",
  size: bytes,
  preview: previewOf(path),
  download: `/api/files/download?path=${encodeURIComponent(path)}`,
});
