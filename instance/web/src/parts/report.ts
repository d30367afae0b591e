/** A file that the page can show: a report, a table, a text. */
export interface Report {
  id: string;
  name: string;
  kind: string;
  size: number | null;
  preview: string | null;
  download: string | null;
}

/** Where the page can show a file, when it can. */
export function previewOf(path: string): string | null {
  const canBeShown = /\.(html?|pdf|txt|tsv|csv|log|json)$/i.test(path);
  return canBeShown ? `/api/files/preview?path=${encodeURIComponent(path)}` : null;
}
