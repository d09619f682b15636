import { ButtonLink } from "#app/components/ui/button.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import { feesOfMonth } from "#app/domain/fiscal/queries.server.ts";
import { monthNamed } from "#app/domain/ledger/rules/months.ts";
import { domainContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import type { Route } from "./+types/month.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = ({ params }) => [{ title: `Notas de ${params.month} · Coreto` }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const after = new URL(request.url).searchParams.get("after") ?? "";
  const month = found(monthNamed(params.month), "Este mês não existe.");
  const rows = await feesOfMonth(context.get(domainContext), { month, after, limit: PAGE_ROWS + 1 });
  const fees = rows.slice(0, PAGE_ROWS);
  return { month, fees, next: rows.length > PAGE_ROWS ? (fees.at(-1)?.creatorId ?? null) : null };
}

export default function FiscalMonth({ loaderData: { month, fees, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title={`Notas de ${month.split("-").toReversed().join("/")}`} lead="A taxa de cada pessoa no mês, o que veio do mês anterior, o que foi faturado e o que ficou para o próximo." />
      <div className="flex flex-col gap-5">
        {fees.length === 0 ? (
          <p className="text-muted">Nenhuma taxa neste mês.</p>
        ) : (
          <Table caption={`Notas de ${month}`}>
            <thead>
              <tr>
                <Th>Quem vende</Th>
                <Th numeric>RPS</Th>
                <Th numeric>Taxa do mês</Th>
                <Th numeric>Do anterior</Th>
                <Th numeric>Faturado</Th>
                <Th numeric>Para o próximo</Th>
              </tr>
            </thead>
            <tbody>
              {fees.map((fee) => (
                <tr key={fee.creatorId}>
                  <Td className="min-w-40 wrap-anywhere">
                    {fee.name ?? "Sem documentos"}
                    {fee.username === null ? null : <span className="block text-caption text-muted">@{fee.username}</span>}
                  </Td>
                  <Td numeric>{fee.number ?? "Sem nota"}</Td>
                  {[fee.feeCents, fee.carriedCents, fee.invoicedCents, fee.leftCents].map((cents, index) => (
                    <Td key={["fee", "carried", "invoiced", "left"][index]} numeric>
                      <Money cents={cents} />
                    </Td>
                  ))}
                </tr>
              ))}
            </tbody>
          </Table>
        )}
        <MoreLink next={next} parameter="after" />
        <ButtonLink to="/admin/fiscal" variant="ghost" className="-ml-5 self-start">
          Voltar para as notas
        </ButtonLink>
      </div>
    </>
  );
}
