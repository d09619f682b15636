import { yearlyStatementDocument } from "#app/components/payments/earnings-documents.ts";
import { loadYearlyEarnings } from "#app/http/money/earnings.server.ts";
import { documentPdf, pdfResponse } from "#app/http/files/document-pdf.server.ts";
import type { Route } from "./+types/year-pdf.ts";

/** Returns the annual statement as a PDF. */
export async function loader(routed: Route.LoaderArgs) {
  const { year, source } = await loadYearlyEarnings(routed);
  return pdfResponse(
    await documentPdf(yearlyStatementDocument(year, source), source.now),
    `coreto-resumo-${year}`,
  );
}
