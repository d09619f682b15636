import { Form, redirect, useNavigation } from "react-router";
import { z } from "zod";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { returnFromVacation } from "#app/domain/plans/commands/vacations.server.ts";
import { openVacation } from "#app/domain/plans/queries/vacations.server.ts";
import { vacationUntil } from "#app/domain/plans/rules/vacations.ts";
import { DAYS_AFTER_RETURN, daysLabel } from "#app/domain/subscriptions/vacations/rules.ts";
import { actingPersonId } from "#app/domain/teams/rules/actor.ts";
import { formatDay } from "#app/domain/time.ts";
import { submitForSpace, requireWriter } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/vacation-return.ts";

export const meta: Route.MetaFunction = () => [{ title: "Voltar das férias · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = context.get(domainContext);
  const until = vacationUntil(
    await openVacation(ctx, { creatorId: requireWriter({ context }, "plans:edit").space.personId }),
    ctx.now(),
  );
  if (until === null) throw redirect("/me/vacation");
  return { until };
}

export async function action({ request, context }: Route.ActionArgs) {
  return await submitForSpace(
    { request, context },
    "plans:edit",
    z.object({}),
    async (_, actor) => {
      await returnFromVacation(context.get(domainContext), {
        creatorId: actor.space.personId,
        actedBy: actingPersonId(actor),
      });
      return await redirectWithToast(request, "/me", {
        kind: "success",
        message: "Bom ter você de volta! A sua página vende de novo.",
      });
    },
  );
}

export default function VacationReturn({
  loaderData: { until },
  actionData,
}: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader title="Voltar agora?" />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        <p>
          As férias iam até {formatDay(until)}. Voltando agora, quem assina fica com os dias que
          você tirou, e os que faltavam saem das datas. Todos são avisados, e ninguém é cobrado
          antes de {daysLabel(DAYS_AFTER_RETURN)}, a não ser quem já seria.
        </p>
        <Form method="post" className="flex flex-wrap gap-2">
          <ActingField />
          <FormMessage message={actionData?.message} />
          <Button disabled={isBusy}>Voltar das férias</Button>
          <ButtonLink to="/me/vacation" variant="outline">
            Continuar de férias
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
