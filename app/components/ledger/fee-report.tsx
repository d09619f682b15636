import { counted } from "#app/domain/text.ts";
import { Link } from "react-router";
import { MoneyLink } from "#app/components/ui/links/money-link.tsx";
import { MoneyTd, RowLink, RowNote, SumRow, Table, Td } from "#app/components/ui/table.tsx";
import type { FeeLine } from "#app/domain/ledger/statements/queries/fees.server.ts";
import { monthBounds, monthLabel } from "#app/domain/ledger/months/rules/months.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import { isoDay } from "#app/domain/time.ts";
import { transactionKindLabel } from "#app/domain/ledger/rules/ledger-words.ts";
import { MonthHeading } from "./month-heading.tsx";

const ACCOUNT_TEXTS: Record<FeeLine["accountId"], string> = {
  platform_fees: "Taxas",
  fees_reserved: "Taxas bloqueadas",
};

/**
 * Platform fees of a month, transaction by transaction. The last line is the change of both ledger
 * accounts.
 */
export function FeeReport({
  month,
  before,
  after,
  lines,
  costCents,
}: {
  month: Month;
  before: Month;
  /** Next month; null after the current one. */
  after: Month | null;
  lines: FeeLine[];
  /** Provider fees of the same period. */
  costCents: number;
}) {
  const { from, until } = monthBounds(month);
  const entriesOf = (account: string, kind?: string) =>
    `/admin/ledger/accounts/${account}?${new URLSearchParams({ from: isoDay(from), until: isoDay(until - 1), ...(kind ? { kind } : {}) }).toString()}`;
  return (
    <section aria-labelledby="fees" className="flex flex-col gap-3">
      <MonthHeading id="fees" before={before} after={after}>
        Taxas de {monthLabel(month)}
      </MonthHeading>
      {lines.length === 0 ? (
        <p className="text-muted">Nada entrou nem saiu das taxas neste mês.</p>
      ) : (
        <Table
          caption={`Taxas de ${monthLabel(month)}`}
          columns={[
            { title: "O que aconteceu" },
            { title: "Conta", wide: true },
            { title: "Vezes", numeric: true, wide: true },
            { title: "Valor", numeric: true },
          ]}
        >
          <tbody>
            {lines.map((line) => (
              <tr key={`${line.accountId}-${line.kind}`}>
                <Td>
                  <RowLink to={entriesOf(line.accountId, line.kind)}>
                    {transactionKindLabel(line.kind)}
                  </RowLink>
                  <RowNote phoneOnly>
                    {ACCOUNT_TEXTS[line.accountId]} · {counted(line.count, "vez", "vezes")}
                  </RowNote>
                </Td>
                <Td wide>{ACCOUNT_TEXTS[line.accountId]}</Td>
                <Td numeric wide>
                  {line.count}
                </Td>
                <MoneyTd to={entriesOf(line.accountId, line.kind)} cents={line.cents} />
              </tr>
            ))}
            <SumRow>
              <Td>Soma</Td>
              <Td wide />
              <Td wide />
              <MoneyTd cents={lines.reduce((total, line) => total + line.cents, 0)} isTotal />
            </SumRow>
          </tbody>
        </Table>
      )}
      <p className="text-small text-muted">
        À parte, os provedores cobraram{" "}
        <MoneyLink
          to={entriesOf("provider_costs")}
          cents={costCents}
          className="font-semibold text-ink"
        />{" "}
        neste mês. Veja na{" "}
        <Link
          to={`/admin/margin?month=${month}`}
          className="font-semibold underline underline-offset-4"
        >
          margem
        </Link>{" "}
        o que sobra.
      </p>
    </section>
  );
}
