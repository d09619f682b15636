import { ChartSection } from "./chart-section.tsx";
import { rangeQuery } from "./range-picker.tsx";
import { kindText, methodText, salesPath } from "./sales-path.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { MoneyTd, Td } from "#app/components/ui/table.tsx";
import { INVITATION_NAME } from "#app/domain/analytics/links/rules.ts";
import type { MoneyPart, MoneySums } from "#app/domain/analytics/money/rules.ts";
import type { AnalyticsRange } from "#app/domain/analytics/ranges/rules.ts";
import { NO_PART } from "#app/domain/billing/schema.ts";
import { INVITATION_SLUG } from "#app/lib/link-mark.ts";

export type MoneyDivided = {
  byKind: (MoneySums & { value: string })[];
  byMethod: (MoneySums & { value: string })[];
  byPlan: MoneyPart[];
  byLink: MoneyPart[];
};

type Division = {
  id: string;
  title: string;
  column: string;
  /** What the rows are, in one sentence. */
  formula: string;
  rows: (
    money: MoneyDivided,
  ) => (MoneySums & { value: string; name: string; part: Record<string, string> })[];
};

/** How the money of a range is divided; each sums to the figures above it, to the centavo. */
export const moneyDivisions: readonly Division[] = [
  {
    id: "tipos",
    title: "Por tipo de venda",
    column: "Tipo",
    formula: "As cobranças destes dias, pelo que foi vendido em cada uma.",
    rows: ({ byKind }) =>
      byKind.map((row) => ({ ...row, name: kindText(row.value), part: { kind: row.value } })),
  },
  {
    id: "formas",
    title: "Por forma de pagamento",
    column: "Forma",
    formula: "As mesmas cobranças, pela forma com que foram pagas.",
    rows: ({ byMethod }) =>
      byMethod.map((row) => ({ ...row, name: methodText(row.value), part: { method: row.value } })),
  },
  {
    id: "planos",
    title: "Por plano",
    column: "Plano",
    formula:
      "As mesmas cobranças, pelo plano que pagaram; o que não é de plano nenhum são as vendas avulsas.",
    rows: ({ byPlan }) =>
      byPlan.map((row) => ({
        ...row,
        name: planText(row),
        part: { plan: row.value || NO_PART },
      })),
  },
  {
    id: "links",
    title: "Por origem",
    column: "Link",
    formula:
      "As mesmas cobranças, pelo link de divulgação por onde a pessoa chegou quando assinou ou comprou; as renovações contam para o mesmo link.",
    rows: ({ byLink }) =>
      byLink.map((row) => ({
        ...row,
        name: linkText(row),
        part: { link: row.value || NO_PART },
      })),
  },
];

const planText = ({ value, name }: MoneyPart): string =>
  value === "" ? "Sem plano" : (name ?? "Plano apagado");

const linkText = ({ value, name }: MoneyPart): string =>
  value === "" ? "Sem link" : (name ?? (value === INVITATION_SLUG ? INVITATION_NAME : value));

/** The money of a range by kind, method, plan and link. Every amount opens its entries. */
export function MoneyParts({ money, range }: { money: MoneyDivided; range: AnalyticsRange }) {
  if (money.byKind.length === 0)
    return (
      <p className="text-small text-muted">
        Nenhuma venda nestes dias. Quando houver, você vê aqui de onde ela veio.
      </p>
    );
  return (
    <>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
        {moneyDivisions.map(({ id, title, column, formula, rows }) => (
          <ChartSection
            key={id}
            id={id}
            title={title}
            csv={`/analytics/files/${id}.csv${rangeQuery(range)}`}
            note={formula}
            columns={[
              { title: column },
              { title: "Vendido", numeric: true },
              { title: "Líquido", numeric: true },
            ]}
          >
            <tbody>
              {rows(money).map(({ name, part, grossCents, netCents, value }) => (
                <tr key={value}>
                  <Td className="wrap-anywhere">{name}</Td>
                  <MoneyTd to={salesPath(range, part)} cents={grossCents} />
                  <MoneyTd to={salesPath(range, part)} cents={netCents} tone="in" />
                </tr>
              ))}
            </tbody>
          </ChartSection>
        ))}
      </div>
      <div className="print:hidden">
        <ButtonLink to={salesPath(range)} variant="outline" size="sm">
          Ver todos os lançamentos
        </ButtonLink>
      </div>
    </>
  );
}
