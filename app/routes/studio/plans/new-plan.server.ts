import type { RouterContextProvider } from "react-router";
import { createPlan } from "#app/domain/plans/commands.server.ts";
import { planSchema } from "#app/domain/plans/schema.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";

/** Creates the plan of a submitted form and goes on to where it is put on sale. */
export const submitNewPlan = async (route: {
  request: Request;
  context: Readonly<RouterContextProvider>;
}) =>
  await submitForSpace(route, "plans:edit", planSchema, async (plan, actor) => {
    const { planId } = await createPlan(route.context.get(domainContext), {
      creatorId: actor.space.personId,
      actedBy: actingPersonId(actor),
      ...plan,
    });
    return await redirectWithToast(route.request, `/plan/${planId}/activation`, {
      kind: "success",
      message: "Plano criado. Falta colocar à venda.",
    });
  });
