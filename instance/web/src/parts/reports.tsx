import "../style/parts/reports.css";
import { useLocation } from "preact-iso";
import { demoRefusal } from "../session";
import { reportText as text } from "../text/en/common";
import { size } from "../text/format";
import { addressWith } from "./address";
import { LinkButton } from "./button";
import type { Report } from "./report";

/** Files that can be looked at, and the one that is open, whose id is in the address. */
export function Reports({ reports }: { reports: readonly Report[] }) {
  const { path, query } = useLocation();
  const open = reports.find(({ id }) => id === query.report);
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
      {open?.preview && (
        // A report is a pipeline's: it runs in an origin of its own, without cookies and without a network.
        <iframe
          key={open.id}
          class="report-frame"
          title={text.frame(open.name)}
          src={open.preview}
          sandbox="allow-scripts"
          referrerpolicy="no-referrer"
        />
      )}
    </>
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
