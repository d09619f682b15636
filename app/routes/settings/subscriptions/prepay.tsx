import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { RequiredTaxIdField } from "#app/components/checkout/tax-id-field.tsx";
import { TermsNote } from "#app/components/checkout/terms-note.tsx";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/choice.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/use-first-error.ts";
import { formatMoney } from "#app/domain/money.ts";
import { shownCentsSchema } from "#app/domain/payments/schema.ts";
import {
  prepayOptionsOf,
  prepayPeriods,
} from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { periodsLabel } from "#app/domain/subscriptions/prepayments/rules.ts";
import { periodsSchema } from "#app/domain/subscriptions/schema.ts";
import { formatDay } from "#app/domain/time.ts";
import { submitAsPayer } from "#app/http/checkout/pay.server.ts";
import { needsTaxIdForPix } from "#app/http/checkout/payment.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { throwRefusals } from "#app/http/refusal.ts";
import type { Route } from "./+types/prepay.ts";

/** `amountCents` is the amount that the payer accepted on another page that sends this form. */
const aheadSchema = z.object({ periods: periodsSchema, amountCents: shownCentsSchema });

export const meta: Route.MetaFunction = () => [{ title: "Pagar adiantado · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const mine = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const { subscriptionSnapshot, choices } = await throwRefusals(() => prepayOptionsOf(ctx, mine));
  const { subscription, plan, creatorName } = subscriptionSnapshot;
  if (choices.length === 0 || subscription.currentPeriodEndsAt === null)
    throw redirect(`/settings/subscriptions/${params.id}`);
  const { id, interval, method, currentPeriodEndsAt } = subscription;
  return {
    id,
    interval,
    method,
    asksTaxId: await needsTaxIdForPix(ctx, { personId: mine.fanId }),
    planName: plan.name,
    creatorName,
    paidUntil: currentPeriodEndsAt,
    choices: choices.map(({ count, amountCents, endsAt }) => ({ count, amountCents, endsAt })),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  const [ctx, member] = [context.get(domainContext), context.get(memberContext)];
  return await submitAsPayer(request, { ctx, member }, aheadSchema, async (input) => {
    const { chargeId } = await prepayPeriods(ctx, {
      fanId: member.id,
      subscriptionId: params.id,
      ...input,
    });
    return redirect(`/checkout/${chargeId}`, 303);
  });
}

export default function SubscriptionAhead({ loaderData, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { id, interval, method, planName, creatorName, paidUntil, choices } = loaderData;
  useFirstError(actionData);
  const options = choices.map(({ count, amountCents, endsAt }) => ({
    value: String(count),
    label: `${periodsLabel(count, interval)}: ${formatMoney(amountCents)}`,
    hint: `De ${formatDay(paidUntil)} a ${formatDay(endsAt)}. A próxima cobrança fica para ${formatDay(endsAt)}.`,
  }));
  return (
    <>
      <PageHeader title="Pagar adiantado" lead={`${planName}, de ${creatorName}`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <FormMessage message={actionData?.message ?? actionData?.errors.amountCents} />
          {loaderData.asksTaxId ? <RequiredTaxIdField problem={actionData} /> : null}
          <Choices
            legend="Quanto pagar agora, com Pix"
            name="periods"
            options={options}
            defaultValue={actionData?.values.periods ?? String(choices[0]?.count ?? "")}
            error={actionData?.errors.periods}
          />
          <p className="text-small text-muted">
            O que você já pagou vale até {formatDay(paidUntil)}, e o que pagar agora começa ali.{" "}
            {methodTexts[method].afterPrepaid}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Pagar com Pix</Button>
            <ButtonLink to={`/settings/subscriptions/${id}`} variant="outline">
              Voltar
            </ButtonLink>
          </div>
          <TermsNote />
        </Form>
      </Card>
    </>
  );
}
