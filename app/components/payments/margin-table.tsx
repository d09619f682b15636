import { Link } from "react-router";
import { Badge } from "#app/components/ui/badge.tsx";
import { Money } from "#app/components/ui/money.tsx";
import { Table, Td, Th } from "#app/components/ui/table.tsx";
import type { MarginLine } from "#app/domain/ledger/queries/margin.server.ts";
import { groupName, leftCents, shareOf, sumOf } from "#app/domain/ledger/rules/margin.ts";
import type { MarginSums } from "#app/domain/ledger/rules/margin.ts";
import type { Month } from "#app/domain/ledger/rules/months.ts";
import { groupWords, shareWords } from "./margin-words.ts";

/** A phone says these below the name: what is left comes into sight. */
const WIDE = "hidden sm:table-cell";

/** What each method and price band left in a month; each line opens what it is made of, and the last is what the accounts changed by. */
export function MarginTable({ month, monthWords, lines }: { month: Month; monthWords: string; lines: MarginLine[] }) {
  return (
    <Table caption={`Margem de ${monthWords}`}>
      <thead>
        <tr>
          <Th>Forma e preço</Th>
          <Th numeric className={WIDE}>
            Vezes
          </Th>
          <Th numeric className={WIDE}>
            Bruto
          </Th>
          <Th numeric className={WIDE}>
            Nossa taxa
          </Th>
          <Th numeric>Custo</Th>
          <Th numeric>Sobra</Th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={groupName(line.group)}>
            <Td>
              <Link to={`/admin/margin/${groupName(line.group)}?month=${month}`} className="font-semibold underline underline-offset-4">
                {groupWords(line.group)}
              </Link>
              <OnPhone line={line} />
              {line.group.of === "sales" && leftCents(line) < 0 ? (
                <span className="mt-1 block">
                  <Badge tone="refusal">No prejuízo</Badge>
                </span>
              ) : null}
            </Td>
            <Figures line={line} />
          </tr>
        ))}
        <tr className="font-semibold">
          <Td>
            Soma
            <OnPhone line={sumOf(lines)} />
          </Td>
          <Figures line={sumOf(lines)} />
        </tr>
      </tbody>
    </Table>
  );
}

/** What a narrow screen has no column for. */
function OnPhone({ line: { count, grossCents, feeCents } }: { line: MarginSums }) {
  return (
    <span className="mt-1 block text-small font-normal text-muted sm:hidden">
      {count === 1 ? "1 vez" : `${count} vezes`}, <Money cents={grossCents} />; taxa <Money cents={feeCents} />
    </span>
  );
}

function Figures({ line }: { line: MarginSums }) {
  const { count, grossCents, feeCents, costCents } = line;
  return (
    <>
      <Td numeric className={WIDE}>
        {count}
      </Td>
      <Td numeric className={WIDE}>
        <Money cents={grossCents} />
      </Td>
      <Share cents={feeCents} grossCents={grossCents} className={WIDE} />
      <Share cents={costCents} grossCents={grossCents} />
      <Share cents={leftCents(line)} grossCents={grossCents} />
    </>
  );
}

function Share({ cents, grossCents, className = "" }: { cents: number; grossCents: number; className?: string }) {
  return (
    <Td numeric className={className}>
      <Money cents={cents} className={cents < 0 ? "text-refusal" : ""} />
      <span className="block text-small font-normal text-muted">{shareWords(shareOf(cents, grossCents))}</span>
    </Td>
  );
}
