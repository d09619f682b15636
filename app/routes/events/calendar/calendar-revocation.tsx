import { Form, useNavigation } from "react-router";
import { z } from "zod";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { revokeCalendar } from "#app/domain/events/calendar/commands.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/calendar-revocation.ts";

export const meta: Route.MetaFunction = () => [{ title: "Desligar a agenda · Coreto" }];

export async function action({ request, context }: Route.ActionArgs) {
  return handleForm(request, z.object({}), async () => {
    await revokeCalendar(context.get(domainContext), { personId: context.get(memberContext).id });
    return redirectWithToast(request, "/events/calendar", {
      kind: "success",
      message: "Agenda desligada. O endereço já não abre nada.",
    });
  });
}

export default function CalendarRevocation({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <>
      <PageHeader
        title="Desligar a agenda?"
        lead="O endereço para de abrir na hora, em todos os aparelhos. Você pode gerar outro quando quiser."
      />
      <Card className="p-5 sm:p-6">
        <Form method="post" className="flex flex-wrap gap-2">
          <FormMessage message={actionData?.message} />
          <Button variant="danger" disabled={isBusy}>
            Desligar agenda
          </Button>
          <ButtonLink to="/events/calendar" variant="outline">
            Manter
          </ButtonLink>
        </Form>
      </Card>
    </>
  );
}
