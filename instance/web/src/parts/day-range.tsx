import { text } from "../text/en/common";
import { calendarDay } from "../text/format";
import { Button } from "./button";
import { TextField } from "./field";
import { Icon } from "./icon";
import { Popover } from "./popover";

/** Days as `2026-11-23`, both of them within. */
export interface DayRange {
  from?: string | undefined;
  to?: string | undefined;
}

interface Props {
  label: string;
  range: DayRange;
  onChange: (range: DayRange) => void;
}

const LAST_DAYS = [7, 30, 365] as const;
const DAY_MS = 24 * 3600 * 1000;

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Read a day of an address; anything else is none. */
export const dayOf = (word: string | undefined): string | undefined =>
  word !== undefined && DAY.test(word) && !Number.isNaN(Date.parse(word)) ? word : undefined;

/** `1 Nov 2026 to 23 Nov 2026`, `since 1 Nov 2026`; null for any time. */
export function rangeInWords({ from, to }: DayRange): string | null {
  if (from && to) return text.between(calendarDay(from), calendarDay(to));
  if (from) return text.since(calendarDay(from));
  return to ? text.until(calendarDay(to)) : null;
}

/** A button that opens two dates, and the spans that people ask for most. */
export function DayRangeFilter({ label, range, onChange }: Props) {
  const { from = "", to = "" } = range;
  return (
    <Popover
      role="dialog"
      label={label}
      opener={(anchor) => (
        <button type="button" class="button button-quiet" aria-haspopup="dialog" {...anchor}>
          {label}
          <Icon name="down" />
        </button>
      )}
    >
      <div class="stack day-range">
        <div class="line">
          <TextField
            name="from"
            type="date"
            label={text.from}
            value={from}
            onInput={(day) => onChange({ from: day, to })}
          />
          <TextField
            name="to"
            type="date"
            label={text.to}
            value={to}
            onInput={(day) => onChange({ from, to: day })}
          />
        </div>
        <div class="line">
          {LAST_DAYS.map((days) => (
            <Button key={days} onClick={() => onChange({ from: daysAgo(days - 1) })}>
              {text.lastDays(days)}
            </Button>
          ))}
          <Button look="quiet" refusal={from || to ? null : text.anyTime} onClick={() => onChange({})}>
            {text.anyTime}
          </Button>
        </div>
      </div>
    </Popover>
  );
}

/** The service counts days in UTC. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}
