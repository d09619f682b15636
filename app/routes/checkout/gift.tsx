import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import { GuestFields } from "#app/components/checkout/payer/guest-fields.tsx";
import { PayerField } from "#app/components/checkout/payer/payer-field.tsx";
import { IntervalLinks } from "#app/components/checkout/order/interval-links.tsx";
import { OrderSummary, SellerNotice } from "#app/components/checkout/order/order-summary.tsx";
import { pixOnlyText } from "#app/components/checkout/pix/pix-only-text.ts";
import { PaymentForm } from "#app/components/checkout/payment-form.tsx";
import { SignInFirst } from "#app/components/checkout/sign-in-first.tsx";
import { GiftFields } from "#app/components/gifts/gift-fields.tsx";
import { GIFT_PERIODS } from "#app/components/gifts/gift-labels.ts";
import { useLinkMark } from "#app/components/shell/navigation/use-marked-path.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { vacationLabel } from "#app/domain/plans/rules/vacations.ts";
import { foundOrAgeGate } from "#app/http/age-gate.server.ts";
import { guestView } from "#app/http/checkout/guest-view.server.ts";
import { payerView } from "#app/http/checkout/payer-view.ts";
import { submitPayment } from "#app/http/checkout/pay.server.ts";
import { methodsNeedingTaxId } from "#app/http/checkout/payment.server.ts";
import { domainContext, viewerContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { memberOrGuest } from "#app/http/require-member.ts";
import { checkoutShown } from "./checkout-view.server.ts";
import type { Route } from "./+types/gift.ts";

// The checkout has no menu beside it.
export const handle = { shell: "bare" };

export const middleware: Route.MiddlewareFunction[] = [memberOrGuest];

export const meta: Route.MetaFunction = ({ loaderData }) => [
  {
    title: `${loaderData ? `Dar ${loaderData.summary.title} de presente` : "Dar de presente"} · Coreto`,
  },
];

const NOT_SOLD = "Este plano não existe ou não está à venda.";

export async function loader({ request, context, params, url }: Route.LoaderArgs) {
  const wanted = {
    kind: "plan",
    targetId: params.planId,
    interval: url.searchParams.get("interval"),
    coupon: null,
    periods: 1,
    link: null,
  } as const;
  const [ctx, viewer] = [context.get(domainContext), context.get(viewerContext)];
  const shown = await foundOrAgeGate(
    ctx,
    await checkoutShown(ctx, { memberId: viewer?.id ?? null, wanted }),
    NOT_SOLD,
    { kind: "plan", id: params.planId, viewer },
  );
  const { summary, methods, cards, cardFieldUrl, creatorPath, obstacle, awayUntil } = shown;
  const plan = foundOr404(obstacle === "not_sold" ? null : shown.plan, NOT_SOLD);
  const period = summary.renews ? GIFT_PERIODS[summary.renews] : "";
  // A subscriber can give the plan to others too.
  const guest = await guestView({ request, context, url });
  return {
    plan,
    guest,
    ...payerView(context),
    taxIdFor: viewer ? await methodsNeedingTaxId(ctx, { personId: viewer.id }) : [],
    awayUntil,
    methods,
    cards,
    cardFieldUrl,
    creatorPath,
    period,
    obstacle:
      obstacle !== "subscribed" && obstacle !== "upcoming"
        ? obstacle
        : awayUntil === null
          ? null
          : ("away" as const),
    summary: { ...summary, kind: "gift" as const, renews: null, nextChargeAt: null },
  };
}

export async function action(posted: Route.ActionArgs) {
  return await submitPayment(posted);
}

export default function GiftPage({ loaderData, actionData }: Route.ComponentProps) {
  const { plan, summary, period, obstacle, creatorPath, guest } = loaderData;
  const problem = actionData ?? loaderData.unsent ?? undefined;
  if (obstacle === "away") {
    return (
      <EmptyState
        title={loaderData.awayUntil === null ? "De férias" : vacationLabel(loaderData.awayUntil)}
        action={<ButtonLink to={creatorPath}>Ver a página</ButtonLink>}
      >
        {summary.creatorName} está descansando, e não vende assinaturas até a volta.
      </EmptyState>
    );
  }
  if (obstacle !== null) {
    return (
      <EmptyState
        title={obstacle === "own" ? "Este plano é seu" : "Sem lugares agora"}
        action={
          <ButtonLink to={obstacle === "own" ? "/me/subscribers/comp" : creatorPath}>
            {obstacle === "own" ? "Dar uma assinatura" : "Ver a página"}
          </ButtonLink>
        }
      >
        {obstacle === "own"
          ? "O que é seu você dá sem pagar, em Assinantes."
          : "Todos os lugares deste plano estão ocupados. Volte quando um vagar."}
      </EmptyState>
    );
  }
  return (
    <CheckoutFrame summary={<OrderSummary {...summary} sellerBelow />}>
      <header className="flex flex-col gap-2">
        <p className="text-muted wrap-anywhere">
          {summary.title}, de {summary.creatorName}, por {period}
        </p>
        <h1 className="text-title sm:text-display">Dar de presente</h1>
        <p className="text-muted">
          Você paga uma vez, e nada renova. Quem recebe tem um ano para abrir; se ninguém abrir,
          devolvemos tudo.
        </p>
      </header>
      <IntervalLinks
        planId={plan.id}
        priceId={plan.priceId}
        prices={plan.prices}
        coupon={null}
        path={`/plan/${plan.id}/gift`}
        link={useLinkMark()}
      />
      {guest && !guest.mayPay ? (
        <SignInFirst {...guest} />
      ) : (
        <PaymentForm
          key={[plan.priceId, ...loaderData.cards.map(({ id }) => id)].join(" ")}
          planPriceId={null}
          periods={1}
          amountCents={summary.amountCents}
          coupon={null}
          methods={loaderData.methods}
          pixOnly={pixOnlyText({
            methods: loaderData.methods,
            amountCents: summary.amountCents,
            isPrepaid: false,
          })}
          cards={loaderData.cards}
          cardFieldUrl={guest ? null : loaderData.cardFieldUrl}
          problem={problem}
          isGuest={guest !== null}
          taxIdFor={loaderData.taxIdFor}
          who={
            guest ? (
              <GuestFields
                loginPath={guest.loginPath}
                values={{ ...guest.values, ...actionData?.values }}
                errors={actionData?.errors ?? {}}
              />
            ) : (
              <PayerField payerId={loaderData.payerId} />
            )
          }
        >
          <GiftFields
            planPriceId={plan.priceId}
            creatorName={summary.creatorName}
            values={problem?.values ?? {}}
            errors={problem?.errors ?? {}}
          />
        </PaymentForm>
      )}
      <SellerNotice seller={summary.seller} className="lg:hidden" />
    </CheckoutFrame>
  );
}
