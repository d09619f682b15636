import { Button } from "#app/components/ui/button.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { formatMoney, formatPercent } from "#app/domain/money.ts";
import { paymentMethods } from "#app/domain/payments/methods/rules.ts";
import {
  FIRST_SALE_HOLD_MS,
  RENEWAL_HOLD_MS,
} from "#app/domain/payments/releases/rules/release-time.ts";
import {
  monthlyEarnings,
  PIX_ONLY_TEXT,
  SUBSCRIBERS_MAX,
} from "#app/domain/plans/rules/earnings.ts";
import type { EarningsDays, EarningsForm } from "#app/domain/plans/rules/earnings.ts";
import { MAXIMUM_PRICE_CENTS, MINIMUM_PRICE_CENTS } from "#app/domain/plans/rules/limits.ts";
import { counted, nounFor } from "#app/domain/text.ts";
import { DAY_MS, formatShortDay } from "#app/domain/time.ts";

type CalculatorProps = { form: EarningsForm; days: EarningsDays; feeBasisPoints: number };

const COUNT = new Intl.NumberFormat("pt-BR");
const SLIDER = "h-11 w-full accent-leaf";

/**
 * "Quanto você recebe". A plain form that the server answers. With JavaScript its sliders show, and
 * the figures follow (app/http/earnings-script.ts).
 */
export function EarningsCalculator({ form, days, feeBasisPoints }: CalculatorProps) {
  return (
    <section aria-labelledby="quanto" className="scroll-mt-4 pt-20 sm:pt-28" id="calculadora">
      <div className="mx-auto grid w-full max-w-[1112px] grid-cols-[minmax(0,1fr)] gap-10 px-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)] lg:gap-16">
        <div>
          <h2
            id="quanto"
            className="text-[2rem] leading-[1.05] sm:text-[3.25rem] sm:tracking-[-0.03em]"
          >
            Quanto você recebe
          </h2>
          <p className="mt-3 text-[1.0625rem] leading-7 text-muted">
            Diga quantas pessoas assinam e por quanto. A taxa do Coreto é{" "}
            {formatPercent(feeBasisPoints)} do que foi pago, já com o custo do Pix e do cartão.
          </p>
          <CalculatorForm form={form} feeBasisPoints={feeBasisPoints} />
        </div>
        <Slip form={form} days={days} feeBasisPoints={feeBasisPoints} />
      </div>
    </section>
  );
}

function CalculatorForm({ form, feeBasisPoints }: Omit<CalculatorProps, "days">) {
  return (
    <form
      method="get"
      action="/#calculadora"
      noValidate
      data-earnings
      data-fee={feeBasisPoints}
      data-minimum={MINIMUM_PRICE_CENTS}
      data-maximum={MAXIMUM_PRICE_CENTS}
      data-card={paymentMethods.card.minimumCents}
      data-most={SUBSCRIBERS_MAX}
      className="mt-8 flex flex-col gap-6"
    >
      <div className="flex flex-col gap-1">
        <TextField
          label="Pessoas que assinam"
          name="assinantes"
          inputMode="numeric"
          autoComplete="off"
          defaultValue={form.typed.subscribers}
          error={form.errors.subscribers}
        />
        <input
          type="range"
          hidden
          data-slides="assinantes"
          min={10}
          max={1_000}
          step={10}
          aria-label="Pessoas que assinam, de 10 a 1.000"
          className={SLIDER}
        />
      </div>
      <div className="flex flex-col gap-1">
        <TextField
          label="Preço por mês"
          name="preco"
          prefix="R$"
          inputMode="decimal"
          autoComplete="off"
          defaultValue={form.typed.price}
          error={form.errors.price}
        />
        <input
          type="range"
          hidden
          data-slides="preco"
          min={5}
          max={100}
          step={1}
          aria-label="Preço por mês, de 5 a 100 reais"
          className={SLIDER}
        />
      </div>
      <Button variant="ink" size="lg" className="self-start" data-calculates>
        Calcular
      </Button>
    </form>
  );
}

