import { PrepayNote } from "./prepay.tsx";
import type { Prepayment } from "./prepay.tsx";
import { useCompany } from "#app/components/shell/company.ts";
import { DiscountLine, DiscountNote } from "./discount.tsx";
import type { Discount } from "./discount.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { Money } from "#app/components/ui/money.tsx";
import type { PublicSeller } from "#app/domain/identity/tax-ids/rules.ts";
import { installmentLabel, renewalLabel } from "#app/domain/plans/rules.ts";
import type { Interval } from "#app/domain/plans/rules/intervals.ts";
import { periodsLabel } from "#app/domain/subscriptions/prepayments/rules.ts";
import { trialOfferText, trialLabel } from "#app/domain/subscriptions/trials/rules/trial.ts";
import { formatDay } from "#app/domain/time.ts";

export type OrderSummaryProps = {
  kind: "plan" | "change" | "post" | "collection" | "message" | "event" | "tip" | "gift";
  title: string;
  creatorName: string;
  creatorUsername: string;
  creatorAvatarUrl: string | null;
  /** Renewal interval; null for a one-time purchase. */
  renews: Interval | null;
  amountCents: number;
  /** When the next period is charged if this one is paid today. Null without a renewal. */
  nextChargeAt: number | null;
  /** Seller identity, with a CPF masked (Decreto 7.962/2013, art. 2). */
  seller: PublicSeller | null;
  /** Discount of a coupon, and its end. */
  discount?: Discount | null;
  /** Number of periods paid, if more than one. */
  periods?: number;
  /** The payment renews a running subscription: no new contract, and no cooling-off period. */
  isRenewal?: boolean;
  /** Prepaid periods. `amountCents` is then the total of all of them. */
  ahead?: Prepayment | null;
  /** Free days before the first charge. */
  trial?: { days: number; endsAt: number } | null;
  /** The day of the first debit by Pix Automático; null when it is not offered. */
  debitOn?: string | null;
  /** The refund rule of these tickets, as it was when they were chosen. */
  refundText?: string | null;
  /** Label of the total. "Hoje": the amount of this payment. */
  sumWord?: string;
  /**
   * On a phone something is to be typed below: the seller stands under the button, and the flags
   * are low, so that the fields are visible sooner.
   */
  sellerBelow?: boolean;
};

const SINGLE_TEXTS = {
  plan: "Plano",
  change: "Diferença",
  post: "Publicação",
  collection: "Coleção",
  message: "Mensagem",
  event: "Ingressos",
  tip: "Apoio",
  gift: "Presente",
};

/** What a payment that does not renew means, and until when it is refunded. */
function onceText({ kind, refundText }: Pick<OrderSummaryProps, "kind" | "refundText">): string {
  if (kind === "event") return `É um pagamento só. ${refundText ?? ""}`.trim();
  const keeps = kind === "tip" || kind === "gift" ? "" : ", e o que você comprar fica com você";
  return `É um pagamento só: nada renova${keeps}. Nos 7 primeiros dias, se mudar de ideia, devolvemos tudo.`;
}

