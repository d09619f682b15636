import {
  monthlyStatementDocument,
  monthTitle,
} from "#app/components/payments/earnings-documents.ts";
import { DocumentSheet } from "#app/components/payments/document-sheet.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { monthAfter, monthBefore } from "#app/domain/ledger/months/rules/months.ts";
import { loadMonthlyEarnings } from "#app/http/money/earnings.server.ts";
import type { Route } from "./+types/month.ts";

export const handle = { shell: "bare" };

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Resumo de ${loaderData ? monthTitle(loaderData.month) : ""} · Coreto` },
];

export async function loader(routed: Route.LoaderArgs) {
  const { month, presentMonth, source, invoice } = await loadMonthlyEarnings(routed);
  return {
    month,
    before: monthBefore(month),
    after: month < presentMonth ? monthAfter(month) : null,
    paper: monthlyStatementDocument(month, source, invoice),
  };
}

export default function MonthPage({
  loaderData: { month, before, after, paper },
}: Route.ComponentProps) {
  return (
    <DocumentSheet
      paper={paper}
      pdf={`/settings/transfers/extrato.pdf?month=${month}`}
      back="/settings/transfers"
    >
      {[before, after].map((other) =>
        other === null ? null : (
          <ButtonLink key={other} to={`?month=${other}`} variant="outline" size="sm">
            {monthTitle(other)}
          </ButtonLink>
        ),
      )}
    </DocumentSheet>
  );
}
