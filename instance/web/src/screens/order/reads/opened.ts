import { tab } from "../../../screen";

/** What is opened over the reads, each fetched when it is opened first. */
export const LinkDialog = tab(async () => ({ Tab: (await import("./link-dialog")).LinkDialog }));
export const ActionDialog = tab(async () => ({ Tab: (await import("./actions")).ActionDialog }));
export const SampleDrawer = tab(async () => ({ Tab: (await import("./drawer")).SampleDrawer }));
export const ArtifactDialog = tab(async () => ({
  Tab: (await import("./artifact-dialogs")).ArtifactDialog,
}));
export const DeleteArtifacts = tab(async () => ({
  Tab: (await import("./artifact-dialogs")).DeleteArtifacts,
}));
