import { data, redirect } from "react-router";
import { CheckoutFrame } from "#app/components/checkout/checkout-frame.tsx";
import { OrderSummary, SellerNotice } from "#app/components/checkout/order-summary.tsx";
import { PaymentForm } from "#app/components/checkout/payment-form.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { EmptyState } from "#app/components/ui/empty.tsx";
import { intervalLabel } from "#app/domain/plans/schema.ts";
import { mediaUrl } from "#app/domain/media/rules.ts";
import { offerOf } from "#app/domain/plans/queries.server.ts";
import { methodsFor, periodEndsAt } from "#app/domain/plans/rules.ts";
import { startSubscription } from "#app/domain/subscriptions/commands/checkout.server.ts";
import { liveSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { checkoutSchema } from "#app/domain/subscriptions/schema.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { submitted } from "#app/http/form.ts";
import type { Route } from "./+types/checkout.ts";

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData ? `Assinar ${loaderData.summary.planName}, de ${loaderData.summary.creatorName} · Coreto` : "Assinar · Coreto" },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  const search = new URL(request.url).searchParams;
  const offer = await offerOf(ctx, { planId: search.get("plan") ?? "", interval: search.get("interval") });
  if (!offer) throw data({ message: "Este plano não existe ou não está à venda." }, { status: 404 });
  const live = await liveSubscription(ctx, { fanId: member.id, creatorId: offer.creator.id });
  const { plan, price, creator, seller } = offer;
  const methods = methodsFor(price.amountCents).filter((method) => method === "card" || ctx.settings.pixEnabled);
  const availability = methods.length === 0 ? "not_sold" : offer.availability;
  return {
    planId: plan.id,
    price,
    prices: offer.prices,
    methods,
    cardFieldUrl: ctx.payments.cardFieldUrl,
    creatorPath: `/space/${creator.username}`,
    obstacle: creator.id === member.id ? ("own" as const) : live ? ("subscribed" as const) : availability === "open" ? null : availability,
    subscriptionId: live?.id ?? null,
    summary: {
      planName: plan.name,
      creatorName: creator.name,
      creatorUsername: creator.username,
      creatorAvatarUrl: creator.avatarMediaId ? mediaUrl(creator.avatarMediaId, "320") : null,
      interval: price.interval,
      amountCents: price.amountCents,
      nextChargeAt: periodEndsAt(ctx.now(), price.interval),
      seller,
    },
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  const member = context.get(memberContext);
  return await submitted(request, checkoutSchema, async (input) => {
    const started = await startSubscription(ctx, { memberId: member.id, memberName: member.name, ...input });
    // 303: a card without a token is typed, and a 3DS confirmed, on the provider's own page.
    return redirect(started.nextActionUrl ?? `/checkout/${started.chargeId}`, 303);
  });
}

export default function Checkout({ loaderData, actionData }: Route.ComponentProps) {
  const { summary, obstacle } = loaderData;
  return (
    <CheckoutFrame summary={<OrderSummary {...summary} nextChargeAt={obstacle ? null : summary.nextChargeAt} sellerBelow={!obstacle} />}>
      <header className="flex flex-col gap-2">
        <p className="text-muted">
          Assinatura {summary.planName}, de {summary.creatorName}
        </p>
        <h1 className="text-title sm:text-display">{obstacle ? "Assinar" : "Assine e já pode entrar"}</h1>
      </header>
      {obstacle ? (
        <Obstacle {...loaderData} obstacle={obstacle} />
      ) : (
        <>
          <IntervalLinks {...loaderData} />
          <PaymentForm
            key={loaderData.price.id}
            planPriceId={loaderData.price.id}
            methods={loaderData.methods}
            cardFieldUrl={loaderData.cardFieldUrl}
            problem={actionData}
          />
          <SellerNotice seller={summary.seller} className="lg:hidden" />
        </>
      )}
    </CheckoutFrame>
  );
}

type LoaderData = Route.ComponentProps["loaderData"];

/** The same plan by the month or by the year, when it is sold so. */
function IntervalLinks({ planId, price, prices }: LoaderData) {
  if (prices.length < 2) return null;
  return (
    <nav aria-label="Período" className="flex flex-wrap gap-2">
      {prices.map((one) => (
        <ButtonLink
          key={one.id}
          to={`/checkout?plan=${planId}&interval=${one.interval}`}
          variant={one.id === price.id ? "ink" : "outline"}
          aria-current={one.id === price.id ? "true" : undefined}
        >
          {intervalLabel(one.interval)}
        </ButtonLink>
      ))}
    </nav>
  );
}

function Obstacle({ obstacle, creatorPath, subscriptionId, summary }: LoaderData & { obstacle: NonNullable<LoaderData["obstacle"]> }) {
  const back = (
    <ButtonLink to={creatorPath} variant="outline">
      Ver a página
    </ButtonLink>
  );
  if (obstacle === "subscribed") {
    return (
      <EmptyState
        title={`Você já assina ${summary.creatorName}`}
        action={
          <>
            <ButtonLink to={creatorPath}>Ver a página</ButtonLink>
            <ButtonLink to={`/settings/subscriptions/${subscriptionId ?? ""}`} variant="outline">
              Ver minha assinatura
            </ButtonLink>
          </>
        }
      >
        Não precisa pagar de novo: está tudo aberto para você.
      </EmptyState>
    );
  }
  if (obstacle === "own") {
    return (
      <EmptyState title="Este plano é seu" action={back}>
        Quem cria não assina a própria página: você já vê tudo.
      </EmptyState>
    );
  }
  return (
    <EmptyState title={obstacle === "full" ? "Os lugares acabaram" : "Este plano não está à venda"} action={back}>
      {obstacle === "full" ? "Quando alguém sair, um lugar volta a aparecer aqui." : "Veja na página o que mais há para assinar."}
    </EmptyState>
  );
}
