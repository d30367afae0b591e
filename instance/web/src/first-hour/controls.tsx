import { useState } from "preact/hooks";
import { InviteDialog } from "../invites/invite-dialog";
import { Button, LinkButton } from "../parts/button";
import { Copy } from "../parts/copy";
import { isPlace } from "../place";
import { boot } from "../session";
import { firstHourText as text } from "../text/en/first-hour";
import { FolderDialog } from "./folder-dialog";
import { PipelineDialog } from "./pipeline-dialog";
import type { Step } from "./state";

export interface Does {
  step: Step;
  /** What the button of the step does runs. */
  isBusy: boolean;
  /** Do something, then look again at everything. */
  act: (action: StepAction) => void;
  /** Look again after a dialog has done something. */
  onDone: () => Promise<void>;
}

export type StepAction = "fetch-catalog" | "use-shipped" | "ask-now" | "send-test" | "look-again";

/** What is done about a step from here, and where it leads. */
export function Controls({ step, isBusy, act, onDone }: Does) {
  const [isOpen, setOpen] = useState(false);
  const open = (): void => setOpen(true);
  const close = (): void => setOpen(false);
  switch (step.id) {
    case "STORAGE":
      return (
        <>
          <Button onClick={open}>{text.chooseFolder}</Button>
          {isOpen && <FolderDialog onSaved={onDone} onClose={close} />}
        </>
      );
    case "CATALOG":
      return (
        <>
          <Button isBusy={isBusy} onClick={() => act("fetch-catalog")}>
            {text.fetchCatalog}
          </Button>
          {step.state !== "ok" && (
            <Button look="quiet" isBusy={isBusy} onClick={() => act("use-shipped")}>
              {text.useShipped}
            </Button>
          )}
          <Leads to="/facility/catalog" words={text.more} />
        </>
      );
    case "PIPELINE":
      return (
        <>
          <Button onClick={open}>{text.enablePipeline}</Button>
          {isOpen && <PipelineDialog onEnabled={onDone} onClose={close} />}
          <Leads to="/facility/pipelines" words={text.allPipelines} />
        </>
      );
    case "RUNS":
      return (
        <>
          <Button isBusy={isBusy} onClick={() => act("ask-now")}>
            {text.askNow}
          </Button>
          <Leads to="/facility/settings" words={text.settings} />
        </>
      );
    case "MAIL":
      return (
        <Button isBusy={isBusy} onClick={() => act("send-test")}>
          {text.sendTest}
        </Button>
      );
    case "BACKUP":
      return (
        <Button label={text.lookAgainAt(text.steps.BACKUP)} isBusy={isBusy} onClick={() => act("look-again")}>
          {text.lookAgain}
        </Button>
      );
    case "PEOPLE":
      return (
        <>
          <Button onClick={open}>{text.inviteColleague}</Button>
          {isOpen && <InviteDialog onClose={() => void onDone().then(close)} />}
          <Leads to="/facility/people" words={text.people} />
        </>
      );
    case "FORM":
      return (
        <>
          <Leads to="/orders/new" words={text.seeForm} />
          <Leads to="/facility/forms" words={text.editForm} />
        </>
      );
  }
}

/** A link to where more is done, once there is such a page. */
function Leads({ to, words }: { to: string; words: string }) {
  return isPlace(to) ? <LinkButton href={to}>{words}</LinkButton> : null;
}

/** What is carried elsewhere: a command for the server, the address at which researchers register. */
export function ToCopy({ step }: { step: Step }) {
  if (step.state === "ok") return null;
  if (step.id === "BACKUP") {
    return (
      <Copy
        value="mkdir -p backups && seqfacility backup --into backups --keep 14"
        label={text.backupCommand}
      />
    );
  }
  if (step.id === "PEOPLE" && boot.value?.site.registrationOpen) {
    return <Copy value={`${location.origin}/register`} label={text.registerAddress} />;
  }
  return null;
}
