import type { PaymentMethod } from "#app/domain/payments/schema.ts";

/**
 * What is said of a payment that nobody made in time, or that was let go for another way: only a
 * Pix has a code, and what was let go did not run out.
 */
export function unpaidWords({
  status,
  method,
}: {
  status: "expired" | "canceled";
  method: PaymentMethod;
}): { title: string; sentence: string } {
  const late =
    method === "pix"
      ? "Se você pagou agora há pouco, o dinheiro é reconhecido assim que chegar."
      : "Se você confirmou no banco agora há pouco, o pagamento é reconhecido assim que ele responder.";
  if (status === "canceled")
    return {
      title: "Pagamento cancelado",
      sentence: `Este pagamento não vale mais, e nada foi cobrado por ele. ${late}`,
    };
  if (method === "pix")
    return {
      title: "O código expirou",
      sentence: `Ninguém pagou este código a tempo, e nada foi cobrado. ${late}`,
    };
  return {
    title: "O tempo acabou",
    sentence: `O pagamento com cartão não foi concluído a tempo, e nada foi cobrado. ${late}`,
  };
}
