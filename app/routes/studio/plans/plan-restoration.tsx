import { z } from "zod";
import { ConfirmationPage } from "#app/components/shell/confirmation-page.tsx";
import { Button } from "#app/components/ui/button.tsx";
import { restorePlan } from "#app/domain/plans/commands.server.ts";
import { creatorPlan } from "#app/domain/plans/queries.server.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { requireActor, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/plan-restoration.ts";

export const meta: Route.MetaFunction = () => [{ title: "Desarquivar plano · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const plan = foundOr404(
    await creatorPlan(context.get(domainContext), {
      planId: params.planId,
      creatorId: requireActor({ context }, "plans:edit").space.personId,
    }),
    "Não encontramos este plano.",
  );
  return { name: plan.name };
}

/** Takes the archiving back. `state` in the address is the plan's state before it. */
export function action({ request, context, params }: Route.ActionArgs) {
  const wasOnSale = new URL(request.url).searchParams.get("state") === "active";
  return submitForSpace({ request, context }, "plans:edit", z.object({}), async (_, actor) => {
    await restorePlan(context.get(domainContext), {
      creatorId: actor.space.personId,
      actedBy: actingPersonId(actor),
      planId: params.planId,
      state: wasOnSale ? "active" : "draft",
    });
    return redirectWithToast(request, `/plan/${params.planId}/update`, {
      kind: "success",
      message: wasOnSale ? "O plano está à venda de novo." : "O plano voltou aos rascunhos.",
    });
  });
}

/** Shows a refusal. The button is in the message after the archiving. */
export default function PlanRestoration({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <ConfirmationPage
      heading="Desarquivar plano"
      title={loaderData.name}
      means="Até 10 minutos depois de arquivado, o plano volta como estava."
      button={<Button>Desarquivar</Button>}
      backTo="/me"
      message={actionData?.message}
    />
  );
}
