import { DebitCredit } from "#app/components/ledger/debit-credit.tsx";
import { EntriesTable } from "#app/components/ledger/entries-table.tsx";
import { InvariantFindings } from "#app/components/ledger/invariant-findings.tsx";
import { LedgerStatementView } from "#app/components/ledger/ledger-statement.tsx";
import { PlatformMoneySummary } from "#app/components/ledger/platform-money.tsx";
import { TrialBalance } from "#app/components/ledger/trial-balance.tsx";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { DocumentActions } from "#app/components/payments/document-actions.tsx";
import { DisputeList } from "#app/components/payments/dispute-list.tsx";
import { EvidenceFiles } from "#app/components/payments/evidence-files.tsx";
import { PaymentFigures } from "#app/components/payments/figures.tsx";
import { RefundTransferNotice } from "#app/components/payments/refund-transfer.tsx";
import { SaleAmounts } from "#app/components/payments/sale-amounts.tsx";
import { Timeline } from "#app/components/payments/timeline.tsx";
import { TransactionFilters } from "#app/components/payments/transaction-filters.tsx";
import { TransactionList } from "#app/components/payments/transaction-list.tsx";
import { TransactionTotals } from "#app/components/payments/transaction-totals.tsx";
import { BalanceCard } from "#app/components/payouts/balance-card.tsx";
import { DebtNote } from "#app/components/payouts/debt-note.tsx";
import { DestinationForm } from "#app/components/payouts/destinations/destination-form.tsx";
import {
  DocumentUpload,
  UnreadUpload,
} from "#app/components/payouts/documents/document-uploads.tsx";
import { PayoutList } from "#app/components/payouts/payout-list.tsx";
import { SellerDetailsForm } from "#app/components/payouts/documents/seller-details-form.tsx";
import { PayoutBadge } from "#app/components/payouts/payout-status.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { Table } from "#app/components/ui/table.tsx";
import { chargeStatuses } from "#app/domain/payments/rules.ts";
import { payoutStatuses } from "#app/domain/payouts/schema.ts";
import {
  DAY_MS,
  HOUR_MS,
  LONG_NAME,
  LONG_WORD,
  NOW,
  problem,
} from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const sale = {
  amountCents: 1_990,
  feeCents: 100,
  refundedCents: 0,
  refundedFeeCents: 0,
  disputedCents: 0,
  disputedFeeCents: 0,
  netCents: 1_890,
};
const transactions = chargeStatuses.map((status, index) => ({
  ...sale,
  id: `t${index}`,
  at: NOW - index * DAY_MS,
  description: index === 1 ? LONG_WORD : "Camarim",
  method: index % 2 === 0 ? ("pix" as const) : ("card" as const),
  recurringPixId: null,
  status,
  counterpartName: index === 2 ? LONG_NAME : "Bruno Lima",
}));
const balances = (availableCents: number, owedCents = 0) => ({
  availableCents,
  pendingCents: 45_600,
  reservedCents: 1_990,
  inTransitCents: 0,
  owedCents,
  coming: {
    days: [{ releaseAt: NOW + DAY_MS, netCents: 45_600 }],
    later: null,
    undatedCents: 0,
  },
});
const payout = {
  id: "p",
  label: "",
  amountCents: 12_345,
  to: "Pix: ***.456.789-**",
  isToAccount: false,
  requestedAt: NOW - DAY_MS,
  arrivesAt: NOW + DAY_MS,
  settledAt: null,
  failureCode: null,
  heldReason: null,
  heldUntil: null,
  waitsFor: null,
  waitsUntil: null,
  requestedByName: null,
};
const totals = {
  count: 13,
  amountCents: 25_870,
  refundedCents: 1_990,
  disputedCents: 1_990,
  feeCents: 1_300,
  netCents: 20_590,
};

