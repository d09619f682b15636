import { redirect } from "react-router";
import { PaidCard } from "#app/components/checkout/charge/charge-outcome.tsx";
import { SuggestedCreators } from "#app/components/checkout/suggested-creators.tsx";
import { UsernameOffer } from "#app/components/account/sign-in/username-offer.tsx";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { hasSavedMethod } from "#app/domain/payments/methods/rules.ts";
import { fanSubscription } from "#app/domain/subscriptions/queries.server.ts";
import { formatDay } from "#app/domain/time.ts";
import { afterPayment } from "#app/http/checkout/after-payment.server.ts";
import { originPost } from "#app/http/checkout/origin-post.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { usernameOffer } from "#app/http/identity/username-offer.server.ts";
import type { Route } from "./+types/trial-welcome.ts";

export const meta: Route.MetaFunction = () => [{ title: "O período grátis começou · Coreto" }];

/** What opens with a trial that just began. A subscription that is on none has its own page. */
export async function loader({ request, params, context }: Route.LoaderArgs) {
  const [ctx, member] = [context.get(domainContext), context.get(memberContext)];
  const { subscriptionId } = params;
  const subscription = foundOr404(
    await fanSubscription(ctx, { fanId: member.id, subscriptionId }),
    "Não encontramos esta assinatura.",
  );
  const { status, trialEndsAt, planId, planName, creatorName, creatorUsername } = subscription;
  if (status !== "trialing" || trialEndsAt === null)
    throw redirect(`/settings/subscriptions/${subscriptionId}`);
  const after = await afterPayment(ctx, {
    planId,
    memberId: member.id,
    creatorUsername,
    isWelcome: true,
  });
  return {
    ...after,
    id: subscriptionId,
    planName,
    creatorName,
    creatorUsername,
    creatorPath: `/space/${creatorUsername}`,
    trialEndsAt,
    method: subscription.method,
    paysAlone: hasSavedMethod(subscription),
    firstName: member.name.split(" ")[0] ?? member.name,
    soldBy: await originPost(ctx, { request, memberId: member.id, creatorUsername }),
    usernameOffer: usernameOffer(context),
  };
}

export default function TrialWelcome({ loaderData }: Route.ComponentProps) {
  const { firstName, trialEndsAt, method, paysAlone, people, usernameOffer: offer } = loaderData;
  const day = formatDay(trialEndsAt);
  return (
    <>
      <PageHeader
        title={`Pronto, ${firstName}: pode entrar`}
        lead={
          paysAlone
            ? `Até ${day} é grátis. Nesse dia o cartão é cobrado, se você não cancelar antes.`
            : `Até ${day} é grátis, e nada é cobrado sozinho. ${methodTexts[method].afterTrial} para continuar.`
        }
      />
      <div className="flex flex-col gap-6">
        <PaidCard {...loaderData} paid={null} />
        <SuggestedCreators people={people} />
        {offer ? <UsernameOffer {...offer} to={`/checkout/welcome/${loaderData.id}`} /> : null}
      </div>
    </>
  );
}
