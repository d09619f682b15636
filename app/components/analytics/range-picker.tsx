import { Form, Link } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import type {
  AnalyticsRange,
  DayRange,
  ParsedRange,
  RangeName,
} from "#app/domain/analytics/ranges/rules.ts";
import { isoOfDayNumber } from "#app/domain/time.ts";
import { dayText } from "./format.ts";

const LABELS: Record<Exclude<RangeName, "own">, string> = {
  "7": "7 dias",
  "28": "28 dias",
  "90": "90 dias",
  year: "1 ano",
  all: "Tudo",
};

/** The query of a range of one's own. */
export const ownRangeQuery = ({ from, until }: DayRange): string =>
  `?range=own&from=${isoOfDayNumber(from)}&until=${isoOfDayNumber(until)}`;

/** The query of a range, for links that keep it. */
export const rangeQuery = (range: AnalyticsRange): string =>
  range.name === "own" ? ownRangeQuery(range) : `?range=${range.name}`;

/** Chooses the days that a page shows. Links and one form, so that it works without JavaScript. */
export function RangePicker({ range, errors, typed }: ParsedRange) {
  const hasErrors = errors.from !== undefined || errors.until !== undefined;
  return (
    <div className="flex flex-col gap-3 print:hidden">
      <nav aria-label="Período" className="flex flex-wrap gap-2">
        {Object.entries(LABELS).map(([name, label]) => (
          <Link
            key={name}
            to={`?range=${name}`}
            preventScrollReset
            aria-current={range.name === name && !hasErrors ? "true" : undefined}
            className="inline-flex min-h-11 items-center rounded-full border border-edge px-4 text-small aria-[current]:border-leaf aria-[current]:bg-signal-soft aria-[current]:font-semibold"
          >
            {label}
          </Link>
        ))}
      </nav>
      <details open={range.name === "own" || hasErrors} className="text-small">
        <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold">
          Escolher os dias
        </summary>
        <Form method="get" className="flex flex-wrap items-start gap-3 pt-2">
          <input type="hidden" name="range" value="own" />
          <TextField
            label="Primeiro dia"
            name="from"
            type="date"
            defaultValue={typed.from || isoOfDayNumber(range.from)}
            error={errors.from}
          />
          <TextField
            label="Último dia"
            name="until"
            type="date"
            defaultValue={typed.until || isoOfDayNumber(range.until)}
            error={errors.until}
          />
          <Button type="submit" variant="outline" className="sm:mt-6">
            Mostrar
          </Button>
        </Form>
      </details>
    </div>
  );
}

/** Says which days are shown, and with which they are compared. */
export function RangeText({ range }: { range: AnalyticsRange }) {
  return (
    <p className="text-small text-muted">
      De {dayText(range.from)} a {dayText(range.until)}
      {range.before === null
        ? "."
        : `, em comparação com ${dayText(range.before.from)} a ${dayText(range.before.until)}.`}
    </p>
  );
}
