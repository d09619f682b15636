import { counted } from "#app/domain/text.ts";
import { Form, redirect, useNavigation } from "react-router";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { renewsBySavedMethod } from "#app/domain/payments/methods/rules.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { methodsForPrice } from "#app/domain/plans/rules.ts";
import { priceLabel } from "#app/domain/plans/rules/intervals.ts";
import { proposePriceChange } from "#app/domain/subscriptions/price-changes/commands/price-change.server.ts";
import {
  olderPriceCounts,
  priceChangeStatuses,
} from "#app/domain/subscriptions/price-changes/queries/price-changes.server.ts";
import { takesEffectAt } from "#app/domain/subscriptions/price-changes/rules.ts";
import { priceChangeSchema } from "#app/domain/subscriptions/price-changes/schema.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { formatDay } from "#app/domain/time.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/plan-price.ts";

export const meta: Route.MetaFunction = () => [{ title: "Pedir o preço novo · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const { planId, priceId } = params;
  const own = { planId, creatorId: requireActor({ context }, "plans:edit").space.personId };
  const [ownPlan, priceChanges] = await Promise.all([
    creatorPlan(ctx, own),
    priceChangeStatuses(ctx, own),
  ]);
  const plan = foundOr404(ownPlan, "Não encontramos este plano.");
  const price = foundOr404(
    plan.prices.find(({ id }) => id === priceId) ?? null,
    "Este preço não está mais à venda.",
  );
  const { interval, amountCents } = price;
  const isAsked = priceChanges.some(({ ask }) => ask?.planPriceId === priceId);
  const older =
    isAsked || plan.state !== "active"
      ? []
      : await olderPriceCounts(ctx, { planId, interval, amountCents });
  if (older.length === 0) throw redirect(`/plan/${planId}/update`);
  return {
    plan: { id: plan.id, name: plan.name },
    amountCents,
    price: priceLabel(price),
    takesEffectAt: takesEffectAt(ctx.now()),
    older: older.map((one) => ({
      count: one.count,
      price: priceLabel({ interval, amountCents: one.amountCents }),
      isLower: amountCents < one.amountCents,
    })),
    isPixOnly: !methodsForPrice(amountCents).some(renewsBySavedMethod),
  };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "plans:edit",
    priceChangeSchema,
    async ({ amountCents }, actor) => {
      await proposePriceChange(context.get(domainContext), {
        creatorId: actor.space.personId,
        actedBy: actingPersonId(actor),
        planId: params.planId,
        planPriceId: params.priceId,
        amountCents,
      });
      return await redirectWithToast(request, `/plan/${params.planId}/update`, {
        kind: "success",
        message: "Pedido feito. Avisamos cada assinante, e as respostas aparecem aqui.",
      });
    },
  );
}

export default function PlanPrice({
  loaderData: { plan, amountCents, price, takesEffectAt: from, older, isPixOnly },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const count = older.reduce((sum, one) => sum + one.count, 0);
  const asks = older.some(({ isLower }) => !isLower);
  const lowers = older.some(({ isLower }) => isLower);
  return (
    <>
      <PageHeader title={`Pedir ${price}?`} lead={`Plano ${plan.name}`} />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-col gap-5">
          <ActingField />
          <input type="hidden" name="amountCents" value={amountCents} />
          <FormMessage message={actionData?.message} />
          <ul className="flex flex-col gap-2">
            {older.map((one) => (
              <li key={one.price}>
                {counted(one.count, "assinante paga", "assinantes pagam")} {one.price}:{" "}
                {one.isLower ? "o preço baixa" : "perguntamos a cada pessoa se aceita o preço novo"}
                .
              </li>
            ))}
          </ul>
          {asks ? (
            <p>
              Cada pessoa recebe um aviso e um e-mail, e escolhe entre aceitar e manter o preço que
              paga. Para quem aceitar, o preço novo vale nos períodos que começam a partir de{" "}
              <strong>{formatDay(from)}</strong>. Quem não responder continua como está.
            </p>
          ) : null}
          {lowers ? (
            <p>
              Quem paga mais não precisa aceitar nada: passa a pagar menos na próxima cobrança, e é
              avisado. Só perguntamos quando a forma de pagamento teria de mudar
              {isPixOnly ? ", porque abaixo de R$\u00a010,00 só dá para pagar com Pix" : ""}.
            </p>
          ) : null}
          <div className="flex flex-wrap gap-2">
            <Button disabled={isBusy}>Pedir a {counted(count, "assinante", "assinantes")}</Button>
            <ButtonLink to={`/plan/${plan.id}/update`} variant="outline">
              Agora não
            </ButtonLink>
          </div>
        </Form>
      </Card>
    </>
  );
}
