import { counted } from "#app/domain/text.ts";
import { Download } from "lucide-react";
import { Badge } from "#app/components/ui/badge.tsx";
import { IssuerMissing } from "#app/components/ledger/issuer-missing.tsx";
import { isoToDay } from "#app/components/payouts/documents/document-labels.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { MoneyLink } from "#app/components/ui/links/money-link.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { MoneyTd, RowLink, RowNote, Table, Td } from "#app/components/ui/table.tsx";
import type { Column } from "#app/components/ui/table.tsx";
import { loadInvoicing } from "#app/domain/fiscal/queries.server.ts";
import {
  monthDeadline,
  invoiceFileName,
  monthToInvoice,
  retainedSince,
  SERIES,
} from "#app/domain/fiscal/rules.ts";
import { monthLabel } from "#app/domain/ledger/months/rules/months.ts";
import { formatMoney } from "#app/domain/money.ts";
import { formatDay, instantOfIsoDay, isoDay } from "#app/domain/time.ts";
import { domainContext } from "#app/http/contexts.ts";
import type { Route } from "./+types/months.ts";

export const meta: Route.MetaFunction = () => [{ title: "Notas da taxa · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { batches, invoicing } = await loadInvoicing(ctx);
  const isForgotten = (month: string) =>
    batches[0] !== undefined && month < retainedSince(batches[0].month);
  const first = monthToInvoice(invoicing);
  return {
    missing: ctx.fiscal.missing,
    waiting:
      first === null
        ? null
        : {
            first,
            last: invoicing.lastSealed ?? first,
            dueOn: isoToDay(monthDeadline({ month: first, issuedOn: null })),
          },
    batches: batches.map(
      ({
        month,
        startsAt,
        endsAt,
        feesCents,
        bookCents,
        invoicedCents,
        leftCents,
        invoicesCount,
        firstNumber,
        lastNumber,
        issuedOn,
        filesHandedIn,
        handedInAt,
        takenAt,
      }) => ({
        month,
        days: { from: isoDay(startsAt), until: isoDay(endsAt - 1) },
        feesCents,
        bookCents,
        invoicedCents,
        leftCents,
        invoicesCount,
        numbers: firstNumber === null ? null : `${firstNumber} a ${lastNumber}`,
        issuedOn: formatDay(instantOfIsoDay(issuedOn)),
        files: Array.from({ length: isForgotten(month) ? 0 : filesHandedIn }, (_, part) =>
          invoiceFileName(month, part),
        ),
        isForgotten: isForgotten(month) && filesHandedIn > 0,
        isHandedIn: handedInAt !== null,
        takenOn: takenAt === null ? null : formatDay(takenAt),
        deadline: invoicesCount === 0 ? null : isoToDay(monthDeadline({ month, issuedOn })),
      }),
    ),
  };
}

type Row = Route.ComponentProps["loaderData"]["batches"][number];

export default function FiscalMonths({
  loaderData: { missing, waiting, batches },
}: Route.ComponentProps) {
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
      <div className="flex flex-col gap-5">
        {missing.length === 0 ? null : <IssuerMissing missing={missing} waiting={waiting} />}
        {batches.length === 0 ? (
          <p className="text-muted">
            {waiting === null
              ? "Nenhum mês foi faturado ainda. O primeiro é faturado quando fechar."
              : "Nenhum mês foi faturado ainda."}
          </p>
        ) : (
          <Months batches={batches} isWaiting={missing.length > 0} />
        )}
      </div>
    </>
  );
}

/** Formats how far the files of a month are from the city hall. Erased files have no deadline. */
function handingText({ takenOn, deadline, isForgotten }: Row): string {
  if (takenOn !== null) return `Levado à prefeitura em ${takenOn}`;
  return isForgotten ? "Ninguém disse que levou à prefeitura" : `Leve à prefeitura até ${deadline}`;
}

const COLUMNS: readonly Column[] = [
  { title: "Mês" },
  { title: "Taxas no livro", numeric: true, wide: true },
  { title: "Faturado", numeric: true },
  { title: "Para o próximo", numeric: true, wide: true },
  { title: "Notas", numeric: true, wide: true },
  { title: "Arquivos" },
];

/** Returns the path of the entries that the invoices of a month cover. */
const feesOf = ({ days }: Row): string =>
  `/admin/ledger/accounts/platform_fees?from=${days.from}&until=${days.until}`;

function Months({ batches, isWaiting }: { batches: Row[]; isWaiting: boolean }) {
  return (
    <Table caption="Meses faturados" columns={COLUMNS}>
      <tbody>
        {batches.map((batch) => (
          <tr key={batch.month}>
            <Td>
              <RowLink to={`/admin/fiscal/${batch.month}`}>{monthLabel(batch.month)}</RowLink>
              <RowNote>emitidas em {batch.issuedOn}</RowNote>
              <RowNote phoneOnly>
                {counted(batch.invoicesCount, "nota", "notas")}, de{" "}
                <MoneyLink to={feesOf(batch)} cents={batch.bookCents} />
                {batch.bookCents === batch.feesCents ? null : (
                  <Badge tone="refusal">Não confere</Badge>
                )}
              </RowNote>
              {batch.leftCents === 0 ? null : (
                <RowNote phoneOnly>{formatMoney(batch.leftCents)} para o próximo</RowNote>
              )}
            </Td>
            <MoneyTd wide to={feesOf(batch)} cents={batch.bookCents}>
              {batch.bookCents === batch.feesCents ? null : (
                <Badge tone="refusal">Não confere</Badge>
              )}
            </MoneyTd>
            <MoneyTd to={`/admin/fiscal/${batch.month}`} cents={batch.invoicedCents} />
            <MoneyTd wide to={`/admin/fiscal/${batch.month}`} cents={batch.leftCents} />
            <Td numeric wide>
              {batch.invoicesCount}
              {batch.numbers === null ? null : <RowNote>{batch.numbers}</RowNote>}
            </Td>
            <Td>
              <ul className="flex flex-wrap gap-2">
                {batch.files.map((name, index) => (
                  <li key={name}>
                    <ButtonLink
                      to={`/admin/fiscal/files/${name}`}
                      reloadDocument
                      variant="outline"
                      size="sm"
                    >
                      <Download aria-hidden="true" className="size-4.5" />
                      Lote {index + 1}
                    </ButtonLink>
                  </li>
                ))}
              </ul>
              {batch.isForgotten ? <RowNote>Apagados: a lei os pede por cinco anos</RowNote> : null}
              {batch.isHandedIn ? null : (
                <Badge tone="attention">{isWaiting ? "Espera o cadastro" : "Gerando"}</Badge>
              )}
              {batch.deadline === null ? null : <RowNote>{handingText(batch)}</RowNote>}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
