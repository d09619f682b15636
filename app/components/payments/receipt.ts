import { methodLabel } from "./charge-labels.ts";
import type { PrintableDocument } from "#app/lib/paper.ts";
import type { PlatformCompany } from "#app/domain/fiscal/schema/company.ts";
import { addressLine } from "#app/domain/billing/details/rules.ts";
import type { TransactionSide } from "#app/domain/billing/statements/rules/figures.ts";
import { remainingFeeAndNet } from "#app/domain/billing/statements/rules/statement.ts";
import type { CountedPayment } from "#app/domain/billing/statements/rules/statement.ts";
import type { BillingDetails } from "#app/domain/billing/details/schema.ts";
import { formatTaxId, taxIdLabel } from "#app/domain/identity/tax-ids/rules.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { formatMoney } from "#app/domain/money.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { formatMinute } from "#app/domain/time.ts";

/** Content of a receipt, the same for the page and the PDF. */
export type Receipt = {
  title: string;
  notice: string;
  number: string;
  issuedAt: string;
  total: string;
  sections: { title: string; details: { label: string; value: string }[] }[];
  foot: string;
};

/** Converts a receipt to the document that is printed. */
export const receiptDocument = ({
  number,
  issuedAt,
  foot,
  ...receipt
}: Receipt): PrintableDocument => ({
  ...receipt,
  fileTitle: `Recibo ${number}`,
  seed: number,
  line: `Número ${number} · emitido em ${issuedAt}`,
  foot: [foot],
});

export type ReceiptSource = {
  side: TransactionSide;
  charge: CountedPayment & {
    id: string;
    description: string;
    method: PaymentMethod;
    recurringPixId: string | null;
  };
  succeededAt: number;
  payer: { name: string; details: BillingDetails | null };
  seller: { name: string; username: string; document: ({ name: string } & TaxId) | null };
  refunds: { amountCents: number; settledAt: number | null }[];
  now: number;
  company: PlatformCompany;
};

/**
 * Builds the text of a receipt. Decreto 7.962/2013 (art. 2) asks for seller and platform. The
 * seller has a full name, CPF or CNPJ and page; the platform has CNPJ and address. The payer has
 * billing details, which only they and staff see.
 */
export function buildReceipt({
  side,
  charge,
  succeededAt,
  payer,
  seller,
  refunds,
  now,
  company,
}: ReceiptSource): Receipt {
  const remainingCents = charge.amountCents - charge.refundedCents - charge.disputedCents;
  const { feeCents, netCents } = remainingFeeAndNet(charge);
  const fact = (label: string, value: string) => ({ label, value });
  return {
    title: "Recibo",
    notice: "Não é nota fiscal",
    number: charge.id,
    issuedAt: formatMinute(now),
    total: formatMoney(remainingCents),
    sections: [
      {
        title: "Pagamento",
        details: [
          fact("O que foi pago", charge.description),
          fact("Valor", formatMoney(charge.amountCents)),
          fact("Forma", methodLabel(charge.method, charge.recurringPixId)),
          fact("Pago em", formatMinute(succeededAt)),
          ...refunds.map(({ amountCents, settledAt }) =>
            fact(
              settledAt === null
                ? "Devolução a caminho"
                : `Devolvido em ${formatMinute(settledAt)}`,
              formatMoney(-amountCents),
            ),
          ),
          ...(charge.disputedCents > 0
            ? [fact("Contestado no banco", formatMoney(-charge.disputedCents))]
            : []),
          ...(side === "seller"
            ? [
                fact("Taxa do Coreto", formatMoney(-feeCents)),
                fact("Líquido de quem vendeu", formatMoney(netCents)),
              ]
            : []),
        ],
      },
      {
        title: "Quem vendeu",
        details: [
          fact("Nome", seller.document?.name ?? seller.name),
          ...(seller.document
            ? [fact(taxIdLabel(seller.document.taxKind), formatTaxId(seller.document))]
            : []),
          fact("Página", `${seller.name} (@${seller.username})`),
        ],
      },
      {
        title: "Quem pagou",
        details: payer.details ? payerDetails(payer.details) : [fact("Nome", payer.name)],
      },
      {
        title: "Plataforma",
        details: [
          fact("Intermediação", company.name),
          fact("CNPJ", company.cnpj),
          fact("Endereço", company.address),
          fact("Atendimento", company.email),
        ],
      },
    ],
    foot: "Comprova o pagamento feito pelo Coreto. Não substitui a nota fiscal, que quem vende emite quando a lei pede.",
  };
}

function payerDetails(details: BillingDetails): { label: string; value: string }[] {
  return [
    { label: "Nome", value: details.name },
    { label: taxIdLabel(details.taxKind), value: formatTaxId(details) },
    ...(details.cep === "" ? [] : [{ label: "Endereço", value: addressLine(details) }]),
  ];
}
