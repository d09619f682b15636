import { yearPaper } from "#app/components/payments/earnings-words.ts";
import { askedYearly } from "#app/http/earnings.server.ts";
import { paperPdf, pdfAnswer } from "#app/http/paper-pdf.server.ts";
import type { Route } from "./+types/year-pdf.ts";

/** The paper of the page beside it, as a file. */
export async function loader(routed: Route.LoaderArgs) {
  const { year, source } = await askedYearly(routed);
  return pdfAnswer(await paperPdf(yearPaper(year, source), source.now), `coreto-resumo-${year}`);
}
