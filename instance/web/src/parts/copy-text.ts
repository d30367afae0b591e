/**
 * Copy a text that stands in `shown`; answer whether it was done. If not, it is left selected, so that a person can.
 *
 * WHY the old command: a page that came over plain HTTP has no clipboard, and a facility's network may have no TLS.
 */
export async function copyText(text: string, shown: Element): Promise<boolean> {
  try {
    if ("clipboard" in navigator) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // The browser or a person said no to the one way; the other one asks nobody.
  }
  return copySelected(text, shown);
}

function copySelected(text: string, shown: Element): boolean {
  if (shown instanceof HTMLTextAreaElement) shown.select();
  else getSelection()?.selectAllChildren(shown);
  let isPut = false;
  const put = (event: ClipboardEvent): void => {
    event.preventDefault();
    event.clipboardData?.setData("text/plain", text);
    isPut = event.clipboardData !== null;
  };
  document.addEventListener("copy", put);
  const isDone = document.execCommand("copy");
  document.removeEventListener("copy", put);
  return isDone && isPut;
}
