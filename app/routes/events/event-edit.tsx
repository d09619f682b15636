import { redirect } from "react-router";
import { EventForm } from "#app/components/events/event-form.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { publishEvent, updateEvent } from "#app/domain/events/commands.server.ts";
import { EventChangedElsewhere } from "#app/domain/events/errors.ts";
import { wallTimeOf, wallTimeText } from "#app/domain/events/rules/wall-time.ts";
import type { EditableEvent } from "#app/domain/events/queries/editable.server.ts";
import { eventSchema } from "#app/domain/events/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { eventInputOf, eventPlans, ownEvent } from "./event-page.server.ts";
import type { Route } from "./+types/event-edit.ts";

export const meta: Route.MetaFunction = () => [{ title: "Editar evento · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event, actor } = await ownEvent(args);
  if (event.status === "canceled") throw redirect(`/events/${event.id}`);
  return {
    values: formValues(event),
    coverMediaId: event.coverMediaId,
    isPublished: event.status === "published",
    plans: await eventPlans(args.context.get(domainContext), { creatorId: actor.space.personId }),
  };
}

function formValues(event: EditableEvent): Record<string, string> {
  const wall = (at: number): string => wallTimeText(wallTimeOf(at, event.timeZone));
  return {
    title: event.title,
    description: event.description,
    startsAt: wall(event.startsAt),
    endsAt: wall(event.endsAt),
    timeZone: event.timeZone,
    place: event.place,
    link: event.link ?? "",
    capacity: event.typedCapacity === null ? "" : String(event.typedCapacity),
    refundHours: event.refundHours === null ? "law" : String(event.refundHours),
    maxPerPerson: String(event.maxPerPerson),
    access: event.access,
    planIds: event.planIds.join("\n"),
    coverAlt: event.coverAlt ?? "",
    revision: String(event.revision),
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const ctx = context.get(domainContext);
  return submitForSpace({ request, context }, "events:manage", eventSchema, async (form, actor) => {
    const own = { eventId: params.id, creatorId: actor.space.personId };
    if (form.revision === undefined) throw new EventChangedElsewhere(own);
    await updateEvent(ctx, { ...own, revision: form.revision, ...(await eventInputOf(form)) });
    if (form.publish) await publishEvent(ctx, own);
    return redirectWithToast(request, `/events/${params.id}`, {
      kind: "success",
      message: form.publish ? "Evento publicado." : "Evento salvo.",
    });
  });
}

export default function EventEdit({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Editar evento"
        lead={
          loaderData.isPublished
            ? "Se mudar a hora, o lugar ou o link, avisamos quem tem vaga."
            : undefined
        }
      >
        <ButtonLink to={`/events/${params.id}`} variant="outline" size="sm">
          Ver
        </ButtonLink>
        {loaderData.isPublished ? (
          <ButtonLink to={`/events/${params.id}/cancellation`} variant="ghost" size="sm">
            Cancelar evento
          </ButtonLink>
        ) : (
          <ButtonLink to={`/events/${params.id}/deletion`} variant="ghost" size="sm">
            Apagar rascunho
          </ButtonLink>
        )}
      </PageHeader>
      <Card className="p-5 sm:p-6">
        <EventForm {...loaderData} problem={actionData} />
      </Card>
    </>
  );
}
