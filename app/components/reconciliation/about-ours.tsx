import { sideWord } from "#app/components/reconciliation/difference-words.ts";
import { RowLink } from "#app/components/ui/table.tsx";
import { Money } from "#app/components/ui/money.tsx";
import type { AsideAbout } from "#app/domain/payments/queries/aside.server.ts";

/** The payment or payout of ours that a delivery is about, opening it. */
export function AboutOurs({ about }: { about: AsideAbout }) {
  const isPayout = about.object === "payout";
  return (
    <>
      <RowLink to={isPayout ? `/admin/payouts/${about.id}` : `/settings/transactions/${about.id}`}>
        {isPayout ? "Saque" : "Cobrança"} de <Money cents={about.amountCents} />
      </RowLink>{" "}
      {sideWord(isPayout ? "transfer" : "charge", about.status).toLowerCase()}
    </>
  );
}
