import { DetailList } from "#app/components/payments/detail-list.tsx";
import { formatMoney } from "#app/domain/money.ts";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import type { Interval } from "#app/domain/plans/schema.ts";

/**
 * What somebody lets be debited; `todayCents` is what the code of the authorisation pays at once,
 * null once it was paid.
 */
export type MandateTermsProps = {
  todayCents: number | null;
  /** Each debit's amount; null where it varies up to `ceilingCents`. */
  amountCents: number | null;
  ceilingCents: number;
  interval: Interval;
  /** The day of the next debit, as it is read. */
  debitOn: string;
};

/** The consent, in the words of who gives it: how much, how often, from when, and how it ends. */
export function MandateTerms({
  todayCents,
  amountCents,
  ceilingCents,
  interval,
  debitOn,
}: MandateTermsProps) {
  return (
    <DetailList
      facts={[
        ...(todayCents === null
          ? []
          : [{ label: "Hoje, neste código", value: formatMoney(todayCents) }]),
        {
          label: "Cada débito",
          value:
            amountCents === null
              ? `varia, até ${formatMoney(ceilingCents)} ${intervalLabel(interval)}`
              : `${formatMoney(amountCents)} ${intervalLabel(interval)}, valor fixo`,
        },
        {
          label: todayCents === null ? "Próximo débito" : "Primeiro débito",
          value: `${debitOn}, na véspera da renovação`,
        },
        {
          label: "Para encerrar",
          value: "no app do seu banco ou em Ajustes, Assinaturas, quando quiser",
        },
      ]}
    />
  );
}
