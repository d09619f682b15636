import { redirect } from "react-router";
import { z } from "zod";
import { EventForm } from "#app/components/events/event-form.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { ScopeChoices } from "#app/components/events/series/scope-choices.tsx";
import { publishEvent } from "#app/domain/events/commands.server.ts";
import { EventChangedElsewhere } from "#app/domain/events/errors.ts";
import { isChangeable } from "#app/domain/events/rules.ts";
import { wallsOf } from "#app/domain/events/times/rules/zone-rules.ts";
import type { EditableEvent } from "#app/domain/events/queries/editable.server.ts";
import { updateDates } from "#app/domain/events/series/commands.server.ts";
import { seriesOf } from "#app/domain/events/series/queries.server.ts";
import { scopeSchema } from "#app/domain/events/series/schema.ts";
import { eventSchemaOf } from "#app/domain/events/schema.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { eventInputOf, eventPlans, ownEvent } from "./event-page.server.ts";
import type { Route } from "./+types/event-edit.ts";

export const meta: Route.MetaFunction = () => [{ title: "Editar evento · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event, actor } = await ownEvent(args);
  const ctx = args.context.get(domainContext);
  if (!isChangeable(event, ctx.now())) throw redirect(`/events/${event.id}`);
  return {
    values: formValues(event),
    coverMediaId: event.coverMediaId,
    isPublished: event.status === "published",
    repeats: (await seriesOf(ctx, { event, viewerId: actor.space.personId }))?.repeats ?? null,
    plans: await eventPlans(ctx, { creatorId: actor.space.personId }),
  };
}

function formValues(event: EditableEvent): Record<string, string> {
  const walls = wallsOf(event);
  return {
    title: event.title,
    description: event.description,
    startsAt: event.startsWall ?? walls.startsWall,
    endsAt: event.endsWall ?? walls.endsWall,
    timeZone: event.timeZone,
    place: event.place,
    link: event.link ?? "",
    ...linkValues(event.linkMinutes),
    capacity: event.typedCapacity === null ? "" : String(event.typedCapacity),
    refundHours: event.refundHours === null ? "law" : String(event.refundHours),
    maxPerPerson: String(event.maxPerPerson),
    access: event.access,
    needsApproval: event.needsApproval ? "true" : "",
    planIds: event.planIds.join("\n"),
    coverAlt: event.coverAlt ?? "",
    revision: String(event.revision),
  };
}

const linkValues = (minutes: number | null): Record<string, string> =>
  minutes === null
    ? { linkFrom: "seat" }
    : minutes === 60 || minutes === 15
      ? { linkFrom: String(minutes) }
      : { linkFrom: "other", linkMinutes: String(minutes) };

export async function action(args: Route.ActionArgs) {
  const { request, context, params } = args;
  const ctx = context.get(domainContext);
  const act = { request, context };
  const { event } = await ownEvent(args);
  const schema = z.intersection(eventSchemaOf(event), scopeSchema);
  return submitForSpace(act, "events:manage", schema, async ({ scope, ...form }, actor) => {
    const own = { eventId: params.id, creatorId: actor.space.personId };
    const { revision } = form;
    if (revision === undefined) throw new EventChangedElsewhere(own);
    await updateDates(ctx, { ...own, scope, revision, ...(await eventInputOf(form)) });
    if (form.publish) await publishEvent(ctx, own);
    return redirectWithToast(request, `/events/${params.id}`, {
      kind: "success",
      message: form.publish
        ? "Evento publicado."
        : scope === "one"
          ? "Evento salvo."
          : "Evento salvo. As outras datas mudam em até alguns minutos.",
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
        <ButtonLink to={`/events/${params.id}/repetition`} variant="outline" size="sm">
          Repetir
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
        <EventForm
          {...loaderData}
          problem={actionData}
          dates={
            loaderData.repeats === null ? null : (
              <ScopeChoices
                legend="Mudar quais datas"
                chosen={actionData?.values["scope"] ?? (loaderData.isPublished ? "one" : "all")}
                error={actionData?.errors["scope"]}
                hint={`${loaderData.repeats}. As que você mudou uma a uma ficam como estão.`}
              />
            )
          }
        />
      </Card>
    </>
  );
}
