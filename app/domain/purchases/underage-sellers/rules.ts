import { formatMoney } from "#app/domain/money.ts";
import type { Cents } from "#app/domain/money.ts";

/**
 * Builds the text that the payer reads when a sale is undone. `amountCents` is refunded of
 * `leftCents` (centavos). It says nothing of anyone's age, and never promises more than is
 * refunded. Source: domain rules, "Documents", a false age.
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
