import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";

/**
 * What who paid reads when a sale is undone, `amountCents` of the `leftCents` that were not given
 * back yet (centavos): plainly, nothing of anybody's age, and never that all comes back where a
 * part does. Source: domain rules, "Documents", a false age.
 */
export function underageRefundReasonText({
  amountCents,
  leftCents,
}: {
  amountCents: Cents;
  leftCents: Cents;
}): string {
  if (amountCents >= leftCents)
    return "O Coreto cancelou as vendas desta página e devolve o que você pagou.";
  return `O Coreto cancelou as vendas desta página e devolve ${formatMoney(amountCents)}, a parte do que você pagou que ainda não tinha sido repassada.`;
}
