import type { ReactNode } from "react";
import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import type { TimelineBalances, TimelineRow } from "#app/domain/payouts/timeline/rules/timeline.ts";
import {
  availableMoneyText,
  timelineDisputeText,
  OWED_TEXT,
  pendingSaleText,
  inTransitText,
  UNEXPLAINED_TEXT,
} from "./timeline-texts.ts";
import type { TimelineText } from "./timeline-texts.ts";

type Section = TimelineRow["of"];

const SECTIONS: { of: Section; title: string; cents(balances: TimelineBalances): number | null }[] =
  [
    { of: "in_transit", title: "A caminho", cents: ({ inTransitCents }) => inTransitCents },
    { of: "available", title: "Disponível", cents: ({ availableCents }) => availableCents },
    { of: "reserved", title: "Bloqueado", cents: ({ reservedCents }) => reservedCents },
    { of: "pending", title: "A liberar", cents: ({ pendingCents }) => pendingCents },
    { of: "owed", title: "A descontar", cents: ({ owedCents }) => -owedCents },
    { of: "unexplained", title: "Em conferência", cents: () => null },
  ];

type MoneyTimelineProps = {
  rows: readonly TimelineRow[];
  balances: TimelineBalances;
  holdReason: string | null;
  /** Path of the entries behind a balance. */
  entriesOf(section: Section): string | null;
  /** Path of the sale, for a row without an action. */
  saleAt(chargeId: string): string;
  mayAct: boolean;
  /** Extra content below a row, for staff only. */
  inner?(row: TimelineRow): ReactNode;
};

/**
 * Every amount not yet paid out, by section, each with its reason. Section totals cover all pages
 * and come from the ledger.
 */
export function MoneyTimelineView({
  rows,
  balances,
  holdReason,
  entriesOf,
  saleAt,
  mayAct,
  inner = () => null,
}: MoneyTimelineProps) {
  return SECTIONS.map(({ of, title, cents }) => {
    const its = rows.filter((row) => row.of === of);
    if (its.length === 0) return null;
    const wholeCents = cents(balances);
    const entries = entriesOf(of);
    return (
      <section key={of} aria-labelledby={`of-${of}`} className="flex flex-col gap-3">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <h2 id={`of-${of}`} className="text-heading">
            {title}
          </h2>
          {wholeCents === null ? null : <Figure cents={wholeCents} to={entries} />}
        </div>
        <Card className="p-0">
          <ul className="divide-y divide-line">
            {its.map((row) => (
              <Line
                key={row.id}
                id={row.id}
                cents={row.cents}
                text={textOf(row, { holdReason, mayAct })}
                to={row.of === "pending" ? saleAt(row.sale.chargeId) : null}
              >
                {inner(row)}
              </Line>
            ))}
          </ul>
        </Card>
      </section>
    );
  });
}

function Figure({ cents, to }: { cents: number; to: string | null }) {
  const money = <Money cents={cents} className="font-bold" />;
  if (to === null) return money;
  return (
    <Link
      to={to}
      className="inline-flex min-h-11 items-center underline decoration-line decoration-2 underline-offset-[6px] hover:decoration-leaf"
    >
      {money}
    </Link>
  );
}

function textOf(
  row: TimelineRow,
  { holdReason, mayAct }: { holdReason: string | null; mayAct: boolean },
): TimelineText {
  switch (row.of) {
    case "in_transit":
      return inTransitText(row.payout);
    case "available":
      // Only the creator, as owner of the money, gets the actions.
      return {
        ...availableMoneyText(row.wait, { holdReason: holdReason }),
        ...(mayAct ? {} : { todo: undefined }),
      };
    case "reserved":
      return timelineDisputeText(row.dispute, { mayAct, isTooLate: row.isTooLate });
    case "pending":
      return pendingSaleText(row.sale, row.why);
    case "owed":
      return OWED_TEXT;
    case "unexplained":
      return UNEXPLAINED_TEXT;
  }
}

function Line({
  id,
  cents,
  text: { title, why, todo },
  to,
  children,
}: {
  id: string;
  cents: number;
  text: TimelineText;
  to: string | null;
  children: ReactNode;
}) {
  return (
    <li id={`parte-${id}`} className="flex items-start justify-between gap-4 px-5 py-4">
      <div className="min-w-0 wrap-anywhere">
        <p className="font-semibold">
          {to === null ? (
            title
          ) : (
            <Link
              to={to}
              className="underline decoration-line underline-offset-4 hover:decoration-leaf"
            >
              {title}
            </Link>
          )}
        </p>
        <p className="text-small text-muted">{why}</p>
        {todo ? (
          <Link
            to={todo.to}
            className="inline-flex min-h-11 items-center text-small font-semibold text-leaf underline underline-offset-4"
          >
            {todo.label}
          </Link>
        ) : null}
        {children}
      </div>
      <Money cents={cents} className="shrink-0 font-semibold" />
    </li>
  );
}
