import type { SaleEvidence } from "#app/domain/disputes/schema.ts";
import { formatMoney } from "#app/domain/money.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";

/**
 * What we tell the bank beside the seller's own words, a sentence each; the very lines that the
 * seller sees before they answer.
 */
export function saleEvidenceLines(facts: SaleEvidence): string[] {
  const { activity, period } = facts;
  return [
    `${facts.payerName} pagou ${formatMoney(facts.amountCents)} por ${paymentMethods[facts.method].nameInSentence} em ${formatMinute(facts.paidAt)}: ${facts.description}.`,
    "O recibo, com quem vendeu e o que foi comprado, ficou à disposição na conta de quem pagou desde então.",
    ...(period
      ? [
          `O pagamento cobriu o acesso de ${formatDay(period.startsAt)} a ${formatDay(period.endsAt)}.`,
        ]
      : []),
    ...(facts.earlierPayments > 0
      ? [
          `A mesma pessoa já tinha feito ${countWords(facts.earlierPayments, "outro pagamento", "outros pagamentos")} desta assinatura, sem contestar.`,
        ]
      : []),
    payerActivityLine(activity),
    wayOutLine(facts),
    ...extentLines(facts),
  ];
}

/** Of how much of the payment it is, where that is not the whole. */
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
 * What the payer could have done without the bank. Source: CDC art. 49 holds for a new contract,
 * never for its renewals.
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

const countWords = (count: number, one: string, many: string): string =>
  count === 1 ? `1 ${one}` : `${count} ${many}`;

/** What the payer did with what they paid for; also alone, where a provider has a place for it. */
export function payerActivityLine(activity: SaleEvidence["activity"]): string {
  if (activity === null)
    return "Não há curtidas, comentários nem votos de quem pagou depois do pagamento.";
  const posts = countWords(activity.posts, "publicação", "publicações");
  const when =
    activity.firstAt === activity.lastAt
      ? `em ${formatMinute(activity.firstAt)}`
      : `entre ${formatMinute(activity.firstAt)} e ${formatMinute(activity.lastAt)}`;
  return `Depois de pagar, a pessoa curtiu, comentou ou votou em ${posts} de quem vendeu, ${when}.`;
}
