import { Link } from "react-router";
import { Money } from "#app/components/ui/money.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import type { FeeLine } from "#app/domain/ledger/queries/fees.server.ts";
import { monthWords } from "#app/domain/ledger/rules/months.ts";
import type { Month } from "#app/domain/ledger/rules/months.ts";
import { happeningWord } from "./ledger-words.ts";
import { MonthHeading } from "./month-heading.tsx";

const ACCOUNT_WORDS: Record<FeeLine["accountId"], string> = { platform_fees: "Taxas", fees_reserved: "Taxas bloqueadas" };

/** What the platform kept in a month, happening by happening; the last line is what both accounts of the books changed by. */
export function FeeReport({ month, before, after, lines, costCents }: { month: Month; before: Month; /** Null after the present one. */ after: Month | null; lines: FeeLine[]; /** What providers took in that time. */ costCents: number }) {
  return (
    <section aria-labelledby="fees" className="flex flex-col gap-3">
      <MonthHeading id="fees" before={before} after={after}>
        Taxas de {monthWords(month)}
      </MonthHeading>
      {lines.length === 0 ? (
        <p className="text-muted">Nada entrou nem saiu das taxas neste mês.</p>
      ) : (
        <Table caption={`Taxas de ${monthWords(month)}`}>
          <thead>
            <tr>
              <Th>O que aconteceu</Th>
              <Th>Conta</Th>
              <Th numeric>Vezes</Th>
              <Th numeric>Valor</Th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={`${line.accountId}-${line.kind}`}>
                <Td>{happeningWord(line.kind)}</Td>
                <Td>{ACCOUNT_WORDS[line.accountId]}</Td>
                <Td numeric>{line.count}</Td>
                <Td numeric>
                  <Money cents={line.cents} />
                </Td>
              </tr>
            ))}
            <tr className="font-semibold">
              <Td>Soma</Td>
              <Td>{""}</Td>
              <Td numeric>{""}</Td>
              <Td numeric>
                <Money cents={lines.reduce((total, line) => total + line.cents, 0)} />
              </Td>
            </tr>
          </tbody>
        </Table>
      )}
      <p className="text-small text-muted">
        Ao lado, os provedores cobraram <Money cents={costCents} className="font-semibold text-ink" /> neste mês. Veja na{" "}
        <Link to={`/admin/margin?month=${month}`} className="font-semibold underline underline-offset-4">
          margem
        </Link>{" "}
        o que sobra, ou os{" "}
        <Link to="/admin/ledger/accounts/provider_costs" className="font-semibold underline underline-offset-4">
          lançamentos dos custos
        </Link>
        .
      </p>
    </section>
  );
}