export const MONEY: GalleryScreen = {
  slug: "money",
  title: "Dinheiro: extratos e saques",
  parts: [
    {
      name: "Valores",
      element: (
        <div className="flex flex-wrap items-baseline gap-4">
          <Money cents={1_990} />
          <Money cents={1_990} tone="in" size="large" />
          <Money cents={123_456_789} size="display" />
          <Money cents={-5_000} />
        </div>
      ),
    },
    {
      name: "Saldo",
      element: (
        <BalanceCard balances={balances(123_456)}>
          <Button>Sacar</Button>
        </BalanceCard>
      ),
    },
    {
      name: "Saldo com dívida",
      element: (
        <BalanceCard balances={balances(0, 4_500)}>
          <DebtNote owedCents={4_500} of={null} />
        </BalanceCard>
      ),
    },
    {
      name: "Saques, em cada estado",
      element: (
        <PayoutList
          payouts={payoutStatuses.map((status) => ({
            ...payout,
            id: status,
            status,
            label: status,
            heldReason: status === "held" ? ("documents" as const) : null,
          }))}
          holdReason="Confira o seu documento."
          mayCancel
        />
      ),
      isWide: true,
    },
    {
      name: "Nenhum saque",
      element: <PayoutList payouts={[]} holdReason={null} mayCancel={false} />,
    },
    {
      name: "Etiquetas de saques",
      element: (
        <div className="flex flex-wrap gap-2">
          {payoutStatuses.map((status) => (
            <PayoutBadge key={status} status={status} label={status} />
          ))}
        </div>
      ),
    },
    {
      name: "Vendas, em cada estado",
      element: <TransactionList face="received" rows={transactions} />,
      isWide: true,
    },
    {
      name: "Compras",
      element: <TransactionList face="paid" rows={transactions.slice(0, 3)} />,
      isWide: true,
    },
    { name: "Somas", element: <TransactionTotals face="received" totals={totals} />, isWide: true },
    {
      name: "Filtros, com erro",
      element: (
        <TransactionFilters
          face="received"
          values={{ from: "2026-11-11" }}
          errors={{ until: "O fim vem antes do começo." }}
          periods={[{ name: "Este mês", from: "2026-11-01", until: "2026-11-30" }]}
          isFiltered
        />
      ),
      isWide: true,
    },
    {
      name: "Andamento de um pagamento",
      element: (
        <Timeline
          moments={[
            { kind: "created", at: NOW - DAY_MS, cents: null, note: null },
            { kind: "succeeded", at: NOW - DAY_MS + HOUR_MS, cents: 1_990, note: null },
            { kind: "dispute_opened", at: NOW, cents: 1_990, note: null },
            { kind: "to_release", at: NOW + DAY_MS, cents: 1_890, note: null },
          ]}
        />
      ),
    },
    {
      name: "Contas de um pagamento",
      element: (
        <PaymentFigures
          figures={[
            { name: "gross", cents: 1_990, entries: [] },
            { name: "fee", cents: -100, entries: [] },
            { name: "net", cents: 1_890, entries: [] },
          ]}
        />
      ),
    },
    {
      name: "Dados",
      element: (
        <DetailList
          details={[
            { label: "Quem pagou", value: LONG_NAME },
            { label: "Código", value: LONG_WORD },
          ]}
        />
      ),
    },
    {
      name: "Contestações",
      element: (
        <DisputeList
          rows={(["needs_response", "under_review", "too_late", "won", "lost"] as const).map(
            (state) => ({
              id: state,
              to: `/settings/disputes/${state}`,
              kind: "card",
              state,
              amountCents: 1_990,
              paidCents: 1_990,
              description: "Camarim",
              payerName: LONG_NAME,
              createdAt: NOW - DAY_MS,
              respondBy: NOW + DAY_MS,
              isAnswered: false,
            }),
          )}
        />
      ),
      isWide: true,
    },
    {
      name: "Imprimir um recibo",
      element: <DocumentActions pdf="/settings/transactions/a/recibo.pdf" back="/settings" />,
    },
    {
      name: "Provas",
      element: (
        <EvidenceFiles
          disputeId="a"
          files={[{ id: "a", kind: "receipt", name: `${LONG_WORD}.pdf`, sizeBytes: 120_000 }]}
          removable
        />
      ),
    },
    {
      name: "Reembolso que espera a chave",
      element: (
        <RefundTransferNotice
          isPayer
          refund={{
            refundId: "a",
            amountCents: 1_990,
            isAwaitingKey: true,
            isHeld: false,
            keyPath: "/refund/a",
          }}
        />
      ),
    },
    {
      name: "Vendas de um valor",
      element: (
        <SaleAmounts
          caption="A liberar"
          columns={["Venda", "Valor"]}
          sumCents={1_890}
          rows={[{ id: "a", chargeId: "c", description: LONG_WORD, note: null, cents: 1_890 }]}
        />
      ),
    },
    {
      name: "Chave Pix, com erro",
      element: (
        <DestinationForm
          problem={problem({ key: "Confira a chave." }, { key: LONG_WORD })}
          way="pix"
          kind="email"
          takesAccounts
          ownerMasked="Ana P***"
        />
      ),
    },
    {
      name: "Conta de banco",
      element: (
        <DestinationForm
          problem={undefined}
          way="account"
          kind={null}
          takesAccounts
          ownerMasked={null}
        />
      ),
    },
    {
      name: "Quem vende, com erro",
      element: (
        <SellerDetailsForm
          problem={problem({ cpf: "Confira o CPF." })}
          defaults={{}}
          submitLabel="Salvar"
          keeps={null}
        />
      ),
    },
    {
      name: "Documento",
      element: <DocumentUpload kind="id_front" sentAt={null} problem={undefined} />,
    },
    {
      name: "Documento enviado",
      element: <DocumentUpload kind="selfie" sentAt="hoje" problem={undefined} />,
    },
    {
      name: "Documento que não se lê",
      element: <UnreadUpload problem={problem({ file: "A foto não abre." })} />,
    },
  ],
};

