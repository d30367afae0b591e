import { useLocation } from "preact-iso";
import { addressWith } from "../../../parts/address";
import { LinkButton } from "../../../parts/button";
import { deliveryText as text } from "../../../text/en/delivery";
import { size } from "../../../text/format";
import type { DeliveredFile } from "./files";

/** The reports of a delivery, and the one that is open, whose id is in the address. */
export function Reports({ reports }: { reports: readonly DeliveredFile[] }) {
  const { path, query } = useLocation();
  const open = reports.find(({ id }) => id === query.report);
  return (
    <section class="card stack" aria-labelledby="delivery-reports">
      <h2 id="delivery-reports">{text.reports}</h2>
      <ul class="reports">
        {reports.map((report) => (
          <li key={report.id} class="spread">
            <span>
              {report.name}{" "}
              <span class="muted">
                {text.role(report.role)}
                {report.size !== null && `, ${size(report.size)}`}
              </span>
            </span>
            <span class="line">
              {report.preview && !isPdf(report) && (
                <LinkButton
                  href={addressWith(path, query, { report: report === open ? null : report.id })}
                  label={`${report === open ? text.hide : text.show} ${report.name}`}
                >
                  {report === open ? text.hide : text.show}
                </LinkButton>
              )}
              {report.preview && (
                <a
                  class="button button-quiet"
                  href={report.preview}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={text.openAlone(report.name)}
                >
                  {text.fullScreen}
                </a>
              )}
              <LinkButton
                look="quiet"
                icon="download"
                href={report.download}
                download
                label={text.download(report.name)}
              />
            </span>
          </li>
        ))}
      </ul>
      {open?.preview && (
        // A report is a pipeline's: it runs in an origin of its own, without cookies and without a network.
        <iframe
          key={open.id}
          class="report-frame"
          title={text.reportFrame(open.name)}
          src={open.preview}
          sandbox="allow-scripts"
          referrerpolicy="no-referrer"
        />
      )}
    </section>
  );
}

/** A browser's own viewer of PDF refuses a sandbox. */
function isPdf({ name }: DeliveredFile): boolean {
  return name.toLowerCase().endsWith(".pdf");
}
