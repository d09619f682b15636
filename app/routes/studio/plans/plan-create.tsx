import { PlanForm } from "#app/components/plan-form/plan-form.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { creatorFee } from "#app/domain/payments/fees/queries.server.ts";
import { createPlan } from "#app/domain/plans/commands.server.ts";
import { planSchema } from "#app/domain/plans/schema.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import type { Route } from "./+types/plan-create.ts";

export const meta: Route.MetaFunction = () => [{ title: "Novo plano · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { space } = requireWriter({ context }, "plans:edit");
  return {
    feeBasisPoints: await creatorFee(context.get(domainContext), { creatorId: space.personId }),
  };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "plans:edit",
    planSchema,
    async (plan, actor) => {
      const { planId } = await createPlan(context.get(domainContext), {
        creatorId: actor.space.personId,
        actedBy: actingPersonId(actor),
        ...plan,
      });
      return await redirectWithToast(request, `/plan/${planId}/activation`, {
        kind: "success",
        message: "Plano criado. Falta colocar à venda.",
      });
    },
  );
}

export default function PlanCreate({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Novo plano"
        lead="O que quem assina recebe, e por quanto. Só aparece para os outros quando você colocar à venda."
      />
      <Card className="p-5 sm:p-6">
        <PlanForm
          plan={null}
          feeBasisPoints={loaderData.feeBasisPoints}
          problem={actionData}
          submitLabel="Criar plano"
        />
      </Card>
    </>
  );
}
