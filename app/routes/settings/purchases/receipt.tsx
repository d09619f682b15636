import { buildReceipt } from "#app/components/payments/receipt.ts";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { DetailList } from "#app/components/payments/detail-list.tsx";
import { DocumentActions } from "#app/components/payments/document-actions.tsx";
import { receiptSource } from "#app/http/money/transaction.server.ts";
import type { Route } from "./+types/receipt.ts";

export const handle = { shell: "bare" };

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Recibo ${loaderData?.receipt.number ?? ""} · Coreto` },
];

export async function loader({ params, context }: Route.LoaderArgs) {
  return { id: params.id, receipt: buildReceipt(await receiptSource({ context }, params.id)) };
}

export default function ReceiptPage({ loaderData: { id, receipt } }: Route.ComponentProps) {
  return (
    <article className="mx-auto w-full max-w-[640px] overflow-hidden rounded-card border border-line bg-card print:border-0 print:bg-transparent">
      <Bandeirinhas seed={receipt.number} columns={30} rows={2} className="h-14 w-full" />
      <div className="flex flex-col gap-6 p-5 sm:p-8">
        <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
          <div>
            <h1 className="text-title">
              {receipt.title}{" "}
              <span className="font-text text-body font-normal tracking-normal text-muted">
                ({receipt.notice.toLowerCase()})
              </span>
            </h1>
            <p className="text-small wrap-anywhere text-muted">
              Número {receipt.number} · emitido em {receipt.issuedAt}
            </p>
          </div>
          <p className="font-display text-title font-bold whitespace-nowrap tabular-nums">
            {receipt.total}
          </p>
        </header>
        {receipt.sections.map((section) => (
          <section key={section.title} className="flex flex-col gap-3 break-inside-avoid">
            <h2 className="text-[1.125rem] leading-6">{section.title}</h2>
            <DetailList
              details={section.details.map((fact) => ({
                ...fact,
                value: <span className="wrap-anywhere">{fact.value}</span>,
              }))}
            />
          </section>
        ))}
        <p className="text-small text-muted">{receipt.foot}</p>
        <DocumentActions
          pdf={`/settings/transactions/${id}/recibo.pdf`}
          back={`/settings/transactions/${id}`}
        />
      </div>
    </article>
  );
}
