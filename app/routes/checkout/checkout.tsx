import { data, redirect } from "react-router";
import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import { CheckoutObstacle } from "#app/components/checkout/checkout-obstacle.tsx";
import { CouponField } from "#app/components/checkout/coupon-field.tsx";
import { IntervalLinks } from "#app/components/checkout/interval-links.tsx";
import { OrderSummary, SellerNotice } from "#app/components/checkout/order-summary.tsx";
import { PaymentForm } from "#app/components/checkout/payment-form.tsx";
import { startPurchase } from "#app/domain/purchases/commands/checkout.server.ts";
import { purchaseSchema } from "#app/domain/purchases/schema.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { checkoutSchema } from "#app/domain/subscriptions/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { checkoutShown } from "./checkout-shown.server.ts";
import { wantedAt } from "./wanted.ts";
import type { Route } from "./+types/checkout.ts";

const NOT_SOLD = { plan: "Este plano não existe ou não está à venda.", post: "Esta publicação não existe ou não está à venda.", collection: "Esta coleção não existe ou não está à venda." };

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData ? `${loaderData.verb} ${loaderData.summary.title}, de ${loaderData.summary.creatorName} · Coreto` : "Pagar · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const wanted = wantedAt(request.url);
  const shown = await checkoutShown(context.get(domainContext), { memberId: context.get(memberContext).id, wanted });
  if (!shown) throw data({ message: NOT_SOLD[wanted.kind] }, { status: 404 });
  return shown;
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
          {plan ? <IntervalLinks {...plan} planId={plan.id} coupon={loaderData.coupon?.code ?? null} /> : null}
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
