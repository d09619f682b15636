import { counted } from "#app/domain/text.ts";
import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { archivePlan } from "#app/domain/plans/commands.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import type { Route } from "./+types/plan-archive.ts";

export const meta: Route.MetaFunction = () => [{ title: "Arquivar plano · Coreto" }];

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const plan = foundOr404(
    await creatorPlan(ctx, {
      planId: params.planId,
      creatorId: requireActor({ context }, "plans:edit").space.personId,
    }),
    "Não encontramos este plano.",
  );
  return { id: plan.id, name: plan.name, seatsTaken: plan.seatsTaken };
}

export async function action({ request, params, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "plans:edit",
    z.object({}),
    async (_, actor) => {
      const ctx = context.get(domainContext);
      const own = { creatorId: actor.space.personId, planId: params.planId };
      const earlier = await creatorPlan(ctx, own);
      await archivePlan(ctx, { ...own, actedBy: actingPersonId(actor) });
      const wasOnSale = earlier?.state === "active";
      return await redirectWithToast(request, "/me", {
        kind: "success",
        message: "Plano arquivado. Quem já assina continua.",
        undo: `/plan/${params.planId}/restoration?state=${wasOnSale ? "active" : "draft"}`,
      });
    },
  );
}

export default function PlanArchive({ loaderData: plan, actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title={`Arquivar ${plan.name}?`} />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <p>
          O plano sai da sua página e não vende mais.{" "}
          {plan.seatsTaken === 0
            ? "Ninguém assina agora."
            : `${counted(plan.seatsTaken, "pessoa que assina continua", "pessoas que assinam continuam")} com acesso e renovando.`}{" "}
          Por 10 minutos dá para desfazer. Depois, um plano arquivado não volta à venda.
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <ActingField />
          <FormMessage message={actionData?.message} />
          <Button variant="danger" disabled={isBusy}>
            Arquivar plano
          </Button>
          <ButtonLink to={`/plan/${plan.id}/update`} variant="outline">
            Deixar à venda
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
