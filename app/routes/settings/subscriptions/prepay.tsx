import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { PREPAID_PIX_ONLY } from "#app/components/checkout/pix/pix-only-text.ts";
import { RequiredTaxIdField } from "#app/components/checkout/payer/tax-id-field.tsx";
import { TermsNote } from "#app/components/checkout/terms-note.tsx";
import { methodTexts } from "#app/components/payments/method-words.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { useFirstError } from "#app/components/ui/fields/use-first-error.ts";
import { formatMoney } from "#app/domain/money.ts";
import { shownCentsSchema } from "#app/domain/payments/schema/forms.ts";
import { intervalLabel, priceLabel } from "#app/domain/plans/rules/intervals.ts";
import { prepayPeriods } from "#app/domain/subscriptions/prepayments/commands.server.ts";
import { periodsLabel } from "#app/domain/subscriptions/prepayments/rules.ts";
import { periodsSchema } from "#app/domain/subscriptions/schema.ts";
import { formatDay } from "#app/domain/time.ts";
import { submitAsPayer } from "#app/http/checkout/pay.server.ts";
import { needsTaxIdForPix } from "#app/http/checkout/payment.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { throwRefusals } from "#app/http/refusal.ts";
import { prepayShown } from "./prepay-view.server.ts";
import type { Route } from "./+types/prepay.ts";

/** `amountCents` is the amount that the payer accepted on another page that sends this form. */
const aheadSchema = z.object({ periods: periodsSchema, amountCents: shownCentsSchema });

export const meta: Route.MetaFunction = () => [{ title: "Pagar adiantado · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const reference = { fanId: context.get(memberContext).id, subscriptionId: params.id };
  const { subscriptionSnapshot, choices, longer } = await throwRefusals(() =>
    prepayShown(ctx, reference),
  );
  const { subscription, plan, creatorName } = subscriptionSnapshot;
  const isNothingOffered = choices.length === 0 && longer.length === 0;
  if (isNothingOffered || subscription.currentPeriodEndsAt === null)
    throw redirect(`/settings/subscriptions/${params.id}`);
  const { id, interval, method, currentPeriodEndsAt } = subscription;
  return {
    id,
    interval,
    method,
    asksTaxId: await needsTaxIdForPix(ctx, { personId: reference.fanId }),
    planName: plan.name,
    creatorName,
    paidUntil: currentPeriodEndsAt,
    choices: choices.map(({ count, amountCents, endsAt }) => ({ count, amountCents, endsAt })),
    longer,
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

type LoaderData = Route.ComponentProps["loaderData"];

export default function SubscriptionAhead({ loaderData, actionData }: Route.ComponentProps) {
  const { id, planName, creatorName, choices, longer } = loaderData;
  useFirstError(actionData);
  return (
    <>
      <PageHeader title="Pagar adiantado" lead={`${planName}, de ${creatorName}`} />
      <div className="flex flex-col gap-4">
        {longer.map((price) => (
          <LongerPrice key={price.id} subscriptionId={id} price={price} />
        ))}
        {choices.length > 0 ? <PrepayForm {...loaderData} problem={actionData} /> : null}
      </div>
    </>
  );
}

function PrepayForm({
  id,
  interval,
  method,
  asksTaxId,
  paidUntil,
  choices,
  problem,
}: LoaderData & { problem: Route.ComponentProps["actionData"] }) {
  const isBusy = useNavigation().state !== "idle";
  const options = choices.map(({ count, amountCents, endsAt }) => ({
    value: String(count),
    label: `${periodsLabel(count, interval)}: ${formatMoney(amountCents)}`,
    hint: `De ${formatDay(paidUntil)} a ${formatDay(endsAt)}. A próxima cobrança fica para ${formatDay(endsAt)}.`,
  }));
  return (
    <Card className="p-5 sm:p-6">
      <Form method="post" className="flex flex-col gap-5">
        <FormMessage message={problem?.message ?? problem?.errors.amountCents} />
        {asksTaxId ? <RequiredTaxIdField problem={problem} /> : null}
        <Choices
          legend="Quanto pagar agora, com Pix"
          name="periods"
          options={options}
          defaultValue={problem?.values.periods ?? String(choices[0]?.count ?? "")}
          error={problem?.errors.periods}
          hint={PREPAID_PIX_ONLY}
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
  );
}

/** A longer period of the same plan, in the place of as many of the present ones. */
function LongerPrice({
  subscriptionId,
  price,
}: {
  subscriptionId: string;
  price: LoaderData["longer"][number];
}) {
  return (
    <Card className="flex flex-wrap items-center justify-between gap-3 p-5 sm:p-6">
      <p className="font-semibold">
        {priceLabel(price)}
        {price.savedCents > 0 ? `: economize ${formatMoney(price.savedCents)}` : ""}
      </p>
      <ButtonLink
        to={`/settings/subscriptions/${subscriptionId}/plan/${price.id}`}
        variant="outline"
      >
        Passar a pagar {intervalLabel(price.interval)}
      </ButtonLink>
    </Card>
  );
}