/** Order summary: item, price, period and seller, as a receipt with an edge of bandeirinhas. */
export function OrderSummary({
  sumWord = "Hoje",
  sellerBelow = false,
  discount = null,
  ahead = null,
  trial = null,
  periods = ahead?.count ?? 1,
  isRenewal = false,
  debitOn = null,
  ...order
}: OrderSummaryProps) {
  const firstCents = ahead?.amountCents ?? discount?.firstCents ?? order.amountCents;
  return (
    <section
      aria-label="Resumo"
      className="overflow-hidden rounded-card border border-line bg-card"
    >
      <Bandeirinhas
        seed={order.creatorUsername}
        columns={9}
        rows={2}
        className={sellerBelow ? "h-10 w-full lg:h-20" : "h-16 w-full sm:h-20"}
      />
      <div className="flex flex-col gap-4 p-5">
        <div className="flex items-center gap-3">
          <Avatar name={order.creatorName} src={order.creatorAvatarUrl} size="lg" />
          <div className="min-w-0">
            <p className="font-semibold wrap-anywhere">{order.title}</p>
            <p className="text-small text-muted">
              {order.creatorName} ·{" "}
              {order.kind === "change"
                ? "mudança de plano"
                : order.renews === null
                  ? "um pagamento só"
                  : renewalLabel(order.renews)}
            </p>
          </div>
        </div>
        <dl className="flex flex-col gap-3">
          <div className="hidden justify-between gap-4 lg:flex">
            <dt>
              {order.renews === null
                ? SINGLE_TEXTS[order.kind]
                : periods > 1
                  ? periodsLabel(periods, order.renews)
                  : installmentLabel(order.renews)}
            </dt>
            <dd>
              <Money cents={order.amountCents} />
            </dd>
          </div>
          {trial ? (
            <div className="flex justify-between gap-4 text-leaf">
              <dt>{trialLabel(trial.days)}</dt>
              <dd>até {formatDay(trial.endsAt)}</dd>
            </div>
          ) : null}
          {discount ? (
            <DiscountLine
              {...discount}
              firstCents={ahead?.amountCents ?? discount.firstCents}
              fullCents={order.amountCents}
            />
          ) : null}
          <div className="flex justify-between gap-4 border-line font-bold lg:border-t lg:pt-3">
            <dt>{sumWord}</dt>
            <dd>
              <Money cents={trial ? 0 : firstCents} />
            </dd>
          </div>
          {trial ? (
            <div className="flex justify-between gap-4">
              <dt>Primeira cobrança, em {formatDay(trial.endsAt)}</dt>
              <dd>
                <Money cents={firstCents} />
              </dd>
            </div>
          ) : null}
        </dl>
        {ahead && order.renews ? <PrepayNote {...ahead} interval={order.renews} /> : null}
        {discount && order.renews && !ahead ? (
          <DiscountNote {...discount} fullCents={order.amountCents} interval={order.renews} />
        ) : null}
        {order.kind === "change" ? (
          <p className="text-small text-muted">
            É só a diferença de agora
            {order.nextChargeAt === null
              ? ""
              : `; a próxima cobrança é em ${formatDay(order.nextChargeAt)}`}
            . Nos 7 primeiros dias, se mudar de ideia, devolvemos a diferença e a assinatura volta
            para o plano de antes.
          </p>
        ) : order.renews === null ? (
          <p className="text-small text-muted">{onceText(order)}</p>
        ) : order.nextChargeAt === null ? null : trial ? (
          <p className="text-small text-muted">
            {discount ? "" : `${trialOfferText(trial.days, order.amountCents, order.renews)}. `}
            Cancele antes de {formatDay(trial.endsAt)} e nada é cobrado; nos 7 dias depois da
            primeira cobrança, devolvemos tudo.
          </p>
        ) : (
          <p className="text-small text-muted">
            <NextCharge at={order.nextChargeAt} debitOn={debitOn} />. Cancele quando quiser
            {isRenewal ? "." : "; nos 7 primeiros dias, devolvemos tudo."}
          </p>
        )}
        <SellerNotice
          seller={order.seller}
          className={`border-t border-line pt-3 ${sellerBelow ? "hidden lg:block" : ""}`}
        />
      </div>
    </section>
  );
}

/**
 * The date of the next charge. A Pix mandate debits one day earlier; its terms beside the form name
 * that day.
 */
function NextCharge({ at, debitOn }: { at: number; debitOn: string | null }) {
  if (debitOn === null) return <>Próxima cobrança em {formatDay(at)}</>;
  return (
    <>
      Próxima cobrança em{" "}
      <span className="group-has-[input[value=automatic]:checked]/checkout:hidden">
        {formatDay(at)}
      </span>
      <span className="hidden group-has-[input[value=automatic]:checked]/checkout:inline">
        {debitOn}
      </span>
    </>
  );
}

/** Who sells and who intermediates, with the address (Decreto 7.962/2013). */
export function SellerNotice({
  seller,
  className,
}: {
  seller: PublicSeller | null;
  className: string;
}) {
  const company = useCompany();
  return (
    <p className={`text-caption text-muted ${className}`}>
      {seller ? (
        <>
          Quem vende: {seller.name}, <span className="whitespace-nowrap">{seller.taxIdShown}</span>
          .{" "}
        </>
      ) : null}
      {company.name}, <span className="whitespace-nowrap">CNPJ {company.cnpj}</span>.{" "}
      {company.address}. {company.email}
    </p>
  );
}
