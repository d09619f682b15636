import { Form } from "react-router";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoreLink } from "#app/components/ui/pager.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import { noteTaken } from "#app/domain/fiscal/commands.server.ts";
import { batchOfMonth, feesOfMonth } from "#app/domain/fiscal/queries.server.ts";
import { deadlineOf } from "#app/domain/fiscal/rules.ts";
import { monthNamed } from "#app/domain/ledger/rules/months.ts";
import { formatDay, instantOfIsoDay } from "#app/domain/time.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/month.ts";

const PAGE_ROWS = 50;

export const meta: Route.MetaFunction = ({ params }) => [{ title: `Notas de ${params.month} · Coreto` }];

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const after = new URL(request.url).searchParams.get("after") ?? "";
  const month = found(monthNamed(params.month), "Este mês não existe.");
  const ctx = context.get(domainContext);
  const [rows, batch] = await Promise.all([feesOfMonth(ctx, { month, after, limit: PAGE_ROWS + 1 }), batchOfMonth(ctx, { month })]);
  const fees = rows.slice(0, PAGE_ROWS);
  return { month, handing: batch && handingOf(batch), fees, next: rows.length > PAGE_ROWS ? (fees.at(-1)?.creatorId ?? null) : null };
}

/** The files of the month were taken to the city hall: by whom and when, once. */
export async function action({ request, params, context }: Route.ActionArgs) {
  const month = found(monthNamed(params.month), "Este mês não existe.");
  const isNoted = await noteTaken(context.get(domainContext), { month, moderatorId: context.get(memberContext).id });
  return await redirectWithToast(request, `/admin/fiscal/${month}`, isNoted ? { kind: "success", message: "Anotado: as notas foram levadas à prefeitura." } : { kind: "error", message: "Nada mudou: este mês não espera ser levado à prefeitura." });
}

/** What is said of a month's way to the city hall. */
function handingOf({ issuedOn, invoicesCount, handedInAt, takenAt, takenByName }: NonNullable<Awaited<ReturnType<typeof batchOfMonth>>>) {
  if (invoicesCount === 0) return null;
  if (takenAt !== null) return { mayTake: false, words: `Levado à prefeitura em ${formatDay(takenAt)}${takenByName === null ? "" : `, por ${takenByName}`}.` };
  return { mayTake: handedInAt !== null, words: `Leve os lotes à prefeitura até ${formatDay(instantOfIsoDay(deadlineOf(issuedOn)))}.` };
}

export default function FiscalMonth({ loaderData: { month, handing, fees, next } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title={`Notas de ${month.split("-").toReversed().join("/")}`} lead="A taxa de cada pessoa no mês, o que veio do mês anterior, o que foi faturado e o que ficou para o próximo." />
      <div className="flex flex-col gap-5">
        {handing === null ? null : (
          <Form method="post" className="flex flex-wrap items-center gap-3">
            <p>{handing.words}</p>
            {handing.mayTake ? (
              <Button variant="outline" size="sm">
                Levado à prefeitura
              </Button>
            ) : null}
          </Form>
        )}
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
