import { Money } from "#app/components/ui/money.tsx";
import type { CoolingOffQuote as Returned } from "#app/domain/billing/refunds/queries/cooling-off.server.ts";
import { counted, nounFor } from "#app/domain/text.ts";

/**
 * Amount of a cooling-off refund, as part of a sentence. After a partial refund it is described as
 * the rest. `isRest` is false where the amount also includes payments outside of the cooling-off
 * refund.
 */
export function CoolingOffRefundText({
  backCents,
  payments,
  isWhole,
  isRest = true,
}: Returned & { isRest?: boolean }) {
  if (backCents === 0)
    return <>o que você pagou já voltou ou está a caminho, e nada mais é devolvido</>;
  const ofAll = nounFor(payments, "", `dos ${counted(payments, "pagamento", "pagamentos")}`);
  const whole = ofAll === "" ? " inteiros" : ` inteiros, ${ofAll}`;
  const rest = `, o que ainda não voltou ${ofAll}`.trimEnd();
  return (
    <>
      devolvemos <Money cents={backCents} className="font-semibold" />
      {isWhole ? whole : isRest ? rest : ""}
    </>
  );
}
