import { Link } from "react-router";
import { chargeStatusLabel, methodLabel } from "#app/components/payments/charge-labels.ts";
import { EntriesTable } from "#app/components/ledger/entries-table.tsx";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import type { Detail } from "#app/components/payments/detail-list.tsx";
import { PaymentFigures } from "#app/components/payments/figures.tsx";
import { RefundTransferNotice } from "#app/components/payments/refund-transfer.tsx";
import { Timeline } from "#app/components/payments/timeline.tsx";
import { statementUrl } from "#app/components/payments/transaction-filters.tsx";
import { transactionKindText } from "#app/components/payments/transaction-labels.ts";
import type { PlatformCompany } from "#app/domain/fiscal/schema/company.ts";
import { useCompany } from "#app/components/shell/company.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { transactionFigures } from "#app/domain/billing/statements/rules/figures.ts";
import { refundProblem } from "#app/domain/billing/refunds/rules.ts";
import { paymentTimeline } from "#app/domain/billing/statements/rules/timeline.ts";
import { formatPublicTaxId } from "#app/domain/identity/tax-ids/rules.ts";
import { isAwaitingPayment } from "#app/domain/payments/rules.ts";
import { formatMinute } from "#app/domain/time.ts";
import { actorContext } from "#app/http/contexts.ts";
import {
  loadTransactionForViewer,
  pendingRefundTransfers,
} from "#app/http/money/transaction.server.ts";
import type { Route } from "./+types/transaction.ts";

export const meta: Route.MetaFunction = () => [{ title: "Transação · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const {
    side,
    charge,
    seller,
    payer,
    entries,
    refunds,
    disputes,
    transfers,
    releases,
    message,
    isInCoolingOff,
  } = await loadTransactionForViewer({ context }, params.id);
  const { id, description, method, recurringPixId, status, purchaseKind, createdAt, succeededAt } =
    charge;
  const isDebt = purchaseKind === "debt";
  const mayGiveBack =
    side === "moderation" || (side === "seller" && context.get(actorContext).may("refunds:make"));
  return {
    side,
    charge: {
      id,
      description,
      method,
      recurringPixId,
      status,
      purchaseKind,
      createdAt,
      succeededAt,
    },
    kindWord: transactionKindText(purchaseKind),
    hasReceipt: succeededAt !== null && !isDebt,
    payer: { name: payer.name, username: payer.username },
    seller: {
      name: seller.name,
      username: seller.username,
      soldBy: isDebt
        ? null
        : seller.document && {
            name: seller.document.name,
            taxIdShown: formatPublicTaxId(seller.document),
          },
    },
    figures: transactionFigures(side, { ...charge, entries, disputes }),
    entries: side === "payer" ? [] : entries,
    timeline: paymentTimeline(side, { ...charge, refunds, disputes, transfers, releases }),
    onTheirWay: pendingRefundTransfers({
      chargeId: charge.id,
      isPayer: side === "payer",
      transfers,
    }),
    message,
    isInCoolingOff,
    disputeId: side === "payer" ? null : (disputes.at(-1)?.id ?? null),
    mayRefund:
      mayGiveBack && !isDebt && refundProblem(charge, refunds, { amountCents: null }) === null,
  };
}

type Shown = Route.ComponentProps["loaderData"];

/**
 * The label of a charge whose refund transfer has not arrived yet. The charge is refunded only
 * after that.
 */
const RETURNING = { label: "Devolução a caminho", tone: "attention" } as const;

