/** Where the page can show a file, when it can. */
export function previewOf(path: string): string | null {
  const canBeShown = /\.(html?|pdf|txt|tsv|csv|log|json)$/i.test(path);
  return canBeShown ? `/api/files/preview?path=${encodeURIComponent(path)}` : null;
}
