import { useEffect, useRef } from "react";
import { Form, useNavigation } from "react-router";
import { DoorScanner } from "#app/components/events/door-scanner.tsx";
import { ActingField } from "#app/components/shell/acting-field.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextField } from "#app/components/ui/field.tsx";
import { FormMessage } from "#app/components/ui/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { checkIn } from "#app/domain/events/commands/door.server.ts";
import { checkedInCount } from "#app/domain/events/queries/people.server.ts";
import { doorSchema } from "#app/domain/events/schema.ts";
import { counted } from "#app/domain/text.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { ownEvent } from "./event-page.server.ts";
import type { Route } from "./+types/door.ts";

export const meta: Route.MetaFunction = () => [{ title: "Portaria · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { event, actor } = await ownEvent(args);
  const inside = await checkedInCount(args.context.get(domainContext), {
    eventId: event.id,
    creatorId: actor.space.personId,
  });
  return { title: event.title, seatsTaken: event.seatsTaken, inside };
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

/** The door of an event: one code at a time, typed or read by the camera. */
export default function Door({ loaderData, actionData, params }: Route.ComponentProps) {
  const { title, seatsTaken, inside } = loaderData;
  const entered = actionData && "entered" in actionData ? actionData.entered : null;
  const problem = actionData && "errors" in actionData ? actionData : undefined;
  const isBusy = useNavigation().state !== "idle";
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (entered) form.current?.reset();
  }, [entered]);
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Portaria" lead={title}>
        <ButtonLink to={`/events/${params.id}/people`} variant="outline" size="sm">
          Quem vai
        </ButtonLink>
      </PageHeader>
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
          <Form method="post" action={`/events/${params.id}/door/undo`}>
            <ActingField />
            <input type="hidden" name="seatId" value={entered.seatId} />
            <input type="hidden" name="checkedInAt" value={entered.checkedInAt} />
            <Button variant="outline" size="sm">
              Desfazer
            </Button>
          </Form>
        </Card>
      ) : null}
      <Card className="flex flex-col gap-4 p-5">
        <Form ref={form} method="post" className="flex flex-col gap-4" noValidate>
          <ActingField />
          <TextField
            key={problem?.values["code"] ?? ""}
            label="Código do ingresso"
            name="code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            autoFocus
            defaultValue={problem?.values["code"]}
            error={problem?.errors["code"]}
            placeholder="K3M9-4TQZ-8W2P"
            required
          />
          <Button size="lg" disabled={isBusy} className="self-start">
            Deixar entrar
          </Button>
        </Form>
        <DoorScanner form={form} />
      </Card>
    </div>
  );
}
