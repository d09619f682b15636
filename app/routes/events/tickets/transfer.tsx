import { Form } from "react-router";
import { z } from "zod";
import { EventPlace } from "#app/components/events/event-line.tsx";
import { EventTimes } from "#app/components/events/event-times.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { acceptTicket } from "#app/domain/events/transfers/commands.server.ts";
import { transferFor } from "#app/domain/events/transfers/queries.server.ts";
import { domainContext, memberContext } from "#app/http/contexts.ts";
import { handleForm } from "#app/http/form.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import type { Route } from "./+types/transfer.ts";

export const meta: Route.MetaFunction = () => [{ title: "Receber ingresso · Coreto" }];

export async function loader({ context, params }: Route.LoaderArgs) {
  const viewerId = context.get(memberContext).id;
  const transfer = foundOr404(
    await transferFor(context.get(domainContext), { key: params.key, viewerId }),
    "Não encontramos este ingresso.",
  );
  const { giverId, id: _, ...shown } = transfer;
  return { ...shown, isOwn: giverId === viewerId };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const personId = context.get(memberContext).id;
  return handleForm(request, z.object({}), async () => {
    const { eventId } = await acceptTicket(context.get(domainContext), {
      key: params.key,
      personId,
    });
    return redirectWithToast(request, `/events/${eventId}/ticket`, {
      kind: "success",
      message: "Você vai! O ingresso é seu.",
    });
  });
}

/** A ticket that somebody passes on to the reader. */
export default function Transfer({ loaderData, actionData }: Route.ComponentProps) {
  const { eventId, eventTitle, giverName, kindName, isOpen, isOwn, ...when } = loaderData;
  return (
    <div className="flex flex-col gap-4">
      <PageHeader title="Receber ingresso" lead={eventTitle} />
      <FormMessage message={actionData?.message} />
      <Card className="flex flex-col gap-4 p-5 sm:p-6">
        {isOwn ? (
          <p className="font-medium">Este link é para a pessoa a quem você passa o ingresso.</p>
        ) : isOpen ? (
          <p className="font-medium">
            {giverName} quer passar a você um ingresso
            {kindName === null ? "" : ` (${kindName})`}. Não custa nada.
          </p>
        ) : (
          <p className="font-medium">
            Este ingresso não está mais disponível. Fale com quem quis passar o ingresso a você.
          </p>
        )}
        <EventTimes {...when} />
        <EventPlace place={when.place} />
        <div className="flex flex-wrap gap-2">
          {isOpen && !isOwn ? (
            <Form method="post">
              <Button size="lg">Aceitar ingresso</Button>
            </Form>
          ) : null}
          <ButtonLink to={`/events/${eventId}`} variant="outline">
            Ver o evento
          </ButtonLink>
        </div>
      </Card>
    </div>
  );
}