export const BOOKS: GalleryScreen = {
  slug: "books",
  title: "Livros da plataforma",
  parts: [
    {
      name: "Lançamentos",
      element: (
        <EntriesTable
          entries={[
            {
              accountKind: "creator_pending",
              amountCents: 1_890,
              transactionKind: "charge",
              sourceKey: "charge:a",
              postedAt: NOW,
            },
            {
              accountKind: "provider_clearing",
              amountCents: 1_890,
              transactionKind: "charge",
              sourceKey: "charge:a",
              postedAt: NOW,
            },
          ]}
        />
      ),
      isWide: true,
    },
    {
      name: "Balancete",
      element: (
        <TrialBalance
          until="2026-11-11"
          error={undefined}
          trial={[
            { kind: "provider_clearing", debitCents: 123_456, creditCents: 0 },
            { kind: "creator_pending", debitCents: 0, creditCents: 123_456 },
          ]}
        />
      ),
      isWide: true,
    },
    {
      name: "Débito e crédito",
      element: (
        <Table
          caption="Lançamento"
          columns={[
            { title: "Conta" },
            { title: "Débito", numeric: true },
            { title: "Crédito", numeric: true },
          ]}
        >
          <tbody>
            <tr>
              <td>No provedor</td>
              <DebitCredit debitCents={1_890} creditCents={0} />
            </tr>
          </tbody>
        </Table>
      ),
    },
    {
      name: "Extrato de uma conta",
      element: (
        <LedgerStatementView
          path="/settings/transfers/extrato"
          title="Extrato"
          lines={[
            {
              id: "a",
              at: NOW,
              text: "Venda: Camarim",
              to: "/settings/transactions/a",
              amountCents: 1_890,
              balanceCents: 1_890,
            },
            { id: "b", at: NOW, text: LONG_WORD, to: null, amountCents: -1_000, balanceCents: 890 },
          ]}
          sums={{ openingCents: 0, closingCents: 890 }}
          values={{ from: "2026-11-01", until: "2026-11-11" }}
          errors={{}}
        />
      ),
      isWide: true,
    },
    {
      name: "Dinheiro da plataforma",
      element: (
        <PlatformMoneySummary
          ownCents={50_000}
          parts={{
            feesCents: 61_728,
            costsCents: 11_728,
            writeOffsCents: 0,
            cashCents: 50_000,
            owedCents: 0,
            refundsCents: 0,
          }}
        />
      ),
    },
    {
      name: "Conferência dos livros: tudo certo",
      element: <InvariantFindings findings={[]} checkedAt={NOW} />,
      isWide: true,
    },
    {
      name: "Conferência dos livros: quebrada",
      element: (
        <InvariantFindings
          checkedAt={NOW}
          findings={[
            {
              name: "entries_sum_to_zero",
              title: "Todo lançamento soma zero",
              isKnown: true,
              isByDay: false,
              wholeAt: null,
              brokenCount: 2,
              brokenSince: NOW - DAY_MS,
              example: LONG_WORD,
              mendedAt: null,
            },
          ]}
        />
      ),
      isWide: true,
    },
  ],
};
