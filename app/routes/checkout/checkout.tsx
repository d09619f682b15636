import { data, redirect } from "react-router";
import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import { CheckoutObstacle } from "#app/components/checkout/checkout-obstacle.tsx";
import { CouponField } from "#app/components/checkout/coupon-field.tsx";
import { OrderSummary, SellerNotice } from "#app/components/checkout/order-summary.tsx";
import { PaymentForm } from "#app/components/checkout/payment-form.tsx";
import { cardLabel } from "#app/components/payments/card-words.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { savedCardsOf } from "#app/domain/billing/queries/billing.server.ts";
import { isMethodOffered } from "#app/domain/payments/rules.ts";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { methodsFor, periodEndsAt } from "#app/domain/plans/rules.ts";
import { startPurchase } from "#app/domain/purchases/commands/checkout.server.ts";
import { planFor, singleFor } from "#app/domain/purchases/queries/purchasable.server.ts";
import { descriptionOf } from "#app/domain/purchases/rules.ts";
import { purchaseSchema } from "#app/domain/purchases/schema.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { checkoutSchema } from "#app/domain/subscriptions/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { couponShown } from "./coupon.server.ts";
import { wantedAt } from "./wanted.ts";
import type { Route } from "./+types/checkout.ts";

const NOT_SOLD = { plan: "Este plano não existe ou não está à venda.", post: "Esta publicação não existe ou não está à venda.", collection: "Esta coleção não existe ou não está à venda." };

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData ? `${loaderData.verb} ${loaderData.summary.title}, de ${loaderData.summary.creatorName} · Coreto` : "Pagar · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const memberId = context.get(memberContext).id;
  const wanted = wantedAt(request.url);
  const plan = wanted.kind === "plan" ? await planFor(ctx, { memberId, planId: wanted.targetId, interval: wanted.interval }) : null;
  const sold = wanted.kind === "plan" ? (plan?.purchasable ?? null) : await singleFor(ctx, { ...wanted, memberId });
  if (!sold) throw data({ message: NOT_SOLD[wanted.kind] }, { status: 404 });
  const { creator, title, renews, amountCents, seller } = sold;
  const coupon = plan && wanted.kind === "plan" && !sold.obstacle ? await couponShown(ctx, { memberId, offer: plan.offer, code: wanted.coupon }) : null;
  const todayCents = coupon?.discount?.firstCents ?? amountCents;
  const methods = methodsFor(todayCents).filter((method) => isMethodOffered(method, ctx));
  const cards = methods.includes("card") && ctx.payments.can.has("saved_card") && !sold.obstacle ? await savedCardsOf(ctx, { personId: memberId }) : [];
  return {
    kind: sold.kind,
    verb: sold.kind === "plan" ? "Assinar" : "Comprar",
    what: sold.kind === "plan" ? `Assinatura ${title}, de ${creator.name}` : descriptionOf({ kind: sold.kind, title, creatorName: creator.name }),
    path: sold.path,
    creatorPath: `/space/${creator.username}`,
    plan: plan ? { id: plan.offer.plan.id, priceId: plan.offer.price.id, prices: plan.offer.prices, subscriptionId: plan.subscriptionId } : null,
    methods,
    cards: cards.map((card) => ({ id: card.id, label: cardLabel(card), isDefault: card.isDefault })),
    cardFieldUrl: ctx.payments.cardFieldUrl,
    coupon,
    todayCents,
    obstacle: sold.obstacle ?? (methods.length === 0 ? ("not_sold" as const) : null),
    summary: {
      kind: sold.kind,
      title,
      creatorName: creator.name,
      creatorUsername: creator.username,
      creatorAvatarUrl: creator.avatarMediaId ? mediaUrl(creator.avatarMediaId, "320") : null,
      renews,
      amountCents,
      nextChargeAt: renews ? periodEndsAt(ctx.now(), renews) : null,
      seller,
    },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const by = { memberId: member.id, memberName: member.name };
  const wanted = wantedAt(request.url);
  // 303: a card without a token is typed, and a 3DS confirmed, on the provider's own page.
  const goOn = (started: { chargeId: string; nextActionUrl: string | null }) => redirect(started.nextActionUrl ?? `/checkout/${started.chargeId}`, 303);
  if (wanted.kind === "plan") return await submitted(request, checkoutSchema, async ({ method, ...input }) => goOn(await startSubscription(ctx, { ...by, ...input, ...method })));
  return await submitted(request, purchaseSchema, async ({ method, ...input }) => goOn(await startPurchase(ctx, { ...by, ...wanted, ...input, ...method })));
}

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const { summary, obstacle, plan, verb } = loaderData;
  return (
    <CheckoutFrame summary={<OrderSummary {...summary} nextChargeAt={obstacle ? null : summary.nextChargeAt} sellerBelow={!obstacle} discount={loaderData.coupon?.discount ?? null} />}>
      <header className="flex flex-col gap-2">
        <p className="text-muted wrap-anywhere">{loaderData.what}</p>
        <h1 className="text-title sm:text-display">{obstacle ? verb : plan ? "Assine e já pode entrar" : "Compre uma vez, e é sua"}</h1>
      </header>
      {obstacle ? (
        <CheckoutObstacle {...loaderData} obstacle={obstacle} creatorName={summary.creatorName} subscriptionId={plan?.subscriptionId ?? null} />
      ) : (
        <>
          {plan ? <IntervalLinks {...plan} coupon={loaderData.coupon?.code ?? null} /> : null}
          {plan && loaderData.coupon ? <CouponField planId={plan.id} interval={summary.renews} {...loaderData.coupon} problem={actionData?.errors.coupon ?? loaderData.coupon.problem} /> : null}
          <PaymentForm
            key={[plan?.priceId ?? loaderData.path, ...loaderData.cards.map(({ id }) => id)].join(" ")}
            planPriceId={plan?.priceId ?? null}
            amountCents={loaderData.todayCents}
            coupon={loaderData.coupon?.discount ? loaderData.coupon.code : null}
            methods={loaderData.methods}
            cards={loaderData.cards}
            cardFieldUrl={loaderData.cardFieldUrl}
            problem={actionData}
          />
          <SellerNotice seller={summary.seller} className="lg:hidden" />
        </>
      )}
    </CheckoutFrame>
  );
}

type SoldPlan = NonNullable<Route.ComponentProps["loaderData"]["plan"]>;

/** The same plan by the month or by the year, when it is sold so. */
function IntervalLinks({ id, priceId, prices, coupon }: SoldPlan & { coupon: string | null }) {
  if (prices.length < 2) return null;
  return (
    <nav aria-label="Período" className="flex flex-wrap gap-2">
      {prices.map((one) => (
        <ButtonLink
          key={one.id}
          to={`/checkout?${new URLSearchParams({ plan: id, interval: one.interval, ...(coupon ? { coupon } : {}) }).toString()}`}
          variant={one.id === priceId ? "ink" : "outline"}
          aria-current={one.id === priceId ? "true" : undefined}
        >
          {intervalLabel(one.interval)}
        </ButtonLink>
      ))}
    </nav>
  );
}
