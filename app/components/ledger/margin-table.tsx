import { counted } from "#app/domain/text.ts";
import { Badge } from "#app/components/ui/badge.tsx";
import { MoneyLink } from "#app/components/ui/links/money-link.tsx";
import { MoneyTd, RowLink, RowNote, SumRow, Table, Td } from "#app/components/ui/table.tsx";
import type { Column } from "#app/components/ui/table.tsx";
import type { MarginLine } from "#app/domain/ledger/margin/queries.server.ts";
import {
  marginGroupName,
  marginCents,
  shareInBasisPoints,
  sumMarginLines,
} from "#app/domain/ledger/margin/rules.ts";
import type { MarginGroup, MarginSums } from "#app/domain/ledger/margin/rules.ts";
import type { Month } from "#app/domain/ledger/months/rules/months.ts";
import type { PaymentMethod } from "#app/domain/payments/rules/choices.ts";
import { marginGroupLabel, shareLabel } from "./margin-labels.ts";

const COLUMNS: readonly Column[] = [
  { title: "Forma e preço" },
  { title: "Vezes", numeric: true, wide: true },
  { title: "Bruto", numeric: true, wide: true },
  { title: "Nossa taxa", numeric: true, wide: true },
  { title: "Custo", numeric: true },
  { title: "Sobra", numeric: true },
];

/**
 * Margin of each payment method and price band in a month. Each line links to its entries. The last
 * line is the change of the accounts.
 */
export function MarginTable({
  month,
  monthText,
  lines,
}: {
  month: Month;
  monthText: string;
  lines: MarginLine<PaymentMethod>[];
}) {
  const opens = (group: MarginGroup<PaymentMethod>) =>
    `/admin/margin/${marginGroupName(group)}?month=${month}`;
  return (
    <Table caption={`Margem de ${monthText}`} columns={COLUMNS}>
      <tbody>
        {lines.map((line) => (
          <tr key={marginGroupName(line.group)}>
            <Td>
              <RowLink to={opens(line.group)}>{marginGroupLabel(line.group)}</RowLink>
              <OnPhone line={line} to={opens(line.group)} />
              {line.group.of === "sales" && marginCents(line) < 0 ? (
                <span className="mt-1 block">
                  <Badge tone="refusal">No prejuízo</Badge>
                </span>
              ) : null}
            </Td>
            <Figures line={line} to={opens(line.group)} />
          </tr>
        ))}
        <SumRow>
          <Td>
            <RowLink to={opens({ of: "all" })}>Soma</RowLink>
            <OnPhone line={sumMarginLines(lines)} to={opens({ of: "all" })} />
          </Td>
          <Figures line={sumMarginLines(lines)} to={opens({ of: "all" })} isTotal />
        </SumRow>
      </tbody>
    </Table>
  );
}

/** Values without a column on a narrow screen. */
function OnPhone({ line: { count, grossCents, feeCents }, to }: { line: MarginSums; to: string }) {
  // A line of costs only, such as transfers sent, has no sales to count.
  if (count === 0 && grossCents === 0 && feeCents === 0) return null;
  return (
    <RowNote phoneOnly>
      {counted(count, "vez", "vezes")}, <MoneyLink to={to} cents={grossCents} />; taxa{" "}
      <MoneyLink to={to} cents={feeCents} />
    </RowNote>
  );
}

function Figures({
  line,
  to,
  isTotal = false,
}: {
  line: MarginSums;
  to: string;
  isTotal?: boolean;
}) {
  const { count, grossCents, feeCents, costCents } = line;
  return (
    <>
      <Td numeric wide>
        {count === 0 ? "–" : <RowLink to={to}>{count}</RowLink>}
      </Td>
      <MoneyTd wide to={to} isTotal={isTotal} cents={grossCents} />
      {[feeCents, costCents, marginCents(line)].map((cents, position) => (
        <MoneyTd
          key={position}
          wide={position === 0}
          to={to}
          isTotal={isTotal}
          cents={cents}
          className={cents < 0 ? "text-refusal" : ""}
        >
          <RowNote>{shareLabel(shareInBasisPoints(cents, grossCents))}</RowNote>
        </MoneyTd>
      ))}
    </>
  );
}
