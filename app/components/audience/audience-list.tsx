import { Link } from "react-router";
import { audienceMethodLabel } from "./audience-labels.ts";
import { subscriptionTone } from "#app/components/subscriptions/subscription-labels.ts";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import type { AudienceMethod } from "#app/domain/subscriptions/audience/rules.ts";
import type { SubscriptionStatus } from "#app/domain/subscriptions/schema.ts";
import { formatDay } from "#app/domain/time.ts";

/** Amounts are null for viewers who may not see money. */
export type AudienceRow = {
  id: string;
  name: string;
  username: string;
  avatarUrl: string | null;
  planName: string;
  interval: Interval;
  method: AudienceMethod;
  isAutomatic: boolean;
  status: SubscriptionStatus;
  badge: string;
  startedAt: number;
  amountCents: number | null;
  monthlyCents: number | null;
  paidCents: number | null;
};

/** Subscribers with what they pay; each row links to its payments. */
export function AudienceList({ rows }: { rows: AudienceRow[] }) {
  return (
    <Card className="p-0">
      <ul aria-label="Assinantes" className="divide-y divide-line">
        {rows.map((row) => (
          <li key={row.id} className="flex flex-wrap items-start gap-x-4 gap-y-3 px-5 py-4">
            <Avatar name={row.name} src={row.avatarUrl} size="md" />
            <div className="flex min-w-0 flex-1 basis-56 flex-col wrap-anywhere">
              <Link
                to={`/space/${row.username}`}
                className="self-start font-semibold hover:underline"
              >
                {row.name} <span className="font-normal text-muted">@{row.username}</span>
              </Link>
              <span className="text-small text-muted">
                {row.planName}
                {row.amountCents === null ||
                row.method === "comp" ||
                row.method === "gift" ? null : (
                  <>
                    {" · "}
                    <Money cents={row.amountCents} /> {intervalLabel(row.interval)}
                  </>
                )}
                {" · "}
                {audienceMethodLabel(row)}
              </span>
              <span className="text-small text-muted">
                {row.status === "upcoming" ? "Começa em" : "Desde"} {formatDay(row.startedAt)}
              </span>
            </div>
            <div className="flex basis-full flex-col items-start gap-1 pl-14 sm:basis-auto sm:items-end sm:pl-0 sm:text-right">
              <Badge tone={subscriptionTone(row.status)}>{row.badge}</Badge>
              {row.method === "comp" && row.status === "active" ? (
                <Link
                  to={`/me/subscribers/${row.id}/comp`}
                  className="inline-flex min-h-11 items-center text-small underline underline-offset-3"
                >
                  Encerrar a cortesia<span className="sr-only"> de {row.name}</span>
                </Link>
              ) : null}
              {row.paidCents !== null && row.method === "gift" ? (
                <span className="text-small text-muted">
                  quem deu pagou <Money cents={row.paidCents} />
                </span>
              ) : null}
              {row.paidCents === null || row.method === "comp" || row.method === "gift" ? null : (
                <Link
                  to={`/settings/transactions?face=received&person=${row.username}`}
                  className="-my-2 py-3 text-small text-muted hover:text-ink hover:underline"
                >
                  <span className="sr-only">Pagamentos de {row.name}: </span>
                  {row.monthlyCents ? (
                    <>
                      <Money cents={row.monthlyCents} className="font-semibold text-ink" /> por mês
                      ·{" "}
                    </>
                  ) : null}
                  pagou <Money cents={row.paidCents} />
                </Link>
              )}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}