/** The answer, as a slip of paper. */
function Slip({ form, days, feeBasisPoints }: CalculatorProps) {
  const earned = monthlyEarnings({ ...form, feeBasisPoints });
  return (
    <div className="paper-cut self-start">
      <div className="slip flex flex-col bg-card px-5 pt-7 pb-12 sm:px-9 sm:pt-9">
        <div aria-live="polite" aria-atomic="true">
          <p className="text-small font-semibold text-muted">Por mês, você recebe</p>
          <p
            data-earned="net"
            className="mt-1 font-display text-[2.5rem] leading-[1.05] font-bold tracking-[-0.04em] text-leaf tabular-nums min-[24rem]:text-[3rem] sm:text-[4.5rem]"
          >
            {formatMoney(earned.netCents)}
          </p>
        </div>
        <dl className="mt-6 flex flex-col divide-y divide-line border-y border-line tabular-nums">
          <SlipLine
            label={
              <>
                <span data-earned="people">
                  {COUNT.format(form.subscribers)} {nounFor(form.subscribers, "pessoa", "pessoas")}
                </span>{" "}
                a <span data-earned="price">{formatMoney(form.priceCents)}</span>
              </>
            }
            value={<span data-earned="gross">{formatMoney(earned.grossCents)}</span>}
          />
          <SlipLine
            label={`Taxa do Coreto, ${formatPercent(feeBasisPoints)}`}
            value={<span data-earned="fee">{formatMoney(-earned.feeCents)}</span>}
          />
          <SlipLine label="Mensalidade e taxa de saque" value={formatMoney(0)} />
        </dl>
        <ReleaseDays days={days} isCardAccepted={earned.isCardAccepted} />
      </div>
    </div>
  );
}

function SlipLine({ label, value }: { label: React.ReactNode; value: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-3">
      <dt>{label}</dt>
      <dd className="font-semibold whitespace-nowrap">{value}</dd>
    </div>
  );
}

const FIRST_DAYS = FIRST_SALE_HOLD_MS / DAY_MS;
const RENEWAL_DAYS = RENEWAL_HOLD_MS / DAY_MS;

/** On which day the money of a payment of today may be paid out, by each way of paying. */
function ReleaseDays({ days, isCardAccepted }: { days: EarningsDays; isCardAccepted: boolean }) {
  return (
    <>
      <h3 className="mt-8 text-[1.125rem]">Quem pagar hoje, em que dia cai</h3>
      <ul className="mt-4 grid grid-cols-1 gap-3 min-[26rem]:grid-cols-3">
        <Leaf
          day={formatShortDay(days.pixRenewal)}
          title="Pix, renovação"
          text={nounFor(
            RENEWAL_DAYS,
            "no dia seguinte",
            `em ${counted(RENEWAL_DAYS, "dia", "dias")}`,
          )}
        />
        <Leaf
          day={formatShortDay(days.firstPix)}
          title="Pix, primeira vez"
          text={`em ${FIRST_DAYS} dias, depois do prazo de arrependimento`}
        />
        <Leaf
          day={formatShortDay(days.card)}
          title="Cartão"
          text={`cerca de ${paymentMethods.card.settlementDays} dias, quando a operadora repassa`}
        />
      </ul>
      <p data-earned="pix-only" hidden={isCardAccepted} className="mt-3 text-small font-semibold">
        {PIX_ONLY_TEXT}
      </p>
      <p className="mt-4 text-small text-muted">
        Nesse dia o dinheiro fica disponível, e você saca para a sua chave Pix.
      </p>
    </>
  );
}

/** A leaf of a wall calendar. */
function Leaf({ day, title, text }: { day: string; title: string; text: string }) {
  return (
    <li className="flex gap-4 min-[26rem]:flex-col min-[26rem]:gap-2">
      <span className="flex h-fit shrink-0 flex-col overflow-hidden rounded-[10px] border border-line bg-paper">
        <span aria-hidden="true" className="h-2.5 bg-flag-brick" />
        <span className="px-4 py-2 text-center font-display text-[1.5rem] leading-8 font-bold tracking-[-0.03em] tabular-nums">
          {day}
        </span>
      </span>
      <span className="flex flex-col">
        <span className="text-small font-semibold">{title}</span>
        <span className="text-small text-muted">{text}</span>
      </span>
    </li>
  );
}
