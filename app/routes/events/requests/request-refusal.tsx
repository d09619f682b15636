import { RequestReply } from "#app/components/events/request-reply.tsx";
import { refuseRequest } from "#app/domain/events/requests/commands.server.ts";
import { openRequest } from "#app/domain/events/requests/queries.server.ts";
import { requestReplySchema } from "#app/domain/events/requests/schema.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownEvent, REQUEST_MISSING } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/request-refusal.ts";

export const meta: Route.MetaFunction = () => [{ title: "Recusar pedido · Coreto" }];

export async function loader(args: Route.LoaderArgs) {
  await ownEvent(args);
  const ctx = args.context.get(domainContext);
  const { id: eventId, personId } = args.params;
  foundOr404(await openRequest(ctx, { eventId, personId }), REQUEST_MISSING);
  return { name: (await profileOfPerson(ctx, { personId }))?.name ?? "" };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const act = { request, context };
  return submitForSpace(act, "events:manage", requestReplySchema, async ({ reply }, { space }) => {
    await refuseRequest(context.get(domainContext), {
      reply,
      eventId: params.id,
      personId: params.personId,
      creatorId: space.personId,
    });
    return redirectWithToast(request, `/events/${params.id}/requests`, {
      kind: "success",
      message: "Pedido recusado. Avisamos a pessoa.",
    });
  });
}

export default function RequestRefusal({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <RequestReply
      heading="Recusar pedido"
      name={loaderData.name}
      means="Avisamos a pessoa, e ela não pede de novo. Você ainda pode aprovar depois."
      label="Recusar"
      variant="danger"
      backTo={`/events/${params.id}/requests`}
      problem={actionData}
    />
  );
}
