import { RequestReply } from "#app/components/events/request-reply.tsx";
import { approveRequest } from "#app/domain/events/requests/commands.server.ts";
import { openRequest } from "#app/domain/events/requests/queries.server.ts";
import { requestReplySchema } from "#app/domain/events/requests/schema.ts";
import { profileOfPerson } from "#app/domain/profiles/queries.server.ts";
import { submitForSpace } from "#app/http/acting.server.ts";
import { domainContext } from "#app/http/contexts.ts";
import { foundOr404 } from "#app/http/refusal.ts";
import { redirectWithToast } from "#app/http/toast.server.ts";
import { ownEvent, REQUEST_MISSING } from "#app/routes/events/event-page.server.ts";
import type { Route } from "./+types/request-approval.ts";

export const meta: Route.MetaFunction = () => [{ title: "Aprovar pedido · Coreto" }];

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
    await approveRequest(context.get(domainContext), {
      reply,
      eventId: params.id,
      personId: params.personId,
      creatorId: space.personId,
    });
    return redirectWithToast(request, `/events/${params.id}/requests`, {
      kind: "success",
      message: "Pedido aprovado. Avisamos a pessoa.",
    });
  });
}

export default function RequestApproval({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <RequestReply
      heading="Aprovar pedido"
      name={loaderData.name}
      means="A vaga é da pessoa, e avisamos. Num ingresso pago, ela tem 12 horas, ou até o começo, para comprar."
      label="Aprovar"
      variant="primary"
      backTo={`/events/${params.id}/requests`}
      problem={actionData}
    />
  );
}
