import type { ReactNode } from "react";
import { Link } from "react-router";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { formatMinute } from "#app/domain/time.ts";
import type { ReviewItem } from "./review-item.ts";
import { PayoutBadge } from "#app/components/payouts/payout-status.tsx";

/** Payouts in the staff review, each with a link to its page; `below` adds a note to a row. */
export function ReviewList({
  items,
  below = () => null,
}: {
  items: ReviewItem[];
  below?(item: ReviewItem): ReactNode;
}) {
  return (
    <Card className="p-0">
      <ul className="divide-y divide-line">
        {items.map((item) => (
          <li key={item.id}>
            <Link
              to={`/admin/payouts/${item.id}`}
              className="flex items-start justify-between gap-4 px-5 py-4 hover:bg-sand"
            >
              <span className="flex min-w-0 flex-col wrap-anywhere">
                <span className="font-semibold">{item.name}</span>
                <span className="text-small text-muted">
                  {item.username ? `@${item.username} · ` : ""}
                  pedido em {formatMinute(item.requestedAt)} · {item.to}
                </span>
              </span>
              <span className="flex shrink-0 flex-col items-end gap-1">
                <Money cents={item.cents} className="font-semibold" />
                <PayoutBadge status={item.status} label={item.heldLabel ?? item.label} />
              </span>
            </Link>
            {below(item)}
          </li>
        ))}
      </ul>
    </Card>
  );
}