export default function Transaction({ loaderData: detail }: Route.ComponentProps) {
  const { charge, figures, timeline, entries } = detail;
  const company = useCompany();
  const status = detail.onTheirWay.length > 0 ? RETURNING : chargeStatusLabel(charge.status);
  return (
    <>
      <PageHeader title={charge.description}>
        <Badge tone={status.tone}>{status.label}</Badge>
      </PageHeader>
      <div className="flex flex-col gap-6">
        {figures.length > 0 ? (
          <Card as="section" label="Valores" className="px-5 py-2 sm:px-6">
            <PaymentFigures figures={figures} isReturning={detail.onTheirWay.length > 0} />
          </Card>
        ) : null}
        {detail.message ? (
          <Card as="section" label="Mensagem" className="flex flex-col gap-2 p-5 sm:p-6">
            <h2 className="text-heading">{detail.payer.name} escreveu</h2>
            <p dir="auto" className="whitespace-pre-line wrap-anywhere">
              {detail.message}
            </p>
          </Card>
        ) : null}
        {detail.onTheirWay.map((refund) => (
          <RefundTransferNotice
            key={refund.refundId}
            refund={refund}
            isPayer={detail.side === "payer"}
          />
        ))}
        <Acts detail={detail} />
        <section className="flex flex-col gap-3">
          <h2 className="text-heading">O que aconteceu</h2>
          <Card className="p-5 sm:p-6">
            <Timeline moments={timeline} />
          </Card>
        </section>
        <Card className="p-5 sm:p-6">
          <DetailList details={detailsOf(detail, company)} />
        </Card>
        {entries.length > 0 ? (
          <section className="flex flex-col gap-3">
            <h2 className="text-heading">Lançamentos</h2>
            <EntriesTable entries={entries} caption="Todos os lançamentos" />
          </section>
        ) : null}
        <ButtonLink to="/settings/transactions" variant="ghost" className="-ml-5 self-start">
          Voltar para o extrato
        </ButtonLink>
      </div>
    </>
  );
}

function Acts({
  detail: { side, charge, hasReceipt, disputeId, isInCoolingOff, mayRefund },
}: {
  detail: Shown;
}) {
  const path = `/settings/transactions/${charge.id}`;
  const acts = [
    ...(side === "payer" && isAwaitingPayment(charge.status)
      ? [
          {
            to: `/checkout/${charge.id}`,
            label: "Continuar o pagamento",
            variant: "primary" as const,
          },
        ]
      : []),
    ...(hasReceipt
      ? [{ to: `${path}/recibo`, label: "Ver recibo", variant: "outline" as const }]
      : []),
    ...(disputeId
      ? [
          {
            to: `/settings/transactions/disputes/${disputeId}`,
            label: "Ver a contestação",
            variant: "outline" as const,
          },
        ]
      : []),
    ...(mayRefund
      ? [{ to: `${path}/refund`, label: "Devolver", variant: "outline" as const }]
      : []),
    ...(isInCoolingOff
      ? [
          {
            to: `${path}/regret`,
            label: "Desistir e receber tudo de volta",
            variant: "outline" as const,
          },
        ]
      : []),
  ];
  if (acts.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {acts.map(({ to, label, variant }) => (
        <ButtonLink key={to} to={to} variant={variant}>
          {label}
        </ButtonLink>
      ))}
    </div>
  );
}

function detailsOf(
  { side, charge, kindWord: kind, payer, seller }: Shown,
  company: PlatformCompany,
): Detail[] {
  const person = (
    face: "paid" | "received",
    { name, username }: { name: string; username: string },
  ) => (
    <Link
      to={statementUrl(face, { person: username })}
      className="underline underline-offset-4 wrap-anywhere"
    >
      {name}
    </Link>
  );
  const sides: Record<Shown["side"], Detail[]> = {
    payer: [{ label: "Para", value: person("paid", seller) }],
    seller: [{ label: "De", value: person("received", payer) }],
    moderation: [
      { label: "De", value: `${payer.name} (@${payer.username})` },
      { label: "Para", value: `${seller.name} (@${seller.username})` },
    ],
  };
  return [
    ...(charge.purchaseKind === "debt" && side === "payer" ? [] : sides[side]),
    { label: "Tipo", value: kind },
    { label: "Forma de pagamento", value: methodLabel(charge.method, charge.recurringPixId) },
    { label: "Quando", value: formatMinute(charge.createdAt) },
    ...(side === "payer" && seller.soldBy
      ? [
          {
            label: "Quem vendeu",
            value: <Named name={seller.soldBy.name} taxId={seller.soldBy.taxIdShown} />,
          },
        ]
      : []),
    ...(side === "payer"
      ? [
          {
            label: "Plataforma",
            value: (
              <>
                <Named name={company.name} taxId={`CNPJ ${company.cnpj}`} />. {company.address}
              </>
            ),
          },
        ]
      : []),
    {
      label: "Código",
      value: <span className="font-normal text-small wrap-anywhere">{charge.id}</span>,
    },
  ];
}

/** A tax id is never broken over two lines. */
function Named({ name, taxId }: { name: string; taxId: string }) {
  return (
    <>
      {name}, <span className="whitespace-nowrap">{taxId}</span>
    </>
  );
}
