import { HandCoins } from "lucide-react";
import { ShareLinkBox } from "./share-link-box.tsx";
import { formatMoney } from "#app/domain/money.ts";
import { PIX_REFUND_DAYS } from "#app/domain/payments/methods/rules.ts";

/** "Pedir para alguém pagar": shares a page with the same code, open to anybody with its URL. */
export function SharePixCard({
  url,
  description,
  amountCents,
}: {
  url: string;
  description: string;
  amountCents: number;
}) {
  return (
    <details className="rounded-card border border-line bg-card p-5">
      <summary className="flex min-h-11 items-center gap-3 font-semibold">
        <HandCoins aria-hidden="true" className="size-5 shrink-0" />
        Pedir para alguém pagar
      </summary>
      <div className="flex flex-col gap-4 pt-3">
        <p className="text-small text-muted">
          Mande este endereço a quem vai pagar. Quem o abre vê o seu primeiro nome, o que é e o
          valor, e paga pelo app do próprio banco. Vale enquanto o código valer. Se o dinheiro
          voltar um dia: nos primeiros {PIX_REFUND_DAYS} dias, volta para quem pagou; depois disso,
          vai para uma chave Pix sua, e o acerto fica entre vocês.
        </p>
        <ShareLinkBox
          url={url}
          label="Endereço para pagar"
          title="Paga este Pix para mim?"
          message={`Paga este Pix para mim? ${description}: ${formatMoney(amountCents)}.`}
        />
      </div>
    </details>
  );
}
