import { Download } from "lucide-react";
import { Link } from "react-router";
import { Badge } from "#app/components/ui/badge.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import { batchesOf } from "#app/domain/fiscal/queries.server.ts";
import { deadlineOf, fileName, SERIES } from "#app/domain/fiscal/rules.ts";
import { formatDay, instantOfIsoDay, isoDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/months.ts";

export const meta: Route.MetaFunction = () => [{ title: "Notas da taxa · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const batches = await batchesOf(context.get(domainContext));
  return {
    batches: batches.map(({ month, startsAt, endsAt, feesCents, bookCents, invoicedCents, leftCents, invoicesCount, firstNumber, lastNumber, issuedOn, filesHandedIn, handedInAt, takenAt }) => ({
      month,
      days: { from: isoDay(startsAt), until: isoDay(endsAt - 1) },
      feesCents,
      bookCents,
      invoicedCents,
      leftCents,
      invoicesCount,
      numbers: firstNumber === null ? null : `${firstNumber} a ${lastNumber}`,
      issuedOn: formatDay(instantOfIsoDay(issuedOn)),
      files: Array.from({ length: filesHandedIn }, (_, part) => fileName(month, part)),
      isHandedIn: handedInAt !== null,
      takenOn: takenAt === null ? null : formatDay(takenAt),
      deadline: invoicesCount === 0 ? null : formatDay(instantOfIsoDay(deadlineOf(issuedOn))),
    })),
  };
}

type Row = Route.ComponentProps["loaderData"]["batches"][number];

export default function FiscalMonths({ loaderData: { batches } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Notas da taxa"
        lead={`A taxa do Coreto de cada mês fechado, uma nota (RPS da série ${SERIES}) para cada pessoa que vende. Um mês é faturado uma vez; o que volta depois desconta do mês em que voltou.`}
      >
        <ButtonLink to="/admin/ledger/seals" variant="outline" size="sm">
          Meses fechados
        </ButtonLink>
      </PageHeader>
      {batches.length === 0 ? <p className="text-muted">Nenhum mês foi faturado ainda. O primeiro é faturado quando fechar.</p> : <Months batches={batches} />}
    </>
  );
}

function Months({ batches }: { batches: Row[] }) {
  return (
    <Table caption="Meses faturados">
      <thead>
        <tr>
          <Th>Mês</Th>
          <Th numeric>Taxas no livro</Th>
          <Th numeric>Faturado</Th>
          <Th numeric>Para o próximo</Th>
          <Th numeric>Notas</Th>
          <Th>Arquivos</Th>
        </tr>
      </thead>
      <tbody>
        {batches.map((batch) => (
          <tr key={batch.month}>
            <Td className="whitespace-nowrap">
              <Link to={`/admin/fiscal/${batch.month}`} className="font-semibold underline underline-offset-4">
                {batch.month.split("-").toReversed().join("/")}
              </Link>
              <span className="block text-caption text-muted">emitidas em {batch.issuedOn}</span>
            </Td>
            <Td numeric>
              <Link to={`/admin/ledger/accounts/platform_fees?from=${batch.days.from}&until=${batch.days.until}`} className="underline decoration-line decoration-2 underline-offset-4 hover:decoration-leaf">
                <Money cents={batch.bookCents} />
              </Link>
              {batch.bookCents === batch.feesCents ? null : <Badge tone="refusal">Não confere</Badge>}
            </Td>
            <Td numeric>
              <Money cents={batch.invoicedCents} />
            </Td>
            <Td numeric>
              <Money cents={batch.leftCents} />
            </Td>
            <Td numeric>
              {batch.invoicesCount}
              {batch.numbers === null ? null : <span className="block text-caption text-muted">{batch.numbers}</span>}
            </Td>
            <Td>
              <ul className="flex flex-wrap gap-2">
                {batch.files.map((name, index) => (
                  <li key={name}>
                    <ButtonLink to={`/admin/fiscal/files/${name}`} reloadDocument variant="outline" size="sm">
                      <Download aria-hidden="true" className="size-4.5" />
                      Lote {index + 1}
                    </ButtonLink>
                  </li>
                ))}
              </ul>
              {batch.isHandedIn ? null : <Badge tone="attention">Gerando</Badge>}
              {batch.deadline === null ? null : <span className="mt-1 block text-caption text-muted">{batch.takenOn === null ? `Leve à prefeitura até ${batch.deadline}` : `Levado à prefeitura em ${batch.takenOn}`}</span>}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
