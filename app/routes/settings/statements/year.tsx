import { yearlyStatementDocument } from "#app/components/payments/earnings-documents.ts";
import { DocumentSheet } from "#app/components/payments/document-sheet.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { loadYearlyEarnings } from "#app/http/money/earnings.server.ts";
import type { Route } from "./+types/year.ts";

export const handle = { shell: "bare" };

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `Resumo de ${loaderData?.year ?? ""} · Coreto` },
];

export async function loader(routed: Route.LoaderArgs) {
  const { year, presentYear, source } = await loadYearlyEarnings(routed);
  return {
    year,
    before: year - 1,
    after: year < presentYear ? year + 1 : null,
    paper: yearlyStatementDocument(year, source),
  };
}

export default function YearPage({
  loaderData: { year, before, after, paper },
}: Route.ComponentProps) {
  return (
    <DocumentSheet
      paper={paper}
      pdf={`/settings/transfers/resumo.pdf?year=${year}`}
      back="/settings/transfers"
    >
      {[before, after].map((other) =>
        other === null ? null : (
          <ButtonLink key={other} to={`?year=${other}`} variant="outline" size="sm">
            {other}
          </ButtonLink>
        ),
      )}
    </DocumentSheet>
  );
}
