import { data, redirect } from "react-router";
import { AheadLinks } from "#app/components/checkout/ahead.tsx";
import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import { CheckoutObstacle } from "#app/components/checkout/checkout-obstacle.tsx";
import { CouponField } from "#app/components/checkout/coupon-field.tsx";
import { GuestFields } from "#app/components/checkout/guest-fields.tsx";
import { IntervalLinks } from "#app/components/checkout/interval-links.tsx";
import { OrderSummary, SellerNotice } from "#app/components/checkout/order-summary.tsx";
import { PaymentForm } from "#app/components/checkout/payment-form.tsx";
import { SignInFirst } from "#app/components/checkout/sign-in-first.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { guestSeen } from "#app/http/checkout/guest-seen.server.ts";
import { guestPays } from "#app/http/checkout/guest.server.ts";
import { paymentAt } from "#app/http/checkout/payment.server.ts";
import { wantedAt } from "#app/http/checkout/wanted.ts";
import { cloudflareContext, domainContext, viewerContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import { memberOrGuest } from "#app/http/require-member.ts";
import { checkoutShown } from "./checkout-shown.server.ts";
import type { Route } from "./+types/checkout.ts";

const NOT_SOLD = { plan: "Este plano não existe ou não está à venda.", post: "Esta publicação não existe ou não está à venda.", collection: "Esta coleção não existe ou não está à venda." };

export const middleware: Route.MiddlewareFunction[] = [memberOrGuest];

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData ? `${loaderData.verb} ${loaderData.summary.title}, de ${loaderData.summary.creatorName} · Coreto` : "Pagar · Coreto" }];

export async function loader({ request, context }: Route.LoaderArgs) {
  const wanted = wantedAt(request.url);
  const shown = await checkoutShown(context.get(domainContext), { memberId: context.get(viewerContext)?.id ?? null, wanted });
  if (!shown) throw data({ message: NOT_SOLD[wanted.kind] }, { status: 404 });
  return { ...shown, guest: await guestSeen(context, request) };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const viewer = context.get(viewerContext);
  const payment = paymentAt(request.url);
  if (!viewer) {
    const { env, ctx: execution } = context.get(cloudflareContext);
    return await guestPays({ env, ctx, request, waitUntil: (work) => execution.waitUntil(work) }, { path: url.pathname + url.search, payment });
  }
  return await submitted(request, payment, async (pay) => redirect(await pay(ctx, { memberId: viewer.id, memberName: viewer.name }), 303));
}

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const { summary, obstacle, plan, verb, guest } = loaderData;
  useFirstError(guest ? actionData : undefined);
  return (
    <CheckoutFrame summary={<OrderSummary {...summary} nextChargeAt={obstacle ? null : summary.nextChargeAt} sellerBelow={!obstacle} discount={loaderData.coupon?.discount ?? null} trial={loaderData.trial} />}>
      <header className="flex flex-col gap-2">
        <p className="text-muted wrap-anywhere">{loaderData.what}</p>
        <h1 className="text-title sm:text-display">{obstacle ? verb : loaderData.trial ? "Comece grátis e já pode entrar" : plan ? "Assine e já pode entrar" : "Compre uma vez, e é sua"}</h1>
      </header>
      {obstacle ? (
        <CheckoutObstacle {...loaderData} obstacle={obstacle} creatorName={summary.creatorName} subscriptionId={plan?.subscriptionId ?? null} />
      ) : guest && !guest.mayPay ? (
        <SignInFirst {...guest} />
      ) : (
        <>
          {plan ? <IntervalLinks {...plan} planId={plan.id} coupon={loaderData.coupon?.code ?? null} /> : null}
          {plan && loaderData.coupon ? <CouponField planId={plan.id} interval={summary.renews} periods={loaderData.ahead?.chosen?.count ?? 1} {...loaderData.coupon} problem={actionData?.errors.coupon ?? loaderData.coupon.problem} /> : null}
          {plan && summary.renews && loaderData.ahead ? <AheadLinks planId={plan.id} interval={summary.renews} coupon={loaderData.coupon?.code ?? null} {...loaderData.ahead} /> : null}
          <PaymentForm
            key={[plan?.priceId ?? loaderData.path, loaderData.trial?.days ?? 0, ...loaderData.cards.map(({ id }) => id)].join(" ")}
            planPriceId={plan?.priceId ?? null}
            periods={loaderData.ahead?.chosen?.count ?? 1}
            trial={loaderData.trial}
            amountCents={loaderData.todayCents}
            coupon={loaderData.coupon?.discount ? loaderData.coupon.code : null}
            methods={loaderData.methods}
            automatic={loaderData.automatic}
            cards={loaderData.cards}
            cardFieldUrl={guest ? null : loaderData.cardFieldUrl}
            problem={actionData}
            who={guest ? <GuestFields {...guest} values={{ ...guest.values, ...actionData?.values }} errors={actionData?.errors ?? {}} /> : null}
          />
          <SellerNotice seller={summary.seller} className="lg:hidden" />
        </>
      )}
    </CheckoutFrame>
  );
}
