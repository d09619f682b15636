import { monthPaper } from "#app/components/payments/earnings-words.ts";
import { askedMonthly } from "#app/http/earnings.server.ts";
import { paperPdf, pdfAnswer } from "#app/http/paper-pdf.server.ts";
import type { Route } from "./+types/month-pdf.ts";

/** The paper of the page beside it, as a file. */
export async function loader(routed: Route.LoaderArgs) {
  const { month, source, invoice } = await askedMonthly(routed);
  return pdfAnswer(
    await paperPdf(monthPaper(month, source, invoice), source.now),
    `coreto-extrato-${month}`,
  );
}
