import "../style/parts/reports.css";
import { useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { demoRefusal } from "../session";
import { reportText as text } from "../text/en/common";
import { size } from "../text/format";
import { addressWith } from "./address";
import { Button, LinkButton } from "./button";
import type { Report } from "./report";
import { TablePreview } from "./table-preview";
import { isTable } from "./table-text";

/** Files that can be looked at, and the one that is open, whose id is in the address. */
export function Reports({ reports }: { reports: readonly Report[] }) {
  const { path, query } = useLocation();
  const open = reports.find(({ id }) => id === query.report);
  // A report may have a title for its name: then its address says what kind of file it is.
  const table = open && [open.preview ?? "", open.name].find(isTable);
  return (
    <>
      <ul class="reports">
        {reports.map((report) => (
          <ReportLine
            key={report.id}
            report={report}
            isOpen={report === open}
            href={addressWith(path, query, { report: report === open ? null : report.id })}
          />
        ))}
      </ul>
      {open?.preview &&
        (table ? (
          <TablePreview key={open.id} name={open.name} file={table} address={open.preview} />
        ) : (
          <ReportFrame key={open.id} name={open.name} address={open.preview} />
        ))}
    </>
  );
}

function ReportFrame({ name, address }: { name: string; address: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  return (
    <div class="stack-tight">
      {document.fullscreenEnabled && (
        <span>
          <Button
            look="quiet"
            label={text.fullScreenOf(name)}
            onClick={() => void frame.current?.requestFullscreen()}
          >
            {text.fullScreen}
          </Button>
        </span>
      )}
      {/* A report is a pipeline's: it runs in an origin of its own, without cookies and without a network. */}
      <iframe
        ref={frame}
        class="report-frame"
        title={text.frame(name)}
        src={address}
        sandbox="allow-scripts"
        referrerpolicy="no-referrer"
      />
    </div>
  );
}

function ReportLine({ report, isOpen, href }: { report: Report; isOpen: boolean; href: string }) {
  const { name, kind, preview, download } = report;
  const about = [kind, report.size === null ? "" : size(report.size)].filter((word) => word !== "");
  const words = isOpen ? text.hide : text.show;
  return (
    <li class="spread">
      <span>
        {name} <span class="muted">{about.join(", ")}</span>
      </span>
      <span class="line">
        {preview && !isPdf(name) && (
          <LinkButton href={href} label={`${words} ${name}`}>
            {words}
          </LinkButton>
        )}
        {preview && (
          <a class="button button-quiet" href={preview} target="_blank" rel="noreferrer">
            {text.newTab} <span class="unseen">{name}</span>
          </a>
        )}
        {download && (
          <LinkButton
            look="quiet"
            icon="download"
            href={download}
            download
            label={text.download(name)}
            refusal={demoRefusal.value}
          />
        )}
      </span>
    </li>
  );
}

/** A browser's own viewer of PDF refuses a sandbox. */
function isPdf(name: string): boolean {
  return name.toLowerCase().endsWith(".pdf");
}
