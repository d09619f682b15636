import { PIX_REFUND_DAYS } from "#app/domain/payments/methods/rules.ts";

/** Note for somebody who pays another's Pix: whose purchase it is, and where a refund goes. */
export function SharedPixRefundNote({ payerFirstName }: { payerFirstName: string }) {
  return (
    <p className="text-small text-muted">
      O que este Pix paga é de {payerFirstName}. Se o dinheiro voltar um dia: nos primeiros{" "}
      {PIX_REFUND_DAYS} dias, volta para a sua conta; depois disso, vai para a chave Pix de{" "}
      {payerFirstName}, e o acerto fica entre vocês.
    </p>
  );
}
