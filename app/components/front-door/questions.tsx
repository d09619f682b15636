import { formatPercent } from "#app/domain/money.ts";

/** Questions that decide, each with a short answer. */
export function Questions({ feeBasisPoints }: { feeBasisPoints: number }) {
  return (
    <section aria-labelledby="perguntas" className="pt-20 sm:pt-28">
      <div className="mx-auto grid w-full max-w-[1112px] grid-cols-[minmax(0,1fr)] gap-8 px-4 lg:grid-cols-[minmax(0,4fr)_minmax(0,7fr)] lg:gap-16">
        <div>
          <h2
            id="perguntas"
            className="text-[2rem] leading-[1.05] sm:text-[3.25rem] sm:tracking-[-0.03em]"
          >
            Perguntas de quem está chegando
          </h2>
          <a
            href="/ajuda"
            className="mt-4 inline-flex min-h-11 items-center font-semibold text-leaf underline underline-offset-2"
          >
            Ver todas as respostas
          </a>
        </div>
        <div className="border-t border-line">
          <Question asked="O que eu preciso para começar a vender?">
            Ter 18 anos e informar nome completo, CPF, data de nascimento e chave Pix. Empresa
            também vende, com o CNPJ. Para publicar e ser seguido, basta a conta, a partir dos 16
            anos.
          </Question>
          <Question asked={`Os ${formatPercent(feeBasisPoints)} têm letra miúda?`}>
            Não. A taxa incide sobre o que foi realmente pago, arredondada ao centavo, e já inclui o
            Pix e o cartão. Não há mensalidade nem taxa de saque. O saque mínimo é de R$ 10,00.
          </Question>
          <Question asked="Quanto posso cobrar?">
            De R$ 5,00 a R$ 5.000,00 por semana, mês, trimestre, semestre ou ano, em quantos planos
            fizerem sentido. Você também pode vender uma publicação ou uma coleção avulsa, e aceitar
            apoios sem plano.
          </Question>
          <Question asked="E se alguém se arrepender?">
            A lei dá 7 dias. Nesse prazo a pessoa pede o dinheiro de volta na própria tela, e ele
            sai daquela cobrança. Por isso o primeiro Pix de cada contratação espera 8 dias.
          </Question>
          <Question asked="Com que frequência preciso publicar?">
            Com a que o seu plano prometer. Se for descansar, ponha a página de férias: quem assina
            ganha os dias de volta no fim do período.
          </Question>
          <Question asked="Imposto é comigo?">
            Sim: quem vende é você, e imposto e nota do que você vende são seus. O Coreto entrega o
            extrato do mês e o resumo do ano, prontos para quem cuida da sua contabilidade.
          </Question>
        </div>
      </div>
    </section>
  );
}

function Question({ asked, children }: { asked: string; children: React.ReactNode }) {
  return (
    <details className="group border-b border-line">
      <summary className="flex min-h-16 list-none items-center justify-between gap-4 py-4 font-display text-[1.125rem] leading-6 font-bold tracking-[-0.01em] sm:text-[1.25rem] [&::-webkit-details-marker]:hidden">
        {asked}
        <svg
          aria-hidden="true"
          viewBox="0 0 20 20"
          className="size-5 shrink-0 text-leaf transition-transform duration-150 ease-out group-open:rotate-45"
        >
          <path
            d="M10 2v16M2 10h16"
            stroke="currentColor"
            strokeWidth="2.5"
            strokeLinecap="round"
          />
        </svg>
      </summary>
      <p className="max-w-2xl pb-6 text-[1.0625rem] leading-7 text-muted">{children}</p>
    </details>
  );
}
