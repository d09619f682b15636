import type { ReactNode } from "react";
import { FLAG_HEX, flagPath } from "#app/lib/bandeirinhas-pattern.ts";
import type { FlagColour } from "#app/lib/bandeirinhas-pattern.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";

/** How Pix makes a subscription different. */
export function PixReasons() {
  return (
    <Reasons id="pix" title="Com Pix, a assinatura é outra coisa">
      <Reason colour="forest" title="Ninguém precisa de cartão">
        Quem tem uma conta no banco assina: copia o código, paga no aplicativo e a página se abre na
        hora.
      </Reason>
      <Reason colour="mustard" title="Só paga quem quer continuar">
        Mandamos um código Pix {paymentMethods.pix.renewalLeadDays} dias antes de cada renovação.
        Quem não paga não fica devendo: a assinatura termina, e pronto.
      </Reason>
      <Reason colour="brick" title="O dinheiro chega logo">
        A renovação paga por Pix fica livre no dia seguinte. No cartão, são cerca de{" "}
        {paymentMethods.card.settlementDays} dias.
      </Reason>
      <Reason colour="pink" title="Dá para pedir ou dar de presente">
        O código pode ir por mensagem para outra pessoa pagar, e um plano pode ser um presente.
      </Reason>
    </Reasons>
  );
}

/** What stays the creator's. */
export function OwnReasons() {
  return (
    <Reasons id="seu" title="O que é seu continua seu">
      <Reason colour="blue" title="A obra">
        Os direitos sobre o que você publica são seus. Não vendemos o seu conteúdo nem treinamos
        modelos com ele.
      </Reason>
      <Reason colour="brick" title="A lista">
        Quem assina, desde quando e por qual plano: baixe em planilha quando quiser. As vendas e os
        extratos também, em planilha e PDF.
      </Reason>
      <Reason colour="forest" title="O endereço">
        A sua página tem um nome curto, qualquer pessoa abre sem conta, e os buscadores a encontram.
        As publicações abertas saem também por RSS, para qualquer leitor.
      </Reason>
      <Reason colour="mustard" title="A porta">
        Não há prazo nem multa. Você pausa a página nas férias, e encerra a conta quando quiser: o
        que já ganhou é pago.
      </Reason>
    </Reasons>
  );
}

function Reasons({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className="pt-20 sm:pt-28">
      <div className="mx-auto grid w-full max-w-[1112px] grid-cols-[minmax(0,1fr)] gap-8 px-4 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)] lg:gap-16">
        <h2
          id={id}
          className="text-[2rem] leading-[1.05] sm:text-[3.25rem] sm:tracking-[-0.03em] lg:sticky lg:top-10 lg:self-start"
        >
          {title}
        </h2>
        <ul className="flex flex-col divide-y divide-line border-y border-line">{children}</ul>
      </div>
    </section>
  );
}

function Reason({
  colour,
  title,
  children,
}: {
  colour: FlagColour;
  title: string;
  children: ReactNode;
}) {
  return (
    <li className="flex gap-5 py-7 sm:gap-7">
      <svg aria-hidden="true" viewBox="0 0 34 40" className="mt-1 h-10 w-[2.125rem] shrink-0">
        <path d={flagPath({ x: 0, y: 0 })} fill={FLAG_HEX[colour]} />
      </svg>
      <div className="flex flex-col gap-1">
        <h3 className="text-heading">{title}</h3>
        <p className="max-w-xl text-[1.0625rem] leading-7 text-muted">{children}</p>
      </div>
    </li>
  );
}
