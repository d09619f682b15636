import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { formatMoney } from "#app/domain/money.ts";

/**
 * Refund transfer that has not arrived yet. `keyPath` is where the payer gives a refund key, and
 * only the payer gets it.
 */
export type PendingRefundTransfer = {
  refundId: string;
  amountCents: number;
  isAwaitingKey: boolean;
  isHeld: boolean;
  keyPath: string | null;
};

/** What the refund transfer waits for, and from whom. It never suggests that money was lost. */
export function RefundTransferNotice({
  refund: { amountCents, isAwaitingKey, isHeld, keyPath },
  isPayer,
}: {
  refund: PendingRefundTransfer;
  isPayer: boolean;
}) {
  const money = formatMoney(amountCents);
  return (
    <Card
      as="section"
      label="Devolução por Pix"
      className="flex flex-col items-start gap-3 p-5 sm:p-6"
    >
      <h2 className="text-heading">{titleOf({ isAwaitingKey, isHeld, isPayer })}</h2>
      <p>
        {isHeld
          ? "O banco analisa uma contestação deste pagamento, e a devolução espera a decisão. Quem pagou recebe uma vez, de um jeito ou de outro."
          : isPayer
            ? payersText(money, isAwaitingKey)
            : othersText(money, isAwaitingKey)}
      </p>
      {isPayer && isAwaitingKey && keyPath !== null ? (
        <ButtonLink to={keyPath}>Informar a chave Pix</ButtonLink>
      ) : null}
    </Card>
  );
}

function titleOf({
  isAwaitingKey,
  isHeld,
  isPayer,
}: {
  isAwaitingKey: boolean;
  isHeld: boolean;
  isPayer: boolean;
}): string {
  if (isHeld) return "Devolução esperando o banco";
  if (!isAwaitingKey) return "Devolução a caminho";
  return isPayer ? "Aguardando sua chave Pix" : "Devolução aguardando a chave Pix de quem pagou";
}

const payersText = (money: string, isAwaitingKey: boolean): string =>
  isAwaitingKey
    ? `${money} voltam para você. O Pix foi feito há mais de 90 dias, e o banco não deixa devolver pelo mesmo caminho: mandamos um Pix novo para o seu CPF ou CNPJ. O dinheiro fica guardado até você dizer a chave.`
    : `O Pix de ${money} está a caminho da sua chave. Avisamos quando chegar.`;

const othersText = (money: string, isAwaitingKey: boolean): string =>
  isAwaitingKey
    ? `${money} já estão separados. O Pix foi feito há mais de 90 dias e vai por um Pix novo, assim que quem pagou disser a chave.`
    : `O Pix de ${money} está a caminho da chave de quem pagou.`;
