/** Lists of MD5 that lie beside their files, read as `seqfacility upload` reads them. Decision: G427. */
import type { ChosenFile } from "./tree";

const MD5SUM = /^\\?([0-9a-f]{32})[ \t]+\*?(.+)$/i;
const BSD = /^MD5 ?\((.+)\) ?= ?([0-9a-f]{32})$/i;
const ALONE = /^[0-9a-f]{32}$/i;
const MOST_BYTES = 64 * 1024 * 1024;

export interface Listed {
  path: string;
  md5: string;
}

export function isChecksumList(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return name === "md5sum.txt" || (name.endsWith(".md5") && name !== ".md5");
}

/** The MD5 of each path in a list; a checksum alone is that of the file the list is called after. */
export function listedChecksums(listPath: string, text: string): Listed[] {
  const folder = listPath.slice(0, listPath.lastIndexOf("/") + 1);
  const name = listPath.slice(folder.length);
  return text.split(/\r\n|\r|\n/).flatMap((written) => {
    const line = written.trim();
    const [, md5, path] = MD5SUM.exec(line) ?? [];
    if (md5 && path) return [{ path: joined(folder, path.trim()), md5: md5.toLowerCase() }];
    const [, file, sum] = BSD.exec(line) ?? [];
    if (file && sum) return [{ path: joined(folder, file), md5: sum.toLowerCase() }];
    if (ALONE.test(line)) return [{ path: folder + name.slice(0, -".md5".length), md5: line.toLowerCase() }];
    return [];
  });
}

/** `a/b/` and `./../c.gz` lead to `a/c.gz`. */
function joined(folder: string, path: string): string {
  const parts: string[] = [];
  for (const part of (path.startsWith("/") ? path : folder + path).split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}

/** Split lists from what they are of, and read them; only what they say of chosen files counts. */
export async function checksumsBeside(
  chosen: readonly ChosenFile[],
): Promise<{ files: ChosenFile[]; checksums: Listed[] }> {
  const files = chosen.filter(({ path }) => !isChecksumList(path));
  const known = new Set(files.map(({ path }) => path));
  const checksums: Listed[] = [];
  for (const { path, file } of chosen) {
    if (!isChecksumList(path) || file.size > MOST_BYTES) continue;
    checksums.push(...listedChecksums(path, await file.text()).filter((one) => known.has(one.path)));
  }
  return { files, checksums };
}
