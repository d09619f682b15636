import { receiptOf } from "#app/components/payments/receipt-words.ts";
import { receiptPdf } from "#app/http/receipt-pdf.server.ts";
import { receiptSource } from "#app/http/transaction.server.ts";
import type { Route } from "./+types/receipt-pdf.ts";

/** The receipt of the page beside it, as a file. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const source = await receiptSource({ context }, params.id);
  return new Response(await receiptPdf(receiptOf(source), source.now), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="recibo-coreto-${source.charge.id}.pdf"`,
      "Cache-Control": "private, no-store",
    },
  });
}
