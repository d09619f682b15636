import { formatMoney, formatPercent } from "#app/domain/money.ts";
import { splitFee } from "#app/domain/payments/rules.ts";

const EXAMPLE_CENTS = 1_990;

/** All that Coreto costs, in one line of figures. */
export function WholePrice({ feeBasisPoints }: { feeBasisPoints: number }) {
  const { feeCents, netCents } = splitFee(EXAMPLE_CENTS, feeBasisPoints);
  return (
    <section
      aria-labelledby="preco"
      className="mt-20 bg-flag-blue py-16 text-white sm:mt-28 sm:py-24"
    >
      <div className="mx-auto w-full max-w-[1112px] px-4">
        <h2
          id="preco"
          className="text-[2rem] leading-[1.05] sm:text-[3.25rem] sm:tracking-[-0.03em]"
        >
          O preço inteiro
        </h2>
        <dl className="mt-10 grid grid-cols-2 gap-x-6 gap-y-10 md:grid-cols-4">
          <Figure
            figure={formatPercent(feeBasisPoints)}
            text="do que foi pago, e só quando pagam"
          />
          <Figure figure="R$ 0" text="para abrir a página" />
          <Figure figure="R$ 0" text="de mensalidade" />
          <Figure figure="R$ 0" text="para sacar" />
        </dl>
        <p className="mt-10 max-w-2xl text-[1.0625rem] leading-7">
          De {formatMoney(EXAMPLE_CENTS)} pagos, {formatMoney(feeCents)} são a taxa e{" "}
          {formatMoney(netCents)} são seus. O custo do Pix e do cartão já está na taxa. Se você
          devolver um pagamento, a taxa volta junto. Quem assina paga o preço que você escreveu, e
          nada mais.
        </p>
      </div>
    </section>
  );
}

function Figure({ figure, text }: { figure: string; text: string }) {
  return (
    <div className="flex flex-col-reverse justify-end gap-1">
      <dt className="text-balance opacity-80">{text}</dt>
      <dd className="font-display text-[3rem] leading-none font-bold tracking-[-0.05em] whitespace-nowrap sm:text-[4.5rem]">
        {figure}
      </dd>
    </div>
  );
}
