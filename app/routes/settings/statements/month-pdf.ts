import { monthlyStatementDocument } from "#app/components/payments/earnings-documents.ts";
import { loadMonthlyEarnings } from "#app/http/money/earnings.server.ts";
import { documentPdf, pdfResponse } from "#app/http/files/document-pdf.server.ts";
import type { Route } from "./+types/month-pdf.ts";

/** Returns the monthly statement as a PDF. */
export async function loader(routed: Route.LoaderArgs) {
  const { month, source, invoice } = await loadMonthlyEarnings(routed);
  return pdfResponse(
    await documentPdf(monthlyStatementDocument(month, source, invoice), source.now),
    `coreto-extrato-${month}`,
  );
}
