import { chargeWords, methodWord, refundWords } from "#app/components/payments/charge-words.ts";
import { EntriesTable } from "#app/components/payments/entries-table.tsx";
import { Facts } from "#app/components/payments/facts.tsx";
import type { Fact } from "#app/components/payments/facts.tsx";
import { COMPANY } from "#app/components/shell/company.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { maskCpf } from "#app/domain/documents/rules.ts";
import { transactionOf } from "#app/domain/payments/queries.server.ts";
import type { TransactionDetail } from "#app/domain/payments/queries.server.ts";
import { isWaiting } from "#app/domain/payments/rules.ts";
import { formatDay, formatMinute } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import type { Route } from "./+types/transaction.ts";

export const meta: Route.MetaFunction = () => [{ title: "Transação · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const detail = await transactionOf(context.get(domainContext), { personId: context.get(memberContext).id, chargeId: params.id });
  const { seller, ...shown } = found(detail, "Não encontramos esta transação.");
  return { ...shown, soldBy: shown.direction === "paid" && seller ? `${seller.name}, CPF ${maskCpf(seller.cpf)}` : null };
}

type Shown = Omit<TransactionDetail, "seller"> & { soldBy: string | null };

export default function Transaction({ loaderData: detail }: Route.ComponentProps) {
  const words = chargeWords(detail.status);
  return (
    <>
      <PageHeader title={detail.description}>
        <Badge tone={words.tone}>{words.label}</Badge>
      </PageHeader>
      <div className="flex flex-col gap-6">
        <Card className="p-5 sm:p-6">
          <Facts facts={factsOf(detail)} />
        </Card>
        {detail.direction === "paid" && isWaiting(detail.status) ? (
          <ButtonLink to={`/checkout/${detail.id}`} className="self-start">
            Continuar o pagamento
          </ButtonLink>
        ) : null}
        <Refunds refunds={detail.refunds} />
        {detail.entries.length > 0 ? (
          <section className="flex flex-col gap-3">
            <h2 className="text-heading">Lançamentos</h2>
            <EntriesTable entries={detail.entries} />
          </section>
        ) : null}
        <ButtonLink to="/settings/transactions" variant="ghost" className="-ml-5 self-start">
          Voltar para o extrato
        </ButtonLink>
      </div>
    </>
  );
}

function factsOf(detail: Shown): Fact[] {
  const isReceived = detail.direction === "received";
  const dates: Fact[] = [
    { label: "Quando", value: formatMinute(detail.createdAt) },
    ...(detail.succeededAt ? [{ label: "Confirmado", value: formatMinute(detail.succeededAt) }] : []),
  ];
  const amount: Fact = { label: "Valor", value: <Money cents={detail.amountCents} /> };
  const method: Fact = { label: "Forma de pagamento", value: methodWord(detail.method) };
  if (!isReceived) {
    const sellers: Fact[] = detail.soldBy
      ? [
          { label: "Quem vendeu", value: detail.soldBy },
          { label: "Plataforma", value: `${COMPANY.name}, CNPJ ${COMPANY.cnpj}. ${COMPANY.address}` },
        ]
      : [];
    return [{ label: "Para", value: detail.counterpartName }, amount, method, ...dates, ...sellers];
  }
  return [
    { label: "De", value: detail.counterpartName },
    amount,
    { label: "Taxa do Coreto", value: <Money cents={-detail.feeCents} /> },
    { label: "Você recebe", value: <Money cents={detail.netCents} tone="in" /> },
    method,
    ...dates,
    ...releaseFact(detail),
  ];
}

function releaseFact({ releasedAt, releaseAt }: Shown): Fact[] {
  if (releasedAt !== null) return [{ label: "Liberado em", value: formatDay(releasedAt) }];
  return releaseAt === null ? [] : [{ label: "Fica livre em", value: formatDay(releaseAt) }];
}

const REFUND_STATES = { requested: "a caminho", succeeded: "feita", failed: "não passou; estamos vendo" };

function Refunds({ refunds }: Pick<TransactionDetail, "refunds">) {
  if (refunds.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <h2 className="text-heading">Devoluções</h2>
      {refunds.map((refund) => (
        <Card key={refund.createdAt} className="flex flex-col gap-1 p-5">
          <p className="font-semibold">
            <Money cents={refund.amountCents} /> · {REFUND_STATES[refund.status]}
          </p>
          <p className="text-small text-muted">
            {formatMinute(refund.createdAt)} · {refundWords(refund.reason)}
          </p>
        </Card>
      ))}
    </section>
  );
}
