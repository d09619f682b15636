import { DetailList } from "#app/components/payments/detail-list.tsx";
import { formatMoney } from "#app/domain/money.ts";
import { intervalLabel } from "#app/domain/plans/rules/intervals.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";

/** Terms of a Pix mandate. `todayCents` is what its code charges at once; null once it was paid. */
export type MandateTermsProps = {
  todayCents: number | null;
  /** Amount of each debit; null where it varies up to `ceilingCents`. */
  amountCents: number | null;
  ceilingCents: number;
  interval: Interval;
  /** Date of the next debit, formatted. */
  debitOn: string;
};

/** Consent text of a Pix mandate: amount, interval, start and how it ends. */
export function MandateTerms({
  todayCents,
  amountCents,
  ceilingCents,
  interval,
  debitOn,
}: MandateTermsProps) {
  return (
    <DetailList
      details={[
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
