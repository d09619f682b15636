import { useNavigation } from "react-router";
import { SpaceForm } from "#app/components/shell/space-form.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { messageAttendees } from "#app/domain/events/attendees/commands/messages.server.ts";
import { EVENT_MESSAGE_MAX } from "#app/domain/events/rules.ts";
import { eventMessageSchema } from "#app/domain/events/attendees/schema/messages.ts";
import { counted } from "#app/domain/text.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownEvent } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/event-message.ts";

export const meta: Route.MetaFunction = () => [{ title: "Recado a quem vai · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  const { title, seatsTaken } = (await ownEvent(args)).event;
  return { title, seatsTaken, messageId: args.context.get(domainContext).newId() };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return submitForSpace(
    { request, context },
    "events:manage",
    eventMessageSchema,
    async (form, { space }) => {
      await messageAttendees(context.get(domainContext), {
        ...form,
        eventId: params.id,
        creatorId: space.personId,
      });
      return redirectWithToast(request, `/events/${params.id}/people`, {
        kind: "success",
        message: "Recado enviado a quem vai.",
      });
    },
  );
}

export default function EventMessage({ loaderData, actionData, params }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== "idle";
  const { title, seatsTaken, messageId } = loaderData;
  return (
    <>
      <PageHeader title="Recado a quem vai" lead={title} />
      <Card className="p-5 sm:p-6">
        <SpaceForm problem={actionData}>
          <input
            type="hidden"
            name="messageId"
            value={actionData?.values["messageId"] ?? messageId}
          />
          <TextArea
            label="Recado"
            name="text"
            rows={5}
            defaultValue={actionData?.values["text"]}
            error={actionData?.errors["text"]}
            limit={EVENT_MESSAGE_MAX}
            required
            hint={`Chega por aqui e por e-mail a quem tem vaga: ${counted(seatsTaken, "vaga ocupada", "vagas ocupadas")} agora.`}
          />
          <div className="flex flex-wrap gap-2">
            <Button size="lg" disabled={isBusy}>
              Mandar recado
            </Button>
            <ButtonLink to={`/events/${params.id}/people`} variant="outline">
              Voltar
            </ButtonLink>
          </div>
        </SpaceForm>
      </Card>
    </>
  );
}
