import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isAdmin, user } from "../session";
import { hasKept, isUploading } from "../uploads-kept";

/** The dock is fetched when there is something to show: most pages send nothing. */
export function Uploads() {
  const [Dock, show] = useState<ComponentType | null>(null);
  const isWanted = isAdmin.value && user.value !== null && (isUploading.value || hasKept());
  useEffect(() => {
    if (isWanted && Dock === null)
      void import("../uploads/dock/dock").then(({ Dock: found }) => show(() => found));
  }, [isWanted]);
  return isWanted && Dock ? <Dock /> : null;
}
