import { PIX_REFUND_DAYS } from "#app/domain/payments/methods/rules.ts";

/**
 * For who pays somebody else's Pix: whose it is what they pay, and where the money goes if it ever
 * comes back.
 */
export function SharedPixRefundNote({ payerFirstName }: { payerFirstName: string }) {
  return (
    <p className="text-small text-muted">
      O que este Pix paga é de {payerFirstName}. Se o dinheiro voltar um dia: nos primeiros{" "}
      {PIX_REFUND_DAYS} dias, volta para a sua conta; depois disso, vai para a chave Pix de{" "}
      {payerFirstName}, e o acerto fica entre vocês.
    </p>
  );
}
