import { EventForm } from "#app/components/events/event-form.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { createEvent, publishEvent } from "#app/domain/events/commands.server.ts";
import { eventSchema } from "#app/domain/events/schema.ts";
import { requireWriter, submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { eventInputOf, eventPlans } from "./event-page.server.ts";
import type { Route } from "./+types/event-create.ts";

const EMPTY = {};

export const meta: Route.MetaFunction = () => [{ title: "Criar evento · Coreto" }];

export async function loader({ context }: Route.LoaderArgs) {
  const { space } = requireWriter({ context }, "events:manage");
  return { plans: await eventPlans(context.get(domainContext), { creatorId: space.personId }) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return submitForSpace({ request, context }, "events:manage", eventSchema, async (form, actor) => {
    const creatorId = actor.space.personId;
    const { eventId } = await createEvent(ctx, { creatorId, ...(await eventInputOf(form)) });
    if (form.publish) await publishEvent(ctx, { eventId, creatorId });
    return redirectWithToast(request, `/events/${eventId}`, {
      kind: "success",
      message: form.publish ? "Evento publicado." : "Rascunho salvo. Ninguém mais vê ainda.",
    });
  });
}

export default function EventCreate({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <PageHeader title="Criar evento" lead="Uma live, uma aula, um ensaio aberto, um encontro." />
      <Card className="p-5 sm:p-6">
        <EventForm
          values={EMPTY}
          coverMediaId={null}
          plans={loaderData.plans}
          problem={actionData}
          isPublished={false}
        />
      </Card>
    </>
  );
}
