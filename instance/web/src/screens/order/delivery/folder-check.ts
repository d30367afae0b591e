/** One line of a list as `md5sum` writes it. */
export interface ListedFile {
  path: string;
  md5: string;
}

export interface FolderFile {
  /** Below the chosen folder. */
  path: string;
  file: File;
}

export interface Pair {
  listed: ListedFile;
  found: FolderFile | null;
}

/** Read a list of checksums; names with a backslash or a line break are written as GNU `md5sum` escapes them. */
export function readChecksums(text: string): ListedFile[] {
  return text.split("\n").flatMap((line) => {
    const match = /^(\\?)([0-9a-f]{32}) [ *](.+)$/i.exec(line.replace(/\r$/, ""));
    const [, escaped, md5, path] = match ?? [];
    if (md5 === undefined || path === undefined) return [];
    return [{ md5: md5.toLowerCase(), path: escaped ? path.replace(/\\([\\nr])/g, unescaped) : path }];
  });
}

function unescaped(_whole: string, what: string): string {
  return what === "n" ? "\n" : what === "r" ? "\r" : "\\";
}

/**
 * Find each listed file in the folder: at its whole path, or at the end of one (the folder that was chosen may be
 * around the delivery's, and an archive adds one). A bare name counts when only one file of the folder has it and
 * only one of the list, as when everything was fetched into one folder.
 */
export function pairUp(list: readonly ListedFile[], folder: readonly FolderFile[]): Pair[] {
  const byName = Map.groupBy(folder, ({ path }) => nameOf(path));
  const listedNames = Map.groupBy(list, ({ path }) => nameOf(path));
  return list.map((listed) => {
    const name = nameOf(listed.path);
    const namesakes = byName.get(name) ?? [];
    const inPlace = namesakes.filter(({ path }) => `/${path}`.endsWith(`/${listed.path}`));
    const isOnlyOne = namesakes.length === 1 && listedNames.get(name)?.length === 1;
    return { listed, found: inPlace[0] ?? (isOnlyOne ? namesakes[0] : undefined) ?? null };
  });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
