import { counted } from "#app/domain/text.ts";
import type { SaleEvidence } from "#app/domain/disputes/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";

/**
 * Returns what we send to the bank beside the seller's own text, one sentence a line. The seller
 * sees the same lines before they answer.
 */
export function saleEvidenceLines(evidence: SaleEvidence): string[] {
  const { activity, period } = evidence;
  return [
    `${evidence.payerName} pagou ${formatMoney(evidence.amountCents)} por ${paymentMethods[evidence.method].nameInText} em ${formatMinute(evidence.paidAt)}: ${evidence.description}.`,
    "O recibo, com quem vendeu e o que foi comprado, ficou à disposição na conta de quem pagou desde então.",
    ...(period
      ? [
          `O pagamento cobriu o acesso de ${formatDay(period.startsAt)} a ${formatDay(period.endsAt)}.`,
        ]
      : []),
    ...(evidence.earlierPayments > 0
      ? [
          `A mesma pessoa já tinha feito ${counted(evidence.earlierPayments, "outro pagamento", "outros pagamentos")} desta assinatura, sem contestar.`,
        ]
      : []),
    payerActivityLine(activity),
    wayOutLine(evidence),
    ...extentLines(evidence),
  ];
}

/** States how much of the payment is disputed, where that is not all of it. */
function extentLines({ amountCents, refundedCents, disputedCents }: SaleEvidence): string[] {
  const isOfRest = disputedCents === amountCents - refundedCents;
  return [
    ...(refundedCents > 0
      ? [
          `${formatMoney(refundedCents)} deste pagamento já tinham sido devolvidos${isOfRest ? "; a contestação é do resto" : ""}.`,
        ]
      : []),
    ...(isOfRest ? [] : [`A contestação é de ${formatMoney(disputedCents)} deste pagamento.`]),
  ];
}

/**
 * States what the payer could have done without the bank. Source: CDC art. 49 applies to a new
 * contract, never to its renewals.
 */
function wayOutLine({ canceledAt, period, earlierPayments }: SaleEvidence): string {
  if (canceledAt !== null)
    return `A renovação foi cancelada em ${formatMinute(canceledAt)}, e o acesso pago continuou.`;
  const ways = [
    ...(period ? ["cancelar a renovação"] : []),
    ...(earlierPayments === 0 ? ["desistir em 7 dias e receber tudo de volta"] : []),
  ];
  return `A pessoa podia ${ways.join(", ou ")}, na própria conta; não fez isso antes de contestar.`;
}

/**
 * States how the payer used what they paid for. Also sent alone, where a provider has a field for
 * it.
 */
export function payerActivityLine(activity: SaleEvidence["activity"]): string {
  if (activity === null)
    return "Não há curtidas, comentários nem votos de quem pagou depois do pagamento.";
  const posts = counted(activity.posts, "publicação", "publicações");
  const when =
    activity.firstAt === activity.lastAt
      ? `em ${formatMinute(activity.firstAt)}`
      : `entre ${formatMinute(activity.firstAt)} e ${formatMinute(activity.lastAt)}`;
  return `Depois de pagar, a pessoa curtiu, comentou ou votou em ${posts} de quem vendeu, ${when}.`;
}
