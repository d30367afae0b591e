import { text } from "../text/en/common";
import { Button } from "./button";

interface Props {
  /** From 1. */
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
}

/** Which part of a list is shown, and the way to the others; a list of one page says how long it is. */
export function Pager({ page, pageSize, total, onPage }: Props) {
  const first = (page - 1) * pageSize + 1;
  const last = Math.min(page * pageSize, total);
  if (total <= pageSize)
    return (
      <p class="muted" role="status">
        {text.rows(total, total)}
      </p>
    );
  return (
    <nav class="line" aria-label={text.pages}>
      <span class="muted" role="status">
        {text.pageOf(first, last, total)}
      </span>
      <Button refusal={page > 1 ? null : text.firstPage} onClick={() => onPage(page - 1)}>
        {text.previousPage}
      </Button>
      <Button refusal={last < total ? null : text.lastPage} onClick={() => onPage(page + 1)}>
        {text.nextPage}
      </Button>
    </nav>
  );
}
