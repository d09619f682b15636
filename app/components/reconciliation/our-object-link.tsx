import { sideStatusLabel } from "./difference-labels.ts";
import { RowLink } from "#app/components/ui/table.tsx";
import { Money } from "#app/components/ui/money.tsx";
import type { QuarantinedEventSubject } from "#app/domain/payments/webhook-events/queries/quarantine.server.ts";

/** Link to our payment or payout that an inbox event is about. */
export function OurObjectLink({ about }: { about: QuarantinedEventSubject }) {
  const isPayout = about.object === "payout";
  return (
    <>
      <RowLink to={isPayout ? `/admin/payouts/${about.id}` : `/settings/transactions/${about.id}`}>
        {isPayout ? "Saque" : "Cobrança"} de <Money cents={about.amountCents} />
      </RowLink>{" "}
      {sideStatusLabel(isPayout ? "transfer" : "charge", about.status).toLowerCase()}
    </>
  );
}
