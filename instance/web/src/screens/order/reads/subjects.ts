import { filesOf, type ReadFile } from "./files";
import type { PastRead, Read, Row } from "./state";

/** A read that something is done with: whose it is, and whether the researcher has it now. */
export interface Subject {
  /** What tells it from the others: the id of the read. */
  id: string;
  read: Read;
  sample: string;
  isDelivered: boolean;
  files: ReadFile[];
}

/** One file of such a read. */
export interface FileSubject {
  /** What tells it from the others: its path. */
  id: string;
  sample: string;
  isDelivered: boolean;
  file: ReadFile;
}

/** The reads of samples, of those that have a file. */
export const subjectsOf = (rows: Iterable<Row>): Subject[] =>
  [...rows].flatMap(({ read, sampleAlias, sampleId, isDelivered = false }) => {
    const files = filesOf(read);
    return read === null || files.length === 0
      ? []
      : [{ id: read.id, read, sample: sampleAlias ?? sampleId, isDelivered, files }];
  });

export const subjectOf = (sample: string, { read, isDelivered }: PastRead): Subject => ({
  id: read.id,
  read,
  sample,
  isDelivered,
  files: filesOf(read),
});

/** The files of some reads, each once. */
export function fileSubjects(subjects: readonly Subject[]): FileSubject[] {
  const found = new Map<string, FileSubject>();
  for (const { files, sample, isDelivered } of subjects)
    for (const file of files) found.set(file.path, { id: file.path, sample, isDelivered, file });
  return [...found.values()];
}
