import { Form } from "react-router";
import { CODE_FIELD, OfflineDoor } from "#app/components/events/door/offline-door.tsx";
import { ActingField } from "#app/components/shell/acting/acting-field.tsx";
import { useHydrated } from "#app/components/shell/browser/use-hydrated.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { checkIn } from "#app/domain/events/door/commands.server.ts";
import { checkedInCount } from "#app/domain/events/attendees/queries.server.ts";
import { doorSchema } from "#app/domain/events/door/schema.ts";
import { counted } from "#app/domain/text.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { ownEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/door.ts";

export const meta: Route.MetaFunction = () => [{ title: "Portaria · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event, actor } = await ownEvent(args);
  const inside = await checkedInCount(args.context.get(domainContext), {
    eventId: event.id,
    creatorId: actor.space.personId,
  });
  return {
    title: event.title,
    door: {
      account: args.context.get(memberContext).id,
      space: actor.space.personId,
      eventId: event.id,
      timeZone: event.timeZone,
      seatsTaken: event.seatsTaken,
      inside,
    },
  };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return submitForSpace(
    { request, context },
    "events:manage",
    doorSchema,
    async ({ code }, { space }) => ({
      entered: await checkIn(context.get(domainContext), {
        eventId: params.id,
        creatorId: space.personId,
        byId: context.get(memberContext).id,
        code,
      }),
    }),
  );
}

/** The door of an event. With JavaScript it reads tickets by camera and goes on without network. */
export default function Door({ loaderData: { title, door }, actionData }: Route.ComponentProps) {
  const isHydrated = useHydrated();
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Portaria" lead={title}>
        <ButtonLink to={`/events/${door.eventId}/people`} variant="outline" size="sm">
          Quem vai
        </ButtonLink>
      </PageHeader>
      {/* The answer to a form that was sent before JavaScript ran stays. */}
      {isHydrated && !actionData ? (
        <OfflineDoor key={door.eventId} {...door} />
      ) : (
        <PlainDoor door={door} actionData={actionData} />
      )}
      {isHydrated && actionData ? (
        <ButtonLink
          to={`/events/${door.eventId}/door`}
          reloadDocument
          variant="outline"
          className="self-start"
        >
          Ler com a câmera
        </ButtonLink>
      ) : null}
    </div>
  );
}

type PlainDoorProps = {
  door: Route.ComponentProps["loaderData"]["door"];
  actionData: Route.ComponentProps["actionData"];
};

/** One typed code at a time, as a form. */
function PlainDoor({ door: { eventId, seatsTaken, inside }, actionData }: PlainDoorProps) {
  const entered = actionData && "entered" in actionData ? actionData.entered : null;
  const problem = actionData && "errors" in actionData ? actionData : undefined;
  return (
    <>
      <p role="status" className="font-medium">
        {counted(inside, "pessoa entrou", "pessoas entraram")}, de{" "}
        {counted(seatsTaken, "vaga", "vagas")}.
      </p>
      <FormMessage message={problem?.message} />
      {entered ? (
        <Card className="flex flex-wrap items-center justify-between gap-3 bg-signal-soft p-5">
          <p role="status" className="text-heading">
            {entered.name} pode entrar.
            {entered.kindName === null ? "" : ` Ingresso: ${entered.kindName}.`}
          </p>
          <Form method="post" action={`/events/${eventId}/door/undo`}>
            <ActingField />
            <input type="hidden" name="entryId" value={entered.entryId} />
            <Button variant="outline" size="sm">
              Desfazer
            </Button>
          </Form>
        </Card>
      ) : null}
      <Card className="p-5">
        <Form method="post" className="flex flex-col gap-4" noValidate>
          <ActingField />
          <TextField
            {...CODE_FIELD}
            key={problem?.values["code"] ?? ""}
            defaultValue={problem?.values["code"]}
            error={problem?.errors["code"]}
          />
          <Button size="lg" className="self-start">
            Deixar entrar
          </Button>
        </Form>
      </Card>
    </>
  );
}
