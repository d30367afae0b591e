/** What fetches a delivery on a machine without a browser. */
export const TOOLS = ["curl", "wget", "aria2c", "rclone", "seqfacility-client"] as const;

export type Tool = (typeof TOOLS)[number];

export const isTool = (word: string | undefined): word is Tool => TOOLS.some((tool) => tool === word);

export interface Target {
  /** The address of the link, which ends in a slash. */
  link: string;
  /** Where the service is, for the client that signs in. */
  service: string;
  email: string;
  order: string;
}

/**
 * Fetch the addresses that are read. curl takes a file that is whole for an error, so only a part of one is asked
 * for again, without its last byte: it may be whole and not renamed yet. The names are plain: no shell reads them
 * otherwise.
 */
const CURL_EACH = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the shell that fills it in.
  "while read -r u; do f=${u##*/};",
  "[ -e $f ] || { [ -s $f.part ] && truncate -s -1 $f.part 2>/dev/null;",
  "curl -fL --retry 5 -C - -o $f.part $u && mv $f.part $f; } || exit; done",
].join(" ");

/**
 * Write the line that fetches every file into a folder named like the order. The same line goes on after a cut: what
 * is whole is left alone. Of a file that was cut curl, wget and the client ask for the rest; aria2c does as far as it
 * noted, which is once a minute and when it ends by itself; rclone writes no part of a file, and begins it anew.
 */
export function downloadCommand(tool: Tool, { link, service, email, order }: Target): string {
  const list = (name: string) => quoted(`${link}${name}`);
  const folder = quoted(order);
  switch (tool) {
    case "curl":
      return `mkdir -p ${folder} && curl -fsSL ${list("urls.txt")} | (cd ${folder} && ${CURL_EACH})`;
    case "wget":
      return `wget -qO- ${list("urls.txt")} | wget -c -P ${folder} -i -`;
    case "aria2c":
      return `curl -fsSL ${list("aria2.txt")} | aria2c -c -x 4 -d ${folder} -i -`;
    case "rclone":
      return `rclone copy --http-url ${list("files/")} :http: ${folder}`;
    case "seqfacility-client":
      return `seqfacility-client download --url ${quoted(service)} --email ${quoted(email)} --password-stdin --order ${folder} ${folder}`;
  }
}

/** Write the line that compares what arrived with the list of the delivery. */
export function checkCommand({ link, order }: Target): string {
  return `(cd ${quoted(order)} && curl -fsSL ${quoted(`${link}checksums.md5`)} | md5sum -c)`;
}

/** Quote a word for a shell if it needs it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
