import { redirect } from "react-router";
import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import { IntervalLinks } from "#app/components/checkout/interval-links.tsx";
import { OrderSummary, SellerNotice } from "#app/components/checkout/order-summary.tsx";
import { PaymentForm } from "#app/components/checkout/payment-form.tsx";
import { GiftFields } from "#app/components/gifts/gift-fields.tsx";
import { GIFT_PERIODS } from "#app/components/gifts/gift-words.ts";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { awayWords } from "#app/domain/plans/rules/vacations.ts";
import { startGift } from "#app/domain/purchases/commands/gifts.server.ts";
import { giftSchema } from "#app/domain/purchases/schema/gifts.ts";
import { foundPastAgeGate } from "#app/http/age-gate.server.ts";
import { goesOnAt, onwardFrom } from "#app/http/checkout/onward.ts";
import { submittedByPayer } from "#app/http/checkout/pay.server.ts";
import { taxIdAskedFor } from "#app/http/checkout/payment.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { found } from "#app/http/refusal.ts";
import { checkoutShown } from "./checkout-shown.server.ts";
import type { Route } from "./+types/gift.ts";

// Paying has nothing beside it.
export const handle = { shell: "bare" };

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: `${loaderData ? `Dar ${loaderData.summary.title} de presente` : "Dar de presente"} · Coreto` }];

const NOT_SOLD = "Este plano não existe ou não está à venda.";

export async function loader({ context, params, url }: Route.LoaderArgs) {
  const wanted = { kind: "plan", targetId: params.planId, interval: url.searchParams.get("interval"), coupon: null, periods: 1 } as const;
  const [ctx, member] = [context.get(domainContext), context.get(memberContext)];
  const shown = await foundPastAgeGate(ctx, await checkoutShown(ctx, { memberId: member.id, wanted }), NOT_SOLD, { kind: "plan", id: params.planId, viewer: member });
  const { summary, methods, cards, cardFieldUrl, creatorPath, obstacle, awayUntil } = shown;
  const plan = found(obstacle === "not_sold" ? null : shown.plan, NOT_SOLD);
  const period = summary.renews ? GIFT_PERIODS[summary.renews] : "";
  // Who subscribes gives to others all the same.
  return { plan, taxIdFor: await taxIdAskedFor(ctx, { personId: member.id }), awayUntil, methods, cards, cardFieldUrl, creatorPath, period, obstacle: obstacle !== "subscribed" ? obstacle : awayUntil === null ? null : ("away" as const), summary: { ...summary, kind: "gift" as const, renews: null, nextChargeAt: null } };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  return await submittedByPayer(request, { ctx, member }, giftSchema, async ({ method, ...input }) => {
    const started = await startGift(ctx, { ...input, ...method, memberId: member.id, memberName: member.name });
    return redirect(onwardFrom(request, goesOnAt(started)), 303);
  });
}

export default function GiftPage({ loaderData, actionData }: Route.ComponentProps) {
  const { plan, summary, period, obstacle, creatorPath } = loaderData;
  useFirstError(actionData);
  if (obstacle === "away") {
    return (
      <EmptyState title={loaderData.awayUntil === null ? "De férias" : awayWords(loaderData.awayUntil)} action={<ButtonLink to={creatorPath}>Ver a página</ButtonLink>}>
        {summary.creatorName} está descansando, e não vende assinaturas até a volta.
      </EmptyState>
    );
  }
  if (obstacle !== null) {
    return (
      <EmptyState title={obstacle === "own" ? "Este plano é seu" : "Sem lugares agora"} action={<ButtonLink to={obstacle === "own" ? "/me/subscribers/comp" : creatorPath}>{obstacle === "own" ? "Dar uma assinatura" : "Ver a página"}</ButtonLink>}>
        {obstacle === "own" ? "O que é seu você dá sem pagar, em Assinantes." : "Todos os lugares deste plano estão ocupados. Volte quando um vagar."}
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
        <p className="text-muted">Você paga uma vez, e nada renova. Quem recebe tem um ano para abrir; se ninguém abrir, devolvemos tudo.</p>
      </header>
      <IntervalLinks planId={plan.id} priceId={plan.priceId} prices={plan.prices} coupon={null} path={`/plan/${plan.id}/gift`} />
      <PaymentForm
        key={[plan.priceId, ...loaderData.cards.map(({ id }) => id)].join(" ")}
        planPriceId={null}
        periods={1}
        amountCents={summary.amountCents}
        coupon={null}
        methods={loaderData.methods}
        cards={loaderData.cards}
        cardFieldUrl={loaderData.cardFieldUrl}
        problem={actionData}
        taxIdFor={loaderData.taxIdFor}
      >
        <GiftFields planPriceId={plan.priceId} creatorName={summary.creatorName} values={actionData?.values ?? {}} errors={actionData?.errors ?? {}} />
      </PaymentForm>
      <SellerNotice seller={summary.seller} className="lg:hidden" />
    </CheckoutFrame>
  );
}
