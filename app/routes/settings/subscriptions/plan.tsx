import { redirect } from "react-router";
import { PaymentForm } from "#app/components/checkout/payment-form.tsx";
import { pixOnlyText } from "#app/components/checkout/pix/pix-only-text.ts";
import { PlanChangeLines } from "#app/components/subscriptions/plan-change.tsx";
import {
  PlanChangeNotes,
  PlanChangeObstacle,
  PlanChangeTerms,
} from "#app/components/subscriptions/plan-change-notes.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { startPlanChange } from "#app/domain/subscriptions/plan-changes/commands/start.server.ts";
import { paymentFormSchema } from "#app/domain/payments/schema/forms.ts";
import { nextStepOfCharge, nextStepUrl } from "#app/http/checkout/next-step.ts";
import { submitAsPayer } from "#app/http/checkout/pay.server.ts";
import { methodsNeedingTaxId } from "#app/http/checkout/payment.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { planChangeShown } from "./plan-change-view.server.ts";
import type { Route } from "./+types/plan.ts";

export const meta: Route.MetaFunction = () => [{ title: "Mudar de plano · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const [ctx, { id: personId }] = [context.get(domainContext), context.get(memberContext)];
  const shown = await planChangeShown(ctx, {
    page: "now",
    fanId: personId,
    subscriptionId: params.id,
    planPriceId: params.priceId,
  });
  return { ...shown, taxIdFor: await methodsNeedingTaxId(ctx, { personId }) };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [ctx, member] = [context.get(domainContext), context.get(memberContext)];
  return await submitAsPayer(
    request,
    { ctx, member },
    paymentFormSchema,
    async ({ method, ...input }) => {
      const started = await startPlanChange(ctx, {
        fanId: member.id,
        payerName: member.name,
        subscriptionId: params.id,
        planPriceId: params.priceId,
        ...input,
        ...method,
      });
      return redirect(nextStepUrl(request, nextStepOfCharge(started)), 303);
    },
  );
}

export default function SubscriptionPlan({ loaderData, actionData }: Route.ComponentProps) {
  const { id, problem, shown, creatorName, seller, methods, cards, cardFieldUrl } = loaderData;
  const dueCents = shown.quote.happens === "now" ? shown.quote.dueCents : 0;
  return (
    <>
      <PageHeader
        title={`Mudar para ${shown.toPlanName}?`}
        lead={`Assinatura da página de ${creatorName}. Hoje é ${shown.fromPlanName}.`}
      />
      {problem ? (
        <PlanChangeObstacle id={id} problem={problem} />
      ) : (
        <Card className="flex flex-col gap-5 p-5 sm:p-6">
          <PlanChangeLines {...shown} />
          <PlanChangeNotes {...loaderData} />
          <PaymentForm
            key={[dueCents, ...cards.map((card) => card.id)].join(" ")}
            planPriceId={null}
            amountCents={dueCents}
            coupon={null}
            periods={1}
            methods={methods}
            pixOnly={pixOnlyText({ methods, amountCents: dueCents, isPrepaid: false })}
            cards={cards}
            cardFieldUrl={cardFieldUrl}
            problem={actionData}
            taxIdFor={loaderData.taxIdFor}
          />
          <ButtonLink
            to={`/settings/subscriptions/${id}/plan`}
            variant="ghost"
            className="-ml-5 self-start"
          >
            Ver os outros planos
          </ButtonLink>
          <PlanChangeTerms seller={seller} creatorName={creatorName} />
        </Card>
      )}
    </>
  );
}
