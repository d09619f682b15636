import { buildReceipt, receiptDocument } from "#app/components/payments/receipt.ts";
import { documentPdf, pdfResponse } from "#app/http/files/document-pdf.server.ts";
import { receiptSource } from "#app/http/money/transaction.server.ts";
import type { Route } from "./+types/receipt-pdf.ts";

/** Returns the receipt of the receipt page as a PDF. */
export async function loader({ params, context }: Route.LoaderArgs) {
  const source = await receiptSource({ context }, params.id);
  return pdfResponse(
    await documentPdf(receiptDocument(buildReceipt(source)), source.now),
    `recibo-coreto-${source.charge.id}`,
  );
}
